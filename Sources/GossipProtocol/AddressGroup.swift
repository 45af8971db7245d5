/// The addresses that one customer of a network provider usually has: one IPv4, or a /64 of IPv6.
///
/// Costs that other peers cause are counted by group as well as by peer, since keys cost nothing to
/// make. An IPv6 address that represents an IPv4 address counts as that. Only loopback addresses
/// themselves, and their form mapped into IPv6, belong to this machine.
package struct AddressGroup: Hashable, Comparable, Sendable {
    /// The IPv4 address, or the first half of the IPv6 one.
    package let bytes: [UInt8]
    let isOfThisMachine: Bool

    package init(_ address: IPAddress) {
        isOfThisMachine = address.isLoopback
        let inner = address.unwrapped
        if inner.isLoopback, !isOfThisMachine {
            bytes = Self.falseLoopback
        } else {
            bytes = inner.isIP4 ? inner.bytes : Array(inner.bytes.prefix(8))
        }
    }

    /// The group of all addresses that merely represent loopback, written as 6to4 does.
    ///
    /// A peer with such an address is not a process on this machine.
    private static let falseLoopback: [UInt8] = [0x20, 0x02, 127, 0, 0, 1, 0, 0]

    /// The group of `address`; `nil` for a name, and for this machine.
    ///
    /// A whole market may run on this machine, where only their keys distinguish peers.
    package init?(of address: Multiaddr) {
        guard let ipAddress = address.ipAddress else { return nil }
        self.init(ipAddress)
        if isOfThisMachine { return nil }
    }

    /// The group from which ``bytes`` were made; `nil` if they represent none.
    ///
    /// This machine has no such group.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 8 else { return nil }
        (self.bytes, isOfThisMachine) = (bytes, false)
    }

    package var isIP4: Bool { bytes.count == 4 }

    /// Addresses that one owner is likely to hold: /24 of IPv4, /48 of IPv6.
    package var subnet: [UInt8] { Array(subnetBytes) }
    private var subnetBytes: ArraySlice<UInt8> { bytes.prefix(isIP4 ? 3 : 6) }

    /// The group that represents the whole subnet.
    package var wholeSubnet: AddressGroup {
        let rest = [UInt8](repeating: 0, count: bytes.count - subnetBytes.count)
        return AddressGroup(bytes: subnet + rest) ?? self
    }

    func isNear(_ other: AddressGroup) -> Bool {
        isIP4 == other.isIP4 && subnetBytes == other.subnetBytes
    }

    package static func < (left: AddressGroup, right: AddressGroup) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension AddressGroup: CustomStringConvertible {
    package var description: String {
        if isIP4 { return IPAddress(bytes: bytes)?.text ?? "" }
        return (IPAddress(bytes: bytes + Array(repeating: 0, count: 8))?.text ?? "") + "/64"
    }
}
