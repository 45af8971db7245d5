import Synchronization

/// The memory that the outboxes of all peers may use together.
///
/// Any outbox may use the first half. Each outbox has an equal share of the other half, so that
/// peers that do not read cannot use another outbox's share. Each outbox has a ``Share``, which
/// releases its bytes in its `deinit`.
///
/// Source: Docs/limits.md, section 1.2.
final class OutboxBudget: Sendable {
    private struct State {
        var byteCount = 0
        var shares: [UInt64: Int] = [:]
        var sharesMade: UInt64 = 0
    }

    private let bytesMax: Int
    private let shareBytes: Int
    private let state = Mutex(State())

    init(settings: GossipSettings) {
        bytesMax = settings.outboxesBytesMax
        shareBytes = settings.outboxShareBytes
    }

    /// One outbox's part of the budget.
    final class Share: Sendable {
        private let budget: OutboxBudget
        private let number: UInt64

        fileprivate init(_ budget: OutboxBudget, _ number: UInt64) {
            (self.budget, self.number) = (budget, number)
        }

        deinit { giveBack() }

        /// Takes room for bytes; `false` if the outbox, or all of them, would have too many.
        ///
        /// `percent` scales the limits of the outbox; 150 lets it exceed them by half.
        func take(_ byteCount: Int, upTo outboxMax: Int, percent: Int) -> Bool {
            budget.take(byteCount, of: number, upTo: outboxMax, percent: percent)
        }

        func give(_ byteCount: Int) { budget.give(byteCount, of: number) }

        /// Releases everything; nothing can be taken after that.
        func giveBack() { budget.close(number) }
    }

    func share() -> Share {
        let number = state.withLock { state in
            state.sharesMade += 1
            state.shares[state.sharesMade] = 0
            return state.sharesMade
        }
        return Share(self, number)
    }

    /// Bytes held, the sum of the shares, and the number of outboxes.
    ///
    /// The first two are equal, and 0 without outboxes; a difference is a bug in this program.
    var balance: (held: Int, sum: Int, outboxes: Int) {
        state.withLock { ($0.byteCount, $0.shares.values.reduce(0, +), $0.shares.count) }
    }

    private func take(
        _ byteCount: Int,
        of number: UInt64,
        upTo outboxMax: Int,
        percent: Int
    ) -> Bool {
        state.withLock { state in
            guard let before = state.shares[number] else { return false }
            let (own, all) = (before + byteCount, state.byteCount + byteCount)
            let isFree = all <= bytesMax / 2 || own <= shareBytes * percent / 100
            guard own <= outboxMax * percent / 100, all <= bytesMax, isFree else { return false }
            state.shares[number] = own
            state.byteCount = all
            return true
        }
    }

    private func give(_ byteCount: Int, of number: UInt64) {
        state.withLock { state in
            guard let before = state.shares[number] else { return }
            state.shares[number] = before - byteCount
            state.byteCount -= byteCount
        }
    }

    private func close(_ number: UInt64) {
        state.withLock { state in
            state.byteCount -= state.shares.removeValue(forKey: number) ?? 0
        }
    }
}
