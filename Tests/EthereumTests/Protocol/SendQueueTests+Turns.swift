import Ethereum
import Keys
import Market
import Support
import Testing
import Texts

/// Whose turn it is to be signed.
extension SendQueueTests {
    private func other(_ number: UInt8, steps: Int = 1) -> Intent {
        Intent(
            id: IntentID(Bytes32(repeating: number)),
            purpose: "other",
            steps: Array(repeating: Self.intent.steps[0], count: steps)
        )
    }

    private func slot(_ number: UInt8, step: Int = 0) -> SendSlot {
        SendSlot(intent: IntentID(Bytes32(repeating: number)), step: step)
    }

    private func prepared(_ directives: [SendQueue.Directive]) -> [SendSlot] {
        directives.compactMap { if case .prepare(let slot, _, _, _) = $0 { slot } else { nil } }
    }

    @Test func `a step that cannot be signed now delays no other step`() {
        var queue = opened(recorded)
        queue.add(other(2))
        queue.add(other(3))
        var turns: [SendSlot] = []
        for _ in 0..<6 {
            let slots = prepared(queue.handle(.tick, at: .zero))
            turns += slots
            for slot in slots {
                _ = queue.handle(.delayed(slot, Sentence("progress.gasPricesDiffer")), at: .zero)
            }
        }
        #expect(turns == [first, slot(2), slot(3), first, slot(2), slot(3)])
        #expect(prepared(queue.handle(.tick, at: .zero)) == [first])
        _ = queue.handle(.locked(first), at: .zero)
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(2)])
        _ = queue.handle(.signed(slot(2), attempt(0)), at: .zero)
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(3)])
    }

    @Test func `a replacement that waits for a lower fee delays no signature`() {
        let wished: [JournalEntry.Event] = [.signed(attempt(0)), .replacementWanted(.speedUp)]
        let one = JournalEntry(slot(2), .intentRecorded(other(2)))
        var queue = opened([one] + wished.map { JournalEntry(slot(2), $0) })
        queue.add(other(3))
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(2)])
        _ = queue.handle(.delayed(slot(2), Sentence("progress.gasPricesDiffer")), at: .zero)
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(3)])
        _ = queue.handle(.signed(slot(3), attempt(1)), at: .zero)
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(2)])
    }

    @Test func `an unwanted step ends and delays no other step`() {
        let requested = RequestedTransaction(
            kind: .original,
            nonce: 0,
            gasLimit: 50_000,
            pricing: .legacy(gasPrice: Amount(small: 100))
        )
        // One waits for a wallet, one is under way, one is not begun.
        let journal = [
            JournalEntry(slot(2), .intentRecorded(other(2))),
            JournalEntry(slot(2), .requested(requested)),
            JournalEntry(slot(3), .intentRecorded(other(3, steps: 2))),
            JournalEntry(slot(3), .signed(attempt(0))),
            JournalEntry(slot(4), .intentRecorded(other(4))),
        ]
        var queue = opened(journal)
        queue.add(other(5))
        #expect(prepared(queue.handle(.tick, at: .zero)).isEmpty)
        queue.abandon(allBut: [slot(5).intent])
        let ended = queue.handle(.tick, at: .zero)
        #expect(entries(ended) == [.refused, .refused])
        #expect(queue.progress(of: slot(3).intent)?.phase.isEnd == false)
        _ = queue.handle(seen([receipt(0, block: 5)], asked: [attempt(0)], head: 5), at: .zero)
        let last = queue.handle(.tick, at: .zero)
        #expect(entries(last) == [.refused] && prepared(last) == [slot(5)])
    }

    @Test func `signs no skipped intent between the steps of another`() {
        var queue = opened([JournalEntry(slot(2), .intentRecorded(other(2)))])
        queue.add(other(3, steps: 2))
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(2)])
        _ = queue.handle(.delayed(slot(2), Sentence("progress.gasPricesDiffer")), at: .zero)
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(3)])
        _ = queue.handle(.signed(slot(3), attempt(0)), at: .zero)
        for _ in 0..<3 { #expect(prepared(queue.handle(.tick, at: .zero)).isEmpty) }
        _ = queue.handle(seen([receipt(0, block: 5)], asked: [attempt(0)], head: 5), at: .zero)
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(3, step: 1)])
        _ = queue.handle(.signed(slot(3, step: 1), attempt(1)), at: .zero)
        #expect(prepared(queue.handle(.tick, at: .zero)) == [slot(2)])
    }
}
