package import Market

/// Decides with which peers to exchange records now, and which must yield their place to others.
///
/// Pure. There are few places, and a peer costs this node nothing but its place while it is slow to
/// answer; so a peer holds one for a short slice of time if others wait, and goes on from there when
/// its turn comes again. Of those that wait, peers that have been quick or that this node dialled
/// come first, then new ones, then those that have been slow; keys of one address share a turn.
///
/// Source: Docs/protocol.md, section 9.5.
package struct ExchangeSchedule: Sendable {
    package enum Event: Sendable {
        case linked(PeerID, isOutbound: Bool, group: AddressGroup?)
        case unlinked(PeerID)
        /// Every peer is to be asked now, since there is another topic; before that, none is.
        case wanted
        case ended(PeerID, Outcome)
        /// An exchange over a link that is gone was slow.
        case wasSlow(PeerID)
        /// Time has passed; once a heartbeat.
        case tick
    }

    package enum Directive: Equatable, Sendable {
        case begin(PeerID)
        /// Others wait for the place of this peer: stop where it stands, and answer with `ended`.
        case revoke(PeerID)
    }

    /// How an exchange ended.
    package struct Outcome: Hashable, Sendable {
        /// Whether there is more to fetch at once.
        package let isPaused: Bool
        /// Whether the peer made this node wait, for little.
        package let isSlow: Bool

        package init(isPaused: Bool, isSlow: Bool) {
            (self.isPaused, self.isSlow) = (isPaused, isSlow)
        }
    }

    private struct Peer {
        var isOutbound: Bool
        var group: AddressGroup?
        var dueAt: Moment
        /// When its exchange began; `nil` while none is running.
        var runningSince: Moment?
        var isRevoked = false
        /// Whether it is to be asked again at once when it ends.
        var isWantedAgain = false
        /// Whether it was quick before.
        var isProven = false
        /// Exchanges in a row in which it was slow.
        var slowCount = 0

        /// Whether it yielded its place, and goes on behind all who waited longer.
        var isPaused = false

        /// 0 for those that come first.
        var rank: Int { slowCount > 0 ? 2 : (isProven || isOutbound) && !isPaused ? 0 : 1 }
    }

    /// Fewer slow peers than this say nothing of this node.
    private static let slowCrowdMin = 4

    private let limits: ExchangeLimits
    private let interval: Duration
    private var random: SplitMix
    /// Whether there is anything to ask for.
    private var isWanted = false
    private var peers: [PeerID: Peer] = [:]
    /// Of peers that are gone, so that they gain nothing by coming back.
    private var slowCounts: [PeerID: Int] = [:]

    /// `interval` is from one exchange with a peer to the next, plus or minus a quarter.
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

    /// Peers with which an exchange is running.
    package var running: [PeerID] {
        peers.filter { $0.value.runningSince != nil }.keys.sorted()
    }

    private mutating func end(_ peer: PeerID, _ outcome: Outcome, at now: Moment) {
        guard var state = peers[peer], state.runningSince != nil else { return }
        state.runningSince = nil
        state.isRevoked = false
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

    /// Leaves a peer alone that was slow, longer each time.
    private mutating func holdBack(_ peer: PeerID, at now: Moment) {
        guard var state = peers[peer] else { return }
        state.slowCount += 1
        state.dueAt = now + rest(after: state.slowCount)
        peers[peer] = state
    }

    /// How long a slow peer is left alone.
    private func rest(after slowCount: Int) -> Duration {
        let restMax = areMostSlow ? limits.slowRetryCrowdMax : limits.slowRetryMax
        return min(limits.slowRetryMin * (1 << min(slowCount - 1, 12)), restMax)
    }

    /// Whether it may be this node that is slow, since most of its peers were when last asked;
    /// keys of one address count once.
    private var areMostSlow: Bool {
        func count(_ some: [Peer]) -> Int {
            Set(some.compactMap(\.group)).count + some.count { $0.group == nil }
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

    /// Gives the free places to those whose turn it is, and takes some back if others wait.
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

    /// Whether a peer's slice of time is used up.
    private func isOver(_ peer: Peer, at now: Moment) -> Bool {
        guard let since = peer.runningSince, !peer.isRevoked else { return false }
        let isQuick = peer.isProven && peer.slowCount == 0
        return since + (isQuick ? limits.slice : limits.firstSlice) <= now
    }

    /// Who begins next; `nil` if nobody waits, or no place is free for those that do.
    private func next(at now: Moment) -> PeerID? {
        let running = peers.values.filter { $0.runningSince != nil }
        guard running.count < limits.placesMax else { return nil }
        let isOpen =
            running.filter { $0.rank > 0 }.count < limits.placesMax - limits.placesReserve
        let shares = Dictionary(grouping: running.compactMap(\.group)) { $0 }.mapValues(\.count)
        return peers.filter { _, peer in
            peer.runningSince == nil && peer.dueAt <= now && (isOpen || peer.rank == 0)
        }.min { left, right in
            func order(_ peer: Peer) -> (Int, Int, Moment) {
                (peer.rank, peer.group.flatMap { shares[$0] } ?? 0, peer.dueAt)
            }
            let (one, other) = (order(left.value), order(right.value))
            return one != other ? one < other : left.key < right.key
        }?.key
    }
}
