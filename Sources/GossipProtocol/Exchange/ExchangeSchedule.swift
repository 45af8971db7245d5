package import Market

/// Decides with which peers to exchange records now, and which must yield their slot to others.
///
/// Pure. There are few slots, and a slow peer costs this node nothing but its slot. A peer
/// therefore has a slot only for a short time slice if others wait, and resumes there when its turn
/// comes again; and a peer that keeps this node waiting for an answer has none. Among the waiting
/// peers, those that were quick or that this node dialled come first, then new ones, then those
/// that were slow; the addresses of one subnet share a turn, and the keys of one address.
///
/// Source: Docs/protocol.md, section 9.5.
package struct ExchangeSchedule: Sendable {
    package enum Event: Sendable {
        case linked(PeerID, isOutbound: Bool, group: AddressGroup?)
        case unlinked(PeerID)
        /// Ask every peer now, since a topic was joined; before the first such event, ask none.
        case wanted
        /// A peer with an exchange keeps this node waiting for an answer, or has answered after
        /// all.
        case keepsWaiting(PeerID, Bool)
        case ended(PeerID, Outcome)
        /// An exchange over an ended link was slow.
        case wasSlow(PeerID)
        /// Time has passed; sent once per heartbeat.
        case tick
    }

    package enum Directive: Equatable, Sendable {
        case begin(PeerID)
        /// Others wait for this peer's slot: stop its exchange, and answer with `ended`.
        case revoke(PeerID)
    }

    /// How an exchange ended.
    package struct Outcome: Hashable, Sendable {
        /// Whether the exchange should resume immediately.
        package let isPaused: Bool
        /// Whether the peer kept this node waiting and sent little.
        package let isSlow: Bool

        package init(isPaused: Bool, isSlow: Bool) {
            (self.isPaused, self.isSlow) = (isPaused, isSlow)
        }
    }

    private struct Peer {
        var isOutbound: Bool
        var group: AddressGroup?
        var dueAt: Moment
        /// When its exchange began; `nil` if none is running.
        var runningSince: Moment?
        var isRevoked = false
        /// Whether it keeps this node waiting for an answer.
        var keepsWaiting = false
        /// Whether to ask it again as soon as its exchange ends.
        var isWantedAgain = false
        /// Whether it was quick before.
        var isProven = false
        /// Exchanges in a row in which it was slow.
        var slowCount = 0

        /// Whether it yielded its slot; it then resumes behind all peers that waited longer.
        var isPaused = false

        /// Peers with rank 0 come first.
        var rank: Int { slowCount > 0 ? 2 : (isProven || isOutbound) && !isPaused ? 0 : 1 }
    }

    /// Fewer slow peers than this say nothing about this node.
    private static let slowCrowdMin = 4

    private let limits: ExchangeLimits
    private let interval: Duration
    private var random: SplitMix
    /// Whether there are topics to exchange.
    private var isWanted = false
    private var peers: [PeerID: Peer] = [:]
    /// Of peers without a link, so that they gain nothing by reconnecting.
    private var slowCounts: [PeerID: Int] = [:]

    /// `interval` is the time from one exchange with a peer to the next, plus or minus a quarter.
    package init(limits: ExchangeLimits, interval: Duration, seed: UInt64) {
        (self.limits, self.interval) = (limits, interval)
        random = SplitMix(seed: seed)
    }

    package mutating func handle(_ event: Event, at now: Moment) -> [Directive] {
        switch event {
        case .linked(let peer, let isOutbound, let group):
            var state = peers[peer] ?? Peer(isOutbound: isOutbound, dueAt: now)
            (state.isOutbound, state.group) = (isOutbound, group)
            if let count = slowCounts.removeValue(forKey: peer) {
                state.slowCount = count
                state.dueAt = now + rest(after: count)
            }
            peers[peer] = state
        case .unlinked(let peer):
            guard let state = peers.removeValue(forKey: peer) else { return [] }
            if state.slowCount > 0 { remember(peer, state.slowCount) }
        case .wanted:
            isWanted = true
            for (peer, state) in peers {
                peers[peer]?.dueAt = now
                peers[peer]?.isWantedAgain = state.runningSince != nil
            }
        case .keepsWaiting(let peer, let isSo): peers[peer]?.keepsWaiting = isSo
        case .ended(let peer, let outcome): end(peer, outcome, at: now)
        case .wasSlow(let peer):
            if peers[peer] == nil {
                remember(peer, (slowCounts[peer] ?? 0) + 1)
            } else {
                holdBack(peer, at: now)
            }
        case .tick: break
        }
        return fill(at: now)
    }

    /// The peers with which an exchange is running.
    package var running: [PeerID] {
        peers.filter { $0.value.runningSince != nil }.keys.sorted()
    }

    private mutating func end(_ peer: PeerID, _ outcome: Outcome, at now: Moment) {
        guard var state = peers[peer], state.runningSince != nil else { return }
        state.runningSince = nil
        (state.isRevoked, state.keepsWaiting) = (false, false)
        state.isPaused = outcome.isPaused
        if !outcome.isSlow {
            state.slowCount = 0
            state.isProven = true
            let percent = Int(75 + random.next() % 51)
            let isDue = outcome.isPaused || state.isWantedAgain
            state.dueAt = isDue ? now : now + interval * percent / 100
        }
        state.isWantedAgain = false
        peers[peer] = state
        if outcome.isSlow { holdBack(peer, at: now) }
    }

    /// Postpones the next exchange with a slow peer, longer each time.
    private mutating func holdBack(_ peer: PeerID, at now: Moment) {
        guard var state = peers[peer] else { return }
        state.slowCount += 1
        state.dueAt = now + rest(after: state.slowCount)
        peers[peer] = state
    }

    /// Returns how long a slow peer is not asked.
    private func rest(after slowCount: Int) -> Duration {
        let restMax = areMostSlow ? limits.slowRetryCrowdMax : limits.slowRetryMax
        return min(limits.slowRetryMin * (1 << min(slowCount - 1, 12)), restMax)
    }

    /// Whether this node itself may be slow, since most of its peers were slow when last asked.
    ///
    /// The addresses of one subnet count once.
    private var areMostSlow: Bool {
        func count(_ some: [Peer]) -> Int {
            Set(some.compactMap(\.group?.wholeSubnet)).count + some.count { $0.group == nil }
        }
        let slow = count(peers.values.filter { $0.slowCount > 0 })
        return slow >= Self.slowCrowdMin
            && slow > count(peers.values.filter { $0.slowCount == 0 && $0.isProven })
    }

    private mutating func remember(_ peer: PeerID, _ count: Int) {
        if slowCounts[peer] == nil, slowCounts.count >= limits.slowPeersMax,
            let least = slowCounts.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            slowCounts[least.key] = nil
        }
        slowCounts[peer] = count
    }

    /// Gives free slots to the next peers, and revokes some if others wait.
    private mutating func fill(at now: Moment) -> [Directive] {
        guard isWanted else { return [] }
        var directives: [Directive] = []
        while let next = next(at: now) {
            peers[next]?.runningSince = now
            directives.append(.begin(next))
        }
        let waiting = peers.values.filter { $0.runningSince == nil && $0.dueAt <= now }.count
        let leaving = peers.values.filter(\.isRevoked).count
        guard waiting > leaving else { return directives }
        let over = peers.filter { isOver($0.value, at: now) }.sorted { left, right in
            let one = (-left.value.rank, left.value.runningSince ?? now, left.key)
            return one < (-right.value.rank, right.value.runningSince ?? now, right.key)
        }
        for (peer, _) in over.prefix(waiting - leaving) {
            peers[peer]?.isRevoked = true
            directives.append(.revoke(peer))
        }
        return directives
    }

    /// Whether a peer's time slice is used up.
    private func isOver(_ peer: Peer, at now: Moment) -> Bool {
        guard let since = peer.runningSince, !peer.isRevoked else { return false }
        let isQuick = peer.isProven && peer.slowCount == 0
        return since + (isQuick ? limits.slice : limits.firstSlice) <= now
    }

    /// Returns the peer that begins next; `nil` if none waits, or none of them may have a slot.
    private func next(at now: Moment) -> PeerID? {
        let running = peers.values.filter { $0.runningSince != nil }
        // Only a limited number of the peers that keep this node waiting may continue without a
        // slot.
        let placeless = running.filter(\.keepsWaiting)
        let excess = max(0, placeless.count - limits.placelessMax)
        let held = running.filter { !$0.keepsWaiting }
        guard held.count + excess < limits.placesMax else { return nil }
        let isOpen =
            held.count { $0.rank > 0 } + excess < limits.placesMax - limits.placesReserve
        let groups = running.compactMap(\.group)
        let shares = Dictionary(grouping: groups) { $0 }.mapValues(\.count)
        let ofSubnets = Dictionary(grouping: groups, by: \.wholeSubnet).mapValues(\.count)
        return peers.filter { _, peer in
            peer.runningSince == nil && peer.dueAt <= now && (isOpen || peer.rank == 0)
        }.min { left, right in
            func order(_ peer: Peer) -> (Int, Int, Int, Moment) {
                let ofSubnet = peer.group.flatMap { ofSubnets[$0.wholeSubnet] } ?? 0
                let ofGroup = peer.group.flatMap { shares[$0] } ?? 0
                return (peer.rank, ofSubnet, ofGroup, peer.dueAt)
            }
            let (one, other) = (order(left.value), order(right.value))
            return one != other ? one < other : left.key < right.key
        }?.key
    }
}
