/// Rate limits for handshakes begun by other hosts: a handshake costs this node more than them.
///
/// Pure: the caller passes in the time.
///
/// Source: Docs/protocol.md, section 7.5.
package struct HandshakePace: Sendable {
    private static let countMax = 4_096
    /// The rate of a subnet, as a multiple of the rate of one address.
    private static let addressesOfSubnet = 2

    private var buckets: AddressBuckets

    package init(limits: LinkLimits) {
        let rate = AddressBuckets.Rate(
            burst: limits.handshakesOfOneAddressBurst,
            every: .seconds(1) / limits.handshakesOfOneAddressPerSecond
        )
        buckets = AddressBuckets(rate, subnetRates: Self.addressesOfSubnet, countMax: Self.countMax)
    }

    /// Takes one handshake from the allowance of an address and its subnet; `false` if either is
    /// used up.
    package mutating func admits(_ group: AddressGroup, at now: Moment) -> Bool {
        group.isOfThisMachine || buckets.take(of: group, at: now)
    }
}
