package import Market

/// When this node asks which peer for others: less often each time, and never more often than a
/// peer bears.
///
/// It outlives links, as the meter of who is asked does: a link that ends and comes back again and
/// again makes no question more.
///
/// Pure and bounded: a full table forgets the peer that was not asked for the longest.
///
/// Source: Docs/protocol.md, section 8.8.
package struct PeerAsking: Sendable {
    private struct Schedule {
        var count = 0
        var after = Moment.start
    }

    /// The longest wait from one question to the next, as a power of two of beats.
    private static let doublingsMax = 6
    /// After so many beats without a question a peer has forgotten all that it was asked.
    private static let memoryBeats = 1_024

    private let beat: Duration
    private let countMax: Int
    private var turns: [PeerID: Schedule] = [:]

    package init(beat: Duration, countMax: Int = 4_096) {
        (self.beat, self.countMax) = (beat, countMax)
    }

    package var count: Int { turns.count }

    /// Whether it is time to ask this peer; if so, it counts as asked now.
    package mutating func take(_ peer: PeerID, at now: Moment) -> Bool {
        var turn = turns[peer] ?? Schedule()
        if turn.after + beat * Self.memoryBeats <= now { turn = Schedule() }
        guard turn.after <= now else { return false }
        if turns[peer] == nil, turns.count >= countMax,
            let oldest = turns.min(by: { ($0.value.after, $0.key) < ($1.value.after, $1.key) })
        {
            turns[oldest.key] = nil
        }
        turn.count = min(turn.count + 1, Self.doublingsMax)
        turn.after = now + beat * (1 << turn.count)
        turns[peer] = turn
        return true
    }
}
