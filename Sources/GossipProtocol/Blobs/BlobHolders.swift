import DequeModule
package import Market

/// Decides which holders of a blob are asked, and which of them are dropped for others.
///
/// It asks a few at a time, one of them in a different subnet if possible. While the rate is below
/// ``BlobExchangeLimits/bytesPerSecondMin``, it doubles their number, up to a limit. After that it
/// drops the slowest, a few at a time, as long as there are others to ask.
///
/// Pure: the caller passes in the time and what arrived.
///
/// Source: Docs/protocol.md, section 11.8.
package struct BlobHolders: Sendable {
    /// A peer that may have the blob.
    package struct Candidate: Sendable {
        package let peer: PeerID
        /// The subnet of its address; on this machine, the peer.
        package let subnet: RecordOrigin
        /// Whether it was slow not long ago.
        package let isSlow: Bool

        package init(peer: PeerID, subnet: RecordOrigin, isSlow: Bool) {
            (self.peer, self.subnet, self.isSlow) = (peer, subnet, isSlow)
        }
    }

    private struct Asked {
        let subnet: RecordOrigin
        var since: Moment
        var byteCount = 0
        var isLeft = false

        func bytesPerSecond(at now: Moment) -> Double {
            Double(byteCount) / max(0.001, (now.sinceStart - since.sinceStart) / .seconds(1))
        }
    }

    /// How long a new peer is tried before it may be dropped.
    private static let trial = Duration.seconds(1)

    private let limits: BlobExchangeLimits
    /// Those not asked yet, the best first.
    private var candidates: Deque<Candidate>
    private var asked: [PeerID: Asked] = [:]
    private var checkedAt: Moment
    private var byteCount = 0
    /// Whether too little arrived in the last interval.
    private var isSlow = false

    /// `holders` are in the order in which they are asked.
    package init(_ holders: [Candidate], limits: BlobExchangeLimits, at now: Moment) {
        self.limits = limits
        candidates = Deque(holders.prefix(limits.peersMax))
        checkedAt = now
    }

    /// The peers that are asked now.
    package var askedCount: Int { asked.count }

    /// Whether no peer is being asked and none is left to ask.
    package var isExhausted: Bool { asked.isEmpty && candidates.isEmpty }

    /// Returns the peers to ask now, because slots are free.
    ///
    /// Slow peers are last, so when they are next, no better peer remains, and many are asked.
    package mutating func fill(at now: Moment) -> [PeerID] {
        var next: [PeerID] = []
        while let first = candidates.first,
            asked.count < (first.isSlow ? limits.peersAtOnceIfSlowMax : limits.peersAtOnceMax),
            let peer = askNext(at: now)
        { next.append(peer) }
        return next
    }

    /// Records that a peer is asked only now, because it had the maximum number of this node's
    /// streams.
    package mutating func began(_ peer: PeerID, at now: Moment) { asked[peer]?.since = now }

    /// Records bytes of the blob that a peer delivered, and whether they are new.
    package mutating func received(_ byteCount: Int, from peer: PeerID, isNew: Bool) {
        asked[peer]?.byteCount += byteCount
        if isNew { self.byteCount += byteCount }
    }

    package mutating func ended(_ peer: PeerID) { asked[peer] = nil }

    /// Returns the changes after an interval: peers to drop, and further peers to ask.
    package mutating func intervalPassed(at now: Moment) -> (leave: [PeerID], ask: [PeerID]) {
        let seconds = max(0.001, (now.sinceStart - checkedAt.sinceStart) / .seconds(1))
        isSlow = Double(byteCount) < seconds * Double(limits.bytesPerSecondMin)
        (checkedAt, byteCount) = (now, 0)
        guard isSlow else { return ([], []) }
        let free = limits.peersAtOnceIfSlowMax - asked.count
        let leave = slowest(
            min(max(0, limits.peersLeftAtOnceMax - free), candidates.count),
            at: now
        )
        for peer in leave { asked[peer]?.isLeft = true }
        let countMax = max(1, asked.count)
        var ask: [PeerID] = []
        while ask.count < countMax, asked.count - leave.count < limits.peersAtOnceIfSlowMax,
            let peer = askNext(at: now)
        { ask.append(peer) }
        return (leave, ask)
    }

    /// Whether a peer may be asked for chunks that others were already asked for: it is quick, and
    /// all together are not.
    package func mayRepeat(_ peer: PeerID, at now: Moment) -> Bool {
        isSlow && bytesPerSecond(of: peer, at: now) >= Double(limits.bytesPerSecondMin)
    }

    /// Returns the bytes per second that a peer has delivered since it was first asked.
    package func bytesPerSecond(of peer: PeerID, at now: Moment) -> Double {
        asked[peer]?.bytesPerSecond(at: now) ?? 0
    }

    /// Returns at most `countMax` of the slowest peers that deliver less than their share.
    private func slowest(_ countMax: Int, at now: Moment) -> [PeerID] {
        let part = Double(limits.bytesPerSecondMin / limits.peersAtOnceIfSlowMax)
        return asked.filter { !$0.value.isLeft && now >= $0.value.since + Self.trial }
            .map { (rate: $0.value.bytesPerSecond(at: now), peer: $0.key) }
            .filter { $0.rate < part }
            .sorted { ($0.rate, $0.peer) < ($1.rate, $1.peer) }
            .prefix(countMax).map(\.peer)
    }

    /// Asks the next candidate, or one of another subnet if all slots would otherwise be in one
    /// subnet.
    private mutating func askNext(at now: Moment) -> PeerID? {
        let subnets = Set(asked.values.map(\.subnet))
        var index = candidates.startIndex
        if subnets.count == 1, asked.count + 1 >= limits.peersAtOnceMax {
            index = candidates.firstIndex { !subnets.contains($0.subnet) } ?? index
        }
        guard !candidates.isEmpty else { return nil }
        let next = candidates.remove(at: index)
        asked[next.peer] = Asked(subnet: next.subnet, since: now)
        return next.peer
    }
}
