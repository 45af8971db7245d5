import Market

/// Divides one rate of bytes fairly between subnets, and the share of a subnet between its
/// addresses.
///
/// Each subnet has an allowance that it may use at once, twice as much as one of its addresses.
/// Used bytes are regained: the rate is divided equally between all subnets whose allowance is not
/// whole, at most `shareBytesPerSecond` each, and the part of a subnet is divided equally between
/// its addresses. An address may have used at most as much as its subnet has left, so some is
/// always left for it, however much its neighbours use. A key that is in no subnet has the
/// allowance of one address.
///
/// A new subnet has only a first part of the allowance, because new subnets are cheap. Newcomers
/// use bytes from a pool, and their first part shrinks with the pool, so later newcomers find
/// something too. They get back only what the known subnets leave of the rate, so newcomers,
/// however many, take nothing from known ones. A subnet is known once it has got back a whole
/// allowance besides what it used. If a newcomer uses nothing more, its earlier use is forgotten
/// within minutes even if nothing comes back.
///
/// The table holds only keys that have used something. If it is full, newcomers are forgotten
/// before the others, and in each group first those that have used least. If too many addresses are
/// remembered, those of the subnet with most of them are forgotten, but the use of the subnet is
/// not.
///
/// Pure: the caller passes in the time. One call takes time logarithmic in the number of keys,
/// except for one that makes room.
///
/// Source: Parekh and Gallager, "A Generalized Processor Sharing Approach", 1993; Choudhury and
/// Hahne, "Dynamic Queue Length Thresholds", 1998; Docs/protocol.md, section 4.11.
package struct FairBudget<Key: SubnetKey>: Sendable {
    private struct Subnet {
        /// Whether it has regained a whole allowance.
        var isKnown: Bool
        /// The bytes that it had used and not got back, at `at`.
        var used = 0.0
        /// The bytes that its class owed it then; for a newcomer, including the allowance that
        /// makes it known.
        var owed = 0.0
        var at: Moment
        /// The bytes that its addresses have used; empty for a key that is in no subnet.
        var addresses = FairShares<Key>()
    }

    private let limits: FairBudgetLimits
    private var subnets: [Key: Subnet] = [:]
    private var known = FairShares<Key>()
    private var fresh = FairShares<Key>()
    /// Bytes that newcomers may still use.
    private var pool: Double
    private var addressCount = 0
    private var at = Moment.start

    package init(limits: FairBudgetLimits) {
        limits.check()
        self.limits = limits
        pool = Double(limits.newcomersBytes)
    }

    /// The number of subnets that are remembered.
    package var subnetCount: Int { subnets.count }

    /// Takes bytes from the allowance of a key and its subnet; `false`, and nothing is taken, if
    /// either has too few.
    package mutating func admit(_ byteCount: Int, of key: Key, at now: Moment) -> Bool {
        guard hasRoom(for: byteCount, of: key, at: now) else { return false }
        use(Double(byteCount), by: key)
        return true
    }

    /// Whether ``admit(_:of:at:)`` would succeed.
    package mutating func hasRoom(for byteCount: Int, of key: Key, at now: Moment) -> Bool {
        advance(to: now)
        refresh(key.wholeSubnet)
        return Double(byteCount) <= room(of: key)
    }

    /// Returns the bytes that a key may use now.
    private func room(of key: Key) -> Double {
        let subnet = subnets[key.wholeSubnet]
        var allowance = Double(limits.allowanceBytes)
        var pooled = Double.infinity
        if !(subnet?.isKnown ?? limits.areNewcomersKnown) {
            let fill = min(1, 2 * pool / Double(limits.newcomersBytes))
            (allowance, pooled) = (Double(limits.firstBytes) * fill, pool)
        }
        let used = subnet?.used ?? 0
        guard key.wholeSubnet != key else { return min(allowance - used, pooled) }
        let ofSubnet = allowance * Double(limits.addressesOfSubnet) - used
        let ofKey = subnet?.addresses.used(by: key) ?? 0
        return min(allowance - ofKey, ofSubnet - ofKey, pooled)
    }

    private mutating func use(_ bytes: Double, by key: Key) {
        let name = key.wholeSubnet
        if subnets[name] == nil { begin(name) }
        guard var subnet = subnets[name] else { return }
        if subnet.isKnown {
            known.use(bytes, by: name)
        } else {
            fresh.use(bytes, by: name)
            pool = max(0, pool - bytes)
        }
        subnet.used += bytes
        subnet.owed += bytes
        if name != key {
            addressCount -= subnet.addresses.count
            subnet.addresses.use(bytes, by: key)
            addressCount += subnet.addresses.count
        }
        subnets[name] = subnet
        if addressCount > limits.keysMax * limits.addressesOfSubnet { forgetAddresses() }
    }

    private mutating func begin(_ name: Key) {
        if subnets.count >= limits.keysMax { forgetIdle() }
        var subnet = Subnet(isKnown: limits.areNewcomersKnown, at: at)
        if !subnet.isKnown {
            subnet.owed = Double(limits.allowanceBytes)
            fresh.use(subnet.owed, by: name)
        }
        subnets[name] = subnet
    }

    /// Regains bytes for the time that has passed.
    private mutating func advance(to now: Moment) {
        let seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        guard seconds > 0 else { return }
        at = now
        let shareMax = seconds * Double(limits.shareBytesPerSecond)
        let rest = known.giveBack(seconds * Double(limits.bytesPerSecond), shareMax: shareMax)
        let unused = fresh.giveBack(rest.left, shareMax: shareMax)
        let growth = seconds * Double(limits.newcomersBytesPerSecond) + rest.left - unused.left
        pool = min(Double(limits.newcomersBytes), pool + growth)
        for name in rest.whole + unused.whole {
            addressCount -= subnets[name]?.addresses.count ?? 0
            if subnets[name] != nil { subnets[name] = Subnet(isKnown: true, at: now) }
        }
    }

    /// Updates the use of a subnet and its addresses to the present time.
    private mutating func refresh(_ name: Key) {
        guard var subnet = subnets[name], subnet.used > 0 else { return }
        let (used, owed) = current(subnet, name)
        addressCount -= subnet.addresses.count
        _ = subnet.addresses.giveBack(subnet.used - used)
        addressCount += subnet.addresses.count
        (subnet.used, subnet.owed, subnet.at) = (used, owed, at)
        subnets[name] = subnet
    }

    private func current(_ subnet: Subnet, _ name: Key) -> (used: Double, owed: Double) {
        let owed = (subnet.isKnown ? known : fresh).used(by: name)
        let left = max(0, subnet.used - max(0, subnet.owed - owed))
        guard !subnet.isKnown else { return (left, owed) }
        let seconds = (at.sinceStart - subnet.at.sinceStart) / Duration.seconds(1)
        let remembered = subnet.used * max(0, 1 - seconds / limits.newcomersMemory)
        return (remembered < 1 ? 0 : min(left, remembered), owed)
    }

    /// Forgets half of the subnets: newcomers first, then those that have used least.
    private mutating func forgetIdle() {
        let order = subnets.map { name, subnet in
            (isKnown: subnet.isKnown ? 1 : 0, used: current(subnet, name).used, name: name)
        }.sorted { ($0.isKnown, $0.used, $0.name) < ($1.isKnown, $1.used, $1.name) }
        let names = order.prefix((order.count + 1) / 2).map(\.name)
        for name in names {
            addressCount -= subnets[name]?.addresses.count ?? 0
            subnets[name] = nil
        }
        fresh.forget(names)
        known.forget(names)
    }

    /// Forgets the addresses of the subnet that has most.
    private mutating func forgetAddresses() {
        let most = subnets.max {
            ($0.value.addresses.count, $0.key) < ($1.value.addresses.count, $1.key)
        }
        guard let most else { return }
        addressCount -= most.value.addresses.count
        subnets[most.key]?.addresses = FairShares()
    }
}
