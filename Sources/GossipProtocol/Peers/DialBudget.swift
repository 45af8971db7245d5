import Market

/// The source of an address that a peer reported; a subnet is one source, because keys are free and
/// addresses are cheap.
enum DialSource: Hashable, Sendable {
    case group(AddressGroup)
    /// A peer on this machine, or a peer from the book of an earlier run.
    case peer(PeerID)
    /// Leases that name homes; a mail sender can make as many of them as it likes.
    case leases

    /// The group that shares a turn: the address, or `nil` for all sources without one.
    var turn: AddressGroup? { if case .group(let group) = self { group } else { nil } }
}

/// Limits how often this node dials: in all, per address and subnet, and per source of addresses.
///
/// A peer must not be able to make this node connect to a third party by reporting its address.
/// Addresses of this machine are accepted only from this machine, and count only in the total.
///
/// Source: Docs/operations.md, section 7.2.
struct DialBudget: Sendable {
    private let limits: PeerBookLimits
    private var all: TokenBuckets<Int>
    private var groups: TokenBuckets<AddressGroup>
    private var subnets: TokenBuckets<[UInt8]>
    private var sources: TokenBuckets<DialSource>
    /// When an address reported by a source was last dialled; sources without an address count as
    /// one.
    private var turns: [AddressGroup?: Moment] = [:]
    /// Addresses that have not answered, with the time when they may be tried again.
    private var failed: [Multiaddr: Moment] = [:]

    init(limits: PeerBookLimits) {
        self.limits = limits
        all = TokenBuckets(.init(burst: limits.dialsBurst, every: limits.dialInterval), countMax: 1)
        groups = TokenBuckets(
            .init(burst: limits.dialsPerAddressBurst, every: limits.addressDialInterval),
            countMax: limits.metersMax
        )
        subnets = TokenBuckets(
            .init(burst: limits.dialsPerSubnetBurst, every: limits.subnetDialInterval),
            countMax: limits.metersMax
        )
        sources = TokenBuckets(
            .init(burst: limits.dialsPerSourceBurst, every: limits.sourceDialInterval),
            countMax: limits.metersMax
        )
    }

    func isSpent(at now: Moment) -> Bool { all.level(of: 0, at: now) < 1 }

    /// Counts a dial of this node's own configuration, which is never refused.
    mutating func takeOwn(at now: Moment) { all.drain(1, of: 0, at: now) }

    /// Takes a dial of an address that has answered before.
    mutating func takeKnown(at now: Moment) -> Bool { all.take(of: 0, at: now) }

    /// Takes a dial of a reported address, or the look-up of a reported name; `false` if it must
    /// wait.
    mutating func take(
        _ address: Multiaddr,
        by source: DialSource,
        at now: Moment
    ) -> Bool {
        guard !isSpent(at: now) else { return false }
        if address.reach == .machine { return all.take(of: 0, at: now) }
        guard sources.level(of: source, at: now) >= 1, takeTarget(address, at: now) else {
            return false
        }
        noteTurn(of: source.turn, at: now)
        return sources.take(of: source, at: now) && all.take(of: 0, at: now)
    }

    /// Takes a dial of an address that a name resolved to; the look-up was counted before.
    mutating func takeTarget(_ address: Multiaddr, at now: Moment) -> Bool {
        guard address.reach != .machine else { return true }
        if let until = failed[address.expecting(nil)], until > now { return false }
        if let group = AddressGroup(of: address) {
            guard groups.level(of: group, at: now) >= 1,
                subnets.level(of: group.subnet, at: now) >= 1,
                groups.take(of: group, at: now), subnets.take(of: group.subnet, at: now)
            else { return false }
        }
        // Until it answers, so that it is not dialled under another peer id at the same time.
        fail(address, at: now)
        return true
    }

    /// Blocks an address for a while, for every source and peer id.
    mutating func fail(_ address: Multiaddr, at now: Moment) {
        guard address.reach != .machine else { return }
        let address = address.expecting(nil)
        if failed[address] == nil, failed.count >= limits.metersMax {
            let soonest = failed.min {
                ($0.value, $0.key.description) < ($1.value, $1.key.description)
            }
            if let soonest { failed[soonest.key] = nil }
        }
        failed[address] = now + limits.reportedRetryMin
    }

    mutating func succeed(_ address: Multiaddr) { failed[address.expecting(nil)] = nil }

    mutating func expire(at now: Moment) {
        failed = failed.filter { $0.value > now }
        turns = turns.filter { $0.value + limits.turnsLife > now }
    }

    /// When an address reported by `source` was last dialled; `nil` if that is long ago.
    func lastTurn(of source: AddressGroup?) -> Moment? { turns[source] }

    private mutating func noteTurn(of source: AddressGroup?, at now: Moment) {
        if turns[source] == nil, turns.count >= limits.metersMax,
            let oldest = turns.min(by: { $0.value < $1.value })
        {
            turns[oldest.key] = nil
        }
        turns[source] = now
    }
}
