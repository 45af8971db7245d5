import GossipProtocol
import Market
import NIOCore

extension Multiaddr {
    /// The address of a socket's end; an IPv4 address mapped into IPv6 is unmapped.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:))
        else { return nil }
        let wrapped = "::ffff:"
        let bare = text.prefix { $0 != "%" }
        let digits = bare.hasPrefix(wrapped) ? bare.dropFirst(wrapped.count) : bare
        if let ip4 = IPAddress(ip4: digits) {
            self.init(host: .ip4(ip4), port: port)
        } else if let ip6 = IPAddress(ip6: bare) {
            self.init(host: .ip6(ip6), port: port)
        } else {
            return nil
        }
    }
}

/// Waits for an outcome; `nil` only if the program is ending.
func settled<Value: Sendable>(_ future: EventLoopFuture<Value>) async -> Value? {
    do {
        return try await future.get()
    } catch {
        // The event loop is shut down.
        return nil
    }
}
