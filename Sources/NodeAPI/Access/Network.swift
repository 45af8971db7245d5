import Foundation
import GossipProtocol
import NIOCore

/// An IPv4 address, or the 48 bits of an IPv6 address that one customer usually gets.
struct Network: Hashable, Sendable {
    let name: String
    let isThisMachine: Bool

    /// Reads an address, with or without a port; returns `nil` for anything else.
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
        // A socket of both families writes IPv4 as mapped; a tunnelled address is not this
        // machine's.
        let zeros = [UInt8](repeating: 0, count: 15)
        let isNear = found.isIP4 || bytes.starts(with: zeros.prefix(10) + [0xFF, 0xFF])
        isThisMachine = bytes == zeros + [1] || isNear && plain.bytes[0] == 127
    }
}
