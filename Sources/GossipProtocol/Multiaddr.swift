package import Market

/// A peer's address, optionally with the expected peer: `/ip4/127.0.0.1/tcp/4001/p2p/16Uiu2…`.
///
/// It supports only the parts that Stoa dials; an address with any other part is rejected.
///
/// Source: multiformats/multiaddr, protocols.csv.
package struct Multiaddr: Hashable, Sendable {
    /// The part before the port.
    package enum Host: Hashable, Sendable {
        case ip4(IPAddress)
        case ip6(IPAddress)
        case dns(String)
        case dns4(String)
        case dns6(String)
    }

    private enum Code {
        static let ip4: UInt64 = 4
        static let tcp: UInt64 = 6
        static let ip6: UInt64 = 41
        static let dns: UInt64 = 53
        static let dns4: UInt64 = 54
        static let dns6: UInt64 = 55
        static let p2p: UInt64 = 421
    }

    private static let nameBytesMax = 253

    package let host: Host
    package let port: UInt16
    package let peer: PeerID?

    package init(host: Host, port: UInt16, peer: PeerID? = nil) {
        (self.host, self.port, self.peer) = (host, port, peer)
    }

    /// Returns the same address with `peer` expected there.
    package func expecting(_ peer: PeerID?) -> Multiaddr {
        Multiaddr(host: host, port: port, peer: peer)
    }

    /// The host as resolvers and sockets take it: an IP address or a name.
    package var hostText: String {
        switch host {
        case .ip4(let address), .ip6(let address): address.text
        case .dns(let name), .dns4(let name), .dns6(let name): name
        }
    }

    /// Reads the text form; `nil` if it is malformed or has a part that Stoa does not dial.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 5 || parts.count == 7, parts[0].isEmpty, parts[3] == "tcp",
            let host = Self.host(named: String(parts[1]), String(parts[2])),
            let port = UInt16(parts[4]), String(port) == parts[4]
        else { return nil }
        guard parts.count == 7 else {
            self.init(host: host, port: port)
            return
        }
        guard parts[5] == "p2p" || parts[5] == "ipfs", let peer = PeerIDText.peer(from: parts[6])
        else { return nil }
        self.init(host: host, port: port, peer: peer)
    }

    /// Reads the binary form, in which peers exchange addresses.
    package init?(bytes: [UInt8]) {
        var rest = bytes[...]
        guard let code = Varint.take(from: &rest), let host = Self.host(code: code, from: &rest),
            Varint.take(from: &rest) == Code.tcp, rest.count >= 2
        else { return nil }
        let port = UInt16(rest[rest.startIndex]) << 8 | UInt16(rest[rest.startIndex + 1])
        rest = rest.dropFirst(2)
        guard !rest.isEmpty else {
            self.init(host: host, port: port)
            return
        }
        guard Varint.take(from: &rest) == Code.p2p, let name = Self.lengthPrefixed(from: &rest),
            rest.isEmpty, let peer = PeerIDText.peer(multihash: name)
        else { return nil }
        self.init(host: host, port: port, peer: peer)
    }

    package var bytes: [UInt8] {
        var bytes = hostBytes
        bytes += Varint.encode(Code.tcp) + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
        if let peer {
            bytes += Varint.encode(Code.p2p) + Varint.encode(peer.multihash.count) + peer.multihash
        }
        return bytes
    }

    private var hostBytes: [UInt8] {
        func named(_ code: UInt64, _ name: String) -> [UInt8] {
            Varint.encode(code) + Varint.encode(name.utf8.count) + [UInt8](name.utf8)
        }
        return switch host {
        case .ip4(let address): Varint.encode(Code.ip4) + address.bytes
        case .ip6(let address): Varint.encode(Code.ip6) + address.bytes
        case .dns(let name): named(Code.dns, name)
        case .dns4(let name): named(Code.dns4, name)
        case .dns6(let name): named(Code.dns6, name)
        }
    }

    private static func host(named kind: String, _ value: String) -> Host? {
        switch kind {
        case "ip4": IPAddress(ip4: value).map(Host.ip4)
        case "ip6": IPAddress(ip6: value).map(Host.ip6)
        case "dns": isName(value) ? .dns(value) : nil
        case "dns4": isName(value) ? .dns4(value) : nil
        case "dns6": isName(value) ? .dns6(value) : nil
        default: nil
        }
    }

    private static func host(code: UInt64, from rest: inout ArraySlice<UInt8>) -> Host? {
        switch code {
        case Code.ip4, Code.ip6:
            let byteCount = code == Code.ip4 ? 4 : 16
            guard rest.count >= byteCount else { return nil }
            defer { rest = rest.dropFirst(byteCount) }
            let address = IPAddress(bytes: Array(rest.prefix(byteCount)))
            return code == Code.ip4 ? address.map(Host.ip4) : address.map(Host.ip6)
        case Code.dns, Code.dns4, Code.dns6:
            guard let bytes = lengthPrefixed(from: &rest),
                let name = String(validating: bytes, as: UTF8.self)
            else { return nil }
            let kind = [Code.dns: "dns", Code.dns4: "dns4", Code.dns6: "dns6"][code] ?? ""
            return host(named: kind, name)
        default: return nil
        }
    }

    private static func lengthPrefixed(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let length = Varint.take(from: &rest), length <= UInt64(rest.count) else {
            return nil
        }
        defer { rest = rest.dropFirst(Int(length)) }
        return Array(rest.prefix(Int(length)))
    }

    /// Whether a host name consists of letters, digits, dots, hyphens and underscores.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameBytesMax
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension Multiaddr: CustomStringConvertible {
    package var description: String {
        let kind =
            switch host {
            case .ip4: "ip4"
            case .ip6: "ip6"
            case .dns: "dns"
            case .dns4: "dns4"
            case .dns6: "dns6"
            }
        let place = "/\(kind)/\(hostText)/tcp/\(port)"
        return peer.map { "\(place)/p2p/\($0.text)" } ?? place
    }
}
