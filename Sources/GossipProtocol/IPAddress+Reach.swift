/// How public an address is: from how far away it can be reached.
package enum Reach: Int, Comparable, Sendable {
    /// This machine only; also addresses that no peer can have, such as multicast.
    case machine
    /// A private network.
    case network
    case world

    package static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
}

extension Multiaddr {
    /// The IP address; `nil` for a name, unless the name is four numbers that write an address.
    package var ipAddress: IPAddress? {
        switch host {
        case .ip4(let address), .ip6(let address): address
        case .dns(let name), .dns4(let name), .dns6(let name): IPAddress(ip4: name)
        }
    }

    /// The reach of the IP address; a name counts as public until resolved, see ``PeerBook``.
    package var reach: Reach { ipAddress?.reach ?? .world }
}

extension IPAddress {
    /// The least public network at which a packet to this address can end.
    ///
    /// An IPv6 address that translators or tunnels turn into an IPv4 address is at most as public
    /// as that.
    ///
    /// Source: RFC 1112, RFC 1918, RFC 2544, RFC 3879, RFC 3927, RFC 4193, RFC 4291 sections 2.5
    /// and 2.7, RFC 6598, RFC 8215.
    package var reach: Reach {
        if isIP4 {
            return switch (bytes[0], bytes[1]) {
            case (127, _), (0, _), (224..., _): .machine
            case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127),
                (198, 18...19):
                .network
            default: .world
            }
        }
        if bytes[..<15].allSatisfy({ $0 == 0 }), bytes[15] <= 1 { return .machine }
        if bytes[0] == 0xFF { return .machine }
        let isPrivate = bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80)
        let isLocalNAT64 = bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01])
        if isPrivate || isLocalNAT64 { return .network }
        return embedded.map(\.reach).min() ?? .world
    }

    /// Whether it is 127.0.0.0/8, `::1`, or the former mapped into IPv6.
    ///
    /// This does not hold for an address that only a tunnel or translator would turn into one of
    /// these.
    package var isLoopback: Bool {
        if isIP4 { return bytes[0] == 127 }
        let zeros = [UInt8](repeating: 0, count: 10)
        if bytes.starts(with: zeros + [0xFF, 0xFF, 127]) { return true }
        return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// The least public addresses about which a peer at this address is believed.
    ///
    /// An address that tunnels or translators turn into another can be used from anywhere.
    var standing: Reach {
        let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        if !embedded.isEmpty, !isMapped, !isLoopback { return .world }
        return reach == .machine && !isLoopback ? .world : reach
    }

    /// The IPv4 addresses inside an IPv6 address, the customer's own last.
    ///
    /// Source: RFC 2765 and RFC 4291 section 2.5.5 (mapped, compatible, translated), RFC 6052
    /// (NAT64), RFC 3056 (6to4), RFC 4380 section 4 (Teredo: the server's, and the client's with
    /// its bits inverted).
    var embedded: [IPAddress] {
        guard !isIP4 else { return [] }
        func ip4(_ start: Int, mask: UInt8 = 0) -> IPAddress? {
            IPAddress(bytes: bytes[start..<start + 4].map { $0 ^ mask })
        }
        let zeros = [UInt8](repeating: 0, count: 12)
        let front = Array(bytes[..<12])
        let isWrapped =
            front == zeros || front == zeros.dropLast(2) + [0xFF, 0xFF]
            || front == zeros.dropLast(4) + [0xFF, 0xFF, 0, 0]
            || front == [0x00, 0x64, 0xFF, 0x9B] + zeros.dropLast(4)
        if isWrapped { return [ip4(12)].compactMap { $0 } }
        if bytes.starts(with: [0x20, 0x02]) { return [ip4(2)].compactMap { $0 } }
        if bytes.starts(with: [0x20, 0x01, 0, 0]) {
            return [ip4(4), ip4(12, mask: 0xFF)].compactMap { $0 }
        }
        return []
    }

    /// The IPv4 address that this address represents, or itself.
    package var unwrapped: IPAddress { embedded.last ?? self }
}
