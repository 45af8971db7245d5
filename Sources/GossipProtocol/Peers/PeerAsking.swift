package import Market

/// Decides when this node asks which peer for other peers: less often each time.
///
/// It never asks more often than peers allow. It outlives links, as the asked peer's own limit
/// does: a link that repeatedly ends and returns gains no questions.
///
/// Pure and bounded: a full table removes the peer that was not asked for the longest time.
///
/// Source: Docs/protocol.md, section 8.8.
package struct PeerAsking: Sendable {
    private struct Schedule {
        var count = 0
        var after = Moment.start
    }

    /// The longest wait between two questions, as a power of two of beats.
    private static let doublingsMax = 6
    /// Beats without a question after which a peer's own limit is full again.
    private static let memoryBeats = 1_024

    private let beat: Duration
    private let countMax: Int
    private var turns: [PeerID: Schedule] = [:]

    package init(beat: Duration, countMax: Int = 4_096) {
        (self.beat, self.countMax) = (beat, countMax)
    }

    package var count: Int { turns.count }

    /// Whether it is time to ask this peer; if so, counts it as asked now.
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
