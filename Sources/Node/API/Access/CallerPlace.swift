import Foundation
import Gossip
import HTTPTypes
import NIOCore

/// Where a request comes from, as far as it matters for what the caller may do.
enum CallerPlace: Hashable, Sendable {
    /// A program of this machine, or a page that this node served to it.
    case thisMachine
    /// Another machine, or a page of another origin; by the name of its network.
    case elsewhere(String)

    /// What a proxy adds to a request.
    ///
    /// Source: RFC 7239; RFC 9110, section 7.6.3.
    private static let proxyFields = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP",
        "Via",
    ].compactMap { HTTPField.Name($0) }

    /// - Parameters:
    ///   - address: The other end of the connection, an IP address.
    ///   - headers: Those of the request. What a proxy adds is believed only of one on this
    ///     machine: it can make a caller a stranger, and never the other way.
    ///   - isOwn: Whether host and origin are the node's own; see ``OriginPolicy``.
    init(address: String?, headers: HTTPFields, isOwn: Bool) {
        guard let network = address.flatMap(Network.init), network.isThisMachine else {
            self = .elsewhere(address.flatMap(Network.init)?.name ?? "unknown")
            return
        }
        let isForwarded = Self.proxyFields.contains { headers[$0] != nil }
        if isForwarded {
            self = .elsewhere(Self.forwarded(headers).flatMap(Network.init)?.name ?? "proxy")
        } else {
            self = isOwn ? .thisMachine : .elsewhere("pages")
        }
    }

    /// The address that the nearest proxy names: the last, as those before it may be made up.
    private static func forwarded(_ headers: HTTPFields) -> String? {
        func last(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { headers[values: $0].last }?
                .split(separator: ",").last.map { $0.filter { !$0.isWhitespace } }
        }
        if let address = last("X-Forwarded-For") ?? last("X-Real-IP") { return address }
        return last("Forwarded")?.split(separator: ";")
            .first { $0.lowercased().hasPrefix("for=") }
            .map { $0.dropFirst(4).filter { $0 != "\"" } }
    }
}

/// An IPv4 address, or the 48 bits of an IPv6 address that one customer usually gets.
private struct Network {
    let name: String
    let isThisMachine: Bool

    /// Reads an address, with or without a port; `nil` for anything else.
    init?(_ text: String) {
        var text = text[...]
        if text.hasPrefix("[") {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = text.prefix { $0 != ":" }
        }
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else {
            return nil
        }
        let bytes: [UInt8]
        switch address {
        case .v4(let address):
            bytes = unsafe withUnsafeBytes(of: address.address.sin_addr) { unsafe Array($0) }
        case .v6(let address):
            bytes = unsafe withUnsafeBytes(of: address.address.sin6_addr) { unsafe Array($0) }
        case .unixDomainSocket: return nil
        }
        guard let found = IPAddress(bytes: bytes) else { return nil }
        let plain = found.unwrapped
        if plain.isIP4 {
            name = plain.text
        } else {
            let words = (0..<3).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
            name = words.map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
        }
        // A socket of both families writes IPv4 as mapped; what is tunnelled comes from afar.
        let zeros = [UInt8](repeating: 0, count: 15)
        let isNear = found.isIP4 || bytes.starts(with: zeros.prefix(10) + [0xFF, 0xFF])
        isThisMachine = bytes == zeros + [1] || isNear && plain.bytes[0] == 127
    }
}
