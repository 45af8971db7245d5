package import Market

/// Decides which peer is asked for which chunks of a blob.
///
/// A chunk is asked of one peer at a time. Once all are asked for, idle peers are asked for chunks
/// that others have not delivered yet, so that one slow peer delays nothing. Which peers are asked
/// at all is up to ``BlobHolders``.
///
/// Pure: the caller passes in what arrived, checked against the blob's id.
///
/// Source: Docs/protocol.md, section 11.8.
package struct BlobFetch: Sendable {
    private let chunksMax: Int
    /// The chunks that have not arrived, with the peers that were asked and have not given up.
    private var missing: [Int: Set<PeerID>]

    package init(missing: [Int], limits: BlobExchangeLimits) {
        chunksMax = limits.chunksMax
        self.missing = Dictionary(missing.map { ($0, []) }) { first, _ in first }
    }

    package var isComplete: Bool { missing.isEmpty }

    package func isMissing(_ chunk: Int) -> Bool { missing[chunk] != nil }

    /// Returns the chunks to ask a peer for next, neighbours all; `nil` if there is nothing for it
    /// to do now.
    ///
    /// `peers` is the number of active peers: each gets a share, so that none waits for the last. A
    /// peer that `mayRepeat` is asked for anything it was not asked for yet, however many others
    /// were.
    package mutating func next(
        for peer: PeerID,
        among peers: Int,
        mayRepeat: Bool = false
    ) -> Range<Int>? {
        let open = missing.filter { !$0.value.contains(peer) }
        let fewest = open.values.map(\.count).min()
        guard let fewest, fewest < Self.askedAtOnceMax || mayRepeat else { return nil }
        let free = open.filter { $0.value.count == fewest }.keys.sorted()
        let share = (free.count + max(1, peers) - 1) / max(1, peers)
        let countMax = max(1, min(chunksMax, share))
        var run = free[0]..<free[0] + 1
        for chunk in free.dropFirst() where chunk == run.upperBound && run.count < countMax {
            run = run.lowerBound..<chunk + 1
        }
        for chunk in run { missing[chunk]?.insert(peer) }
        return run
    }

    /// Records a chunk; returns whether it was missing.
    package mutating func received(_ chunk: Int) -> Bool {
        missing.removeValue(forKey: chunk) != nil
    }

    /// Records that a peer delivers none of the rest that it was asked for.
    package mutating func gaveUp(_ peer: PeerID) {
        for chunk in missing.keys { missing[chunk]?.remove(peer) }
    }

    /// Records that nothing has arrived for a while, so that other peers may be asked for the same
    /// chunks.
    ///
    /// Otherwise two silent peers would block a chunk until their time is up.
    package mutating func stalled() {
        for chunk in missing.keys { missing[chunk] = [] }
    }

    /// Peers that one chunk is asked of at the same time.
    private static let askedAtOnceMax = 2
}
