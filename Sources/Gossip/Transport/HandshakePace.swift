/// Rate limits for handshakes begun by other hosts: a handshake costs this node more than them.
///
/// Pure: the caller passes in the time.
///
/// Source: Docs/protocol.md, section 7.5.
struct HandshakePace: Sendable {
    private static let countMax = 4_096
    /// The rate of a subnet, as a multiple of the rate of one address.
    private static let addressesOfSubnet = 2

    private var addresses: TokenBuckets<AddressGroup>
    private var subnets: TokenBuckets<[UInt8]>

    init(limits: LinkLimits) {
        let (burst, rate) = (
            limits.handshakesOfOneAddressBurst, limits.handshakesOfOneAddressPerSecond
        )
        let interval = Duration.seconds(1) / rate
        addresses = TokenBuckets(.init(burst: burst, every: interval), countMax: Self.countMax)
        subnets = TokenBuckets(
            .init(burst: burst * Self.addressesOfSubnet, every: interval / Self.addressesOfSubnet),
            countMax: Self.countMax
        )
    }

    /// Takes one handshake from the allowance of an address and its subnet; `false` if either is
    /// used up.
    mutating func admits(_ group: AddressGroup, at now: Moment) -> Bool {
        if group.isOfThisMachine { return true }
        guard subnets.level(of: group.subnet, at: now) >= 1, addresses.take(of: group, at: now)
        else { return false }
        return subnets.take(of: group.subnet, at: now)
    }
}
