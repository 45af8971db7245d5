/// The addresses that one customer of a network provider is sure to have: an IPv4 address, or a
/// /64 of IPv6.
///
/// What strangers may cost is counted by it as well as by their keys, which cost nothing to make.
/// An IPv6 address that stands for an IPv4 one counts as that.
package struct AddressGroup: Hashable, Comparable, Sendable {
    private let bytes: [UInt8]
    let isOfThisMachine: Bool

    package init(_ address: IPAddress) {
        let address = address.unwrapped
        bytes = address.isIP4 ? address.bytes : Array(address.bytes.prefix(8))
        isOfThisMachine = address.reach == .machine
    }

    /// The group of whoever is at `address`; `nil` for a name, and for this machine, where a whole
    /// market may run and peers are told apart by their keys alone.
    package init?(of address: Multiaddr) {
        guard let ipAddress = address.ipAddress else { return nil }
        self.init(ipAddress)
        if isOfThisMachine { return nil }
    }

    /// What one owner is likely to hold: /24 of IPv4, /48 of IPv6.
    var subnet: [UInt8] { Array(bytes.prefix(bytes.count == 4 ? 3 : 6)) }

    func isNear(_ other: AddressGroup) -> Bool {
        bytes.count == other.bytes.count
            && bytes.prefix(bytes.count == 4 ? 3 : 6)
                == other.bytes.prefix(bytes.count == 4 ? 3 : 6)
    }

    package static func < (left: AddressGroup, right: AddressGroup) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension AddressGroup: CustomStringConvertible {
    package var description: String {
        guard bytes.count == 8 else { return IPAddress(bytes: bytes)?.text ?? "" }
        return (IPAddress(bytes: bytes + Array(repeating: 0, count: 8))?.text ?? "") + "/64"
    }
}
