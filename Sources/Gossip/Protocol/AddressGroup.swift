/// The addresses that one customer of a network provider is sure to have: an IPv4 address, or a
/// /64 of IPv6.
///
/// What strangers may cost is counted by it as well as by their keys, which cost nothing to make.
/// An IPv6 address that stands for an IPv4 one counts as that; only loopback addresses themselves,
/// and those that a socket wraps in IPv6, are of this machine.
package struct AddressGroup: Hashable, Comparable, Sendable {
    /// The IPv4 address, or the first half of the IPv6 one.
    let bytes: [UInt8]
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

    /// Whoever comes by an address that stands for loopback is no process of this machine, but one
    /// stranger: 6to4's form of it, for all of them.
    private static let falseLoopback: [UInt8] = [0x20, 0x02, 127, 0, 0, 1, 0, 0]

    /// The group of whoever is at `address`; `nil` for a name, and for this machine, where a whole
    /// market may run and peers are told apart by their keys alone.
    package init?(of address: Multiaddr) {
        guard let ipAddress = address.ipAddress else { return nil }
        self.init(ipAddress)
        if isOfThisMachine { return nil }
    }

    var isIP4: Bool { bytes.count == 4 }

    /// What one owner is likely to hold: /24 of IPv4, /48 of IPv6.
    var subnet: [UInt8] { Array(subnetBytes) }
    private var subnetBytes: ArraySlice<UInt8> { bytes.prefix(isIP4 ? 3 : 6) }

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
