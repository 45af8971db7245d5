package import Keys
package import Market

/// A key of a table whose keys are counted by subnet first: /24 of IPv4, /48 of IPv6.
///
/// A customer of a network provider may have as many IPv6 /64 networks as a table has rows.
package protocol SubnetKey: Hashable, Comparable, Sendable {
    /// The key that represents the whole subnet; the key itself if it is in none, or is such a key.
    var wholeSubnet: Self { get }
}

extension SubnetKey {
    package var wholeSubnet: Self { self }
}

extension AddressGroup: SubnetKey {}
extension RecordOrigin: SubnetKey {}
extension Address: SubnetKey {}
