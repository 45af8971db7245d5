import Ethereum
import Keys
import Market
import Support
import Testing

/// Transactions that are replaced by faster ones or cancelled.
extension SendQueueTests {
    @Test func `a replacement shares the nonce and pays more`() throws {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(7)))])
        let wish = queue.replacement(of: Self.intent.id, by: .cancel)
        let isTwice = queue.replacement(of: Self.intent.id, by: .speedUp) != nil
        #expect(!isTwice)
        // Nothing is sent before the request to replace it is durable.
        #expect(
            !queue.handle(.tick, at: .zero).contains {
                if case .prepare = $0 { true } else { false }
            }
        )
        queue.replacementIsRecorded(try #require(wish))
        // What is reckoned through is what will be sent: the contract may refuse the step by now.
        let nothing = Intent.Step(to: Self.account, data: [])
        #expect(
            queue.handle(.tick, at: .zero)
                .contains(.prepare(first, nothing, .fast, isReplacement: true))
        )
        let another = queue.replacement(of: Self.intent.id, by: .speedUp)
        #expect(another == nil)
        let preparation = SendQueue.Preparation(
            nextNonce: 7,
            gasLimit: 50_000,
            pricing: .legacy(gasPrice: Amount(small: 90))
        )
        let directives = queue.handle(.prepared(first, preparation), at: .zero)
        guard case .sign(first, .cancel, let transaction) = directives.first else {
            Issue.record("\(directives)")
            return
        }
        #expect(transaction.nonce == 7)
        #expect(transaction.to == Self.account)
        #expect(transaction.value.isZero && transaction.data.isEmpty)
        #expect(transaction.pricing == .legacy(gasPrice: Amount(small: 114)))
    }

    @Test func `an unaffordable replacement waits and is reported once`() throws {
        let events: [JournalEntry.Event] = [
            .signed(attempt(7)), .feeRaised(Amount(small: 50_000 * 113 - 1)),
            .replacementWanted(.speedUp),
        ]
        var queue = opened(recorded + events.map { JournalEntry(first, $0) })
        let preparation = SendQueue.Preparation(
            nextNonce: 7,
            gasLimit: 50_000,
            pricing: .legacy(gasPrice: Amount(small: 90))
        )
        func isPrepared() -> Bool {
            queue.handle(.tick, at: .seconds(1)).contains {
                if case .prepare(first, _, _, isReplacement: true) = $0 { true } else { false }
            }
        }
        #expect(isPrepared())
        let told = queue.handle(.prepared(first, preparation), at: .seconds(1))
        #expect(told.count == 1 && entries(told).isEmpty)
        let reason = queue.progress(of: Self.intent.id)?.note
        #expect(reason?.hasPrefix("the speed-up is not signed yet: its fee") == true)
        let unseen = seen([], asked: [attempt(7)], head: 9)
        _ = queue.handle(.sent(first, attempt(7).hash, .taken), at: .seconds(1))
        _ = queue.handle(unseen, at: .seconds(200))
        #expect(queue.progress(of: Self.intent.id)?.phase == .overdue)
        for _ in 0..<3 {
            #expect(isPrepared())
            #expect(queue.handle(.prepared(first, preparation), at: .seconds(201)).isEmpty)
            #expect(queue.handle(unseen, at: .seconds(201)).isEmpty)
        }
        #expect(isPrepared())
        #expect(entries(queue.handle(.refused(first, "no"), at: .zero)) == [.replacementWanted])
        #expect(queue.progress(of: Self.intent.id)?.note == "the speed-up was given up: no")
    }

    /// - From endpoints: a price so low that nobody mines the transaction → once it is overdue, it is
    ///   signed at today's price, within the fee that was agreed to
    @Test func `an overdue transaction follows a price that has risen`() throws {
        func replaced(within feeMax: UInt64, price: UInt64) -> Transaction? {
            let events: [JournalEntry.Event] = [
                .signed(attempt(7)), .feeRaised(Amount(small: 50_000 * feeMax)),
            ]
            var queue = opened(recorded + events.map { JournalEntry(first, $0) })
            _ = queue.handle(.sent(first, attempt(7).hash, .taken), at: .seconds(1))
            let unseen = seen([], asked: [attempt(7)], head: 9)
            func isPrepared(_ seconds: Int) -> Bool {
                queue.handle(.tick, at: .seconds(seconds)).contains {
                    if case .prepare(first, _, _, isReplacement: true) = $0 { true } else { false }
                }
            }
            _ = queue.handle(unseen, at: .seconds(100))
            #expect(!isPrepared(100))
            _ = queue.handle(unseen, at: .seconds(200))
            #expect(isPrepared(200))
            let preparation = SendQueue.Preparation(
                nextNonce: 7,
                gasLimit: 50_000,
                pricing: .legacy(gasPrice: Amount(small: price))
            )
            for directive in queue.handle(.prepared(first, preparation), at: .seconds(200)) {
                if case .sign(first, _, let transaction) = directive { return transaction }
            }
            // It is looked for again, but not at once; its owner is told of an overdue one as ever.
            #expect(queue.progress(of: Self.intent.id)?.phase == .overdue)
            #expect(queue.progress(of: Self.intent.id)?.note == nil)
            _ = queue.handle(unseen, at: .seconds(201))
            #expect(!isPrepared(201))
            _ = queue.handle(unseen, at: .seconds(330))
            #expect(isPrepared(330))
            return nil
        }
        let signed = try #require(replaced(within: 600, price: 500))
        #expect(signed.nonce == 7 && signed.pricing == .legacy(gasPrice: Amount(small: 500)))
        #expect(replaced(within: 499, price: 500) == nil)
        #expect(replaced(within: 600, price: 105) == nil)
    }

    @Test func `its owner can speed up what is looked at because it is overdue`() throws {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(7)))])
        _ = queue.handle(.sent(first, attempt(7).hash, .taken), at: .seconds(1))
        _ = queue.handle(seen([], asked: [attempt(7)], head: 9), at: .seconds(200))
        // The automatic request is not the owner's, and is not journalled.
        #expect(queue.wishes(of: Self.intent.id).wanted == nil)
        let wish = queue.replacement(of: Self.intent.id, by: .speedUp)
        queue.replacementIsRecorded(try #require(wish))
        #expect(queue.wishes(of: Self.intent.id).wanted == .speedUp)
        _ = queue.handle(.tick, at: .seconds(200))
        let equal = SendQueue.Preparation(
            nextNonce: 7,
            gasLimit: 50_000,
            pricing: .legacy(gasPrice: Amount(small: 100))
        )
        let signs = queue.handle(.prepared(first, equal), at: .seconds(200))
        guard case .sign(first, .speedUp, let faster)? = signs.first else {
            Issue.record("\(signs)")
            return
        }
        #expect(faster.pricing == .legacy(gasPrice: Amount(small: 114)))
    }

    @Test func `keeps a requested replacement over a restart until it is settled`() {
        let nothing = Intent.Step(to: Self.account, data: [])
        let prepare = SendQueue.Directive.prepare(first, nothing, .fast, isReplacement: true)
        let signed = recorded + [JournalEntry(first, .signed(attempt(0)))]
        let wished = signed + [JournalEntry(first, .replacementWanted(.cancel))]
        var queue = opened(wished)
        #expect(queue.handle(.tick, at: .zero).contains(prepare))
        #expect(entries(queue.handle(.refused(first, "no"), at: .zero)) == [.replacementWanted])
        #expect(!queue.handle(.tick, at: .zero).contains(prepare))

        let replaced = SignedAttempt(
            kind: .cancel,
            nonce: 0,
            pricing: .legacy(gasPrice: Amount(small: 200)),
            hash: Bytes32(words: 0, 200, 0, 1),
            raw: [9]
        )
        for end: JournalEntry.Event in [
            .replacementWanted(nil), .signed(replaced), .mined(receipt(0, block: 5)),
        ] {
            var over = opened(wished + [JournalEntry(first, end)])
            #expect(!over.handle(.tick, at: .zero).contains(prepare), "\(end)")
        }
        // It was mined while the request was being stored.
        var late = opened(
            signed + [
                JournalEntry(first, .mined(receipt(0, block: 5))),
                JournalEntry(first, .replacementWanted(.cancel)),
            ]
        )
        #expect(!late.handle(.tick, at: .zero).contains(prepare))
    }

    /// - From people: a cancellation, while the transaction is in a block that a reorganisation removes →
    ///   the node tries to cancel again
    @Test func `a wish to cancel outlasts a removed block`() throws {
        let mined = receipt(7, block: 9)
        let wished: [JournalEntry.Event] = [.signed(attempt(7)), .replacementWanted(.cancel)]
        // The order in which the wish and the block were recorded does not matter.
        let orders = [wished + [.mined(mined)], [wished[0], .mined(mined), wished[1]]]
        for events in orders {
            let journal = recorded + events.map { JournalEntry(first, $0) }
            var queue = opened(journal)
            #expect(queue.wishes(of: Self.intent.id).wanted == nil)
            let gone = queue.handle(seen([], asked: [attempt(7)], head: 9), at: .zero)
            #expect(entries(gone) == [.unmined])
            #expect(queue.wishes(of: Self.intent.id).wanted == .cancel)
            #expect(queue.progress(of: Self.intent.id)?.isBeingReplaced == true)
            let nothing = Intent.Step(to: Self.account, data: [])
            #expect(
                queue.handle(.tick, at: .zero)
                    .contains(.prepare(first, nothing, .fast, isReplacement: true))
            )
            // A signed cancellation fulfils it.
            let cancelled =
                journal + [
                    JournalEntry(first, .unmined(mined.transaction)),
                    JournalEntry(first, .signed(attempt(7, price: 200))),
                    JournalEntry(first, .mined(mined)),
                    JournalEntry(first, .unmined(mined.transaction)),
                ]
            #expect(opened(cancelled).wishes(of: Self.intent.id).wanted == nil)
        }
    }
}
