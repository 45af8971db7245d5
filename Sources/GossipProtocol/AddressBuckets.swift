/// Token buckets of addresses, and of the subnets that they are in.
///
/// An address gets nothing once its subnet has used up the rate of a few addresses, so its owner
/// gains nothing by changing addresses.
///
/// Pure: the caller passes in the time.
package struct AddressBuckets: Sendable {
    package typealias Rate = TokenBuckets<AddressGroup>.Rate

    private var addresses: TokenBuckets<AddressGroup>
    private var subnets: TokenBuckets<AddressGroup>

    /// Creates the buckets.
    ///
    /// - Parameters:
    ///   - rate: The rate of one address.
    ///   - subnetRates: The rate of a subnet, as a multiple of that.
    ///   - countMax: The addresses that are remembered, and likewise the subnets.
    package init(_ rate: Rate, subnetRates: Int = 4, countMax: Int) {
        addresses = TokenBuckets(rate, countMax: countMax)
        subnets = TokenBuckets(rate.times(subnetRates), countMax: countMax)
    }

    /// Returns how much an address may take now.
    package func level(of group: AddressGroup, at now: Moment) -> Double {
        min(addresses.level(of: group, at: now), subnets.level(of: group.wholeSubnet, at: now))
    }

    /// Takes `amount`; returns `false` and takes nothing if the address or its subnet holds less.
    package mutating func take(_ amount: Double = 1, of group: AddressGroup, at now: Moment) -> Bool
    {
        guard level(of: group, at: now) >= amount else { return false }
        drain(amount, of: group, at: now)
        return true
    }

    /// Takes `amount`, or all that is left, for a cost that has already arisen.
    package mutating func drain(_ amount: Double, of group: AddressGroup, at now: Moment) {
        addresses.drain(amount, of: group, at: now)
        subnets.drain(amount, of: group.wholeSubnet, at: now)
    }
}
