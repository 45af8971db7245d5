import Ethereum
import Keys
import Market
import Support
import Testing
import Texts

/// Pools that want more, and other programs that use the account's key.
extension SendQueueTests {
    private func preparation(
        next: UInt64 = 0,
        pending: UInt64 = 0,
        price: UInt64 = 100,
        gas: UInt64 = 50_000
    ) -> SendQueue.Preparation {
        SendQueue.Preparation(
            nextNonce: next,
            pendingNonce: pending,
            gasLimit: gas,
            pricing: .legacy(gasPrice: Amount(small: price))
        )
    }

    private func signed(_ directives: [SendQueue.Directive]) -> Transaction? {
        guard case .sign(_, _, let transaction)? = directives.first else { return nil }
        return transaction
    }

    @Test func `reuses a nonce of another program's transaction only if acknowledged`() throws {
        var queue = opened(recorded)
        _ = queue.handle(.tick, at: .zero)
        #expect(queue.acknowledgement() == nil)
        let held = queue.handle(.prepared(first, preparation(next: 4, pending: 6)), at: .zero)
        #expect(signed(held) == nil && entries(held).isEmpty)
        #expect(queue.progress(of: Self.intent.id)?.phase == .nonceAwaited(4))
        #expect(queue.progress(of: Self.intent.id)?.awaitsAcknowledgement == true)
        let entry = try #require(queue.acknowledgement())
        #expect(try JournalEntry(storedBytes: entry.storedBytes) == entry)
        queue.apply(entry)
        #expect(queue.progress(of: Self.intent.id)?.phase == .waiting)
        #expect(queue.acknowledgement() == nil)

        // The word lasts over a restart, for the nonce that it was given for.
        var again = opened(recorded + [entry])
        _ = again.handle(.tick, at: .zero)
        let taken = again.handle(.prepared(first, preparation(next: 4, pending: 6)), at: .zero)
        #expect(signed(taken)?.nonce == 4)
        for nonce in [3, 5, 6] as [UInt64] {
            var later = opened(recorded + [entry])
            _ = later.handle(.tick, at: .zero)
            _ = later.handle(.prepared(first, preparation(next: nonce, pending: 7)), at: .zero)
            #expect(later.progress(of: Self.intent.id)?.phase == .nonceAwaited(nonce))
        }
    }

    @Test func `acknowledges only one nonce of a count that is far too high`() throws {
        let high: UInt64 = 1 << 40
        // Earlier versions recorded the count itself.
        for journal in [recorded, recorded + [JournalEntry(first, .foreignReplaceable(high))]] {
            var queue = opened(journal)
            _ = queue.handle(.tick, at: .zero)
            _ = queue.handle(.prepared(first, preparation(next: 4, pending: high)), at: .zero)
            let entry = try #require(queue.acknowledgement())
            #expect(entry.event == .foreignReplaceable(5))
            var again = opened(journal + [entry])
            _ = again.handle(.tick, at: .zero)
            let held = preparation(next: 4, pending: high)
            let taken = again.handle(.prepared(first, held), at: .zero)
            #expect(signed(taken)?.nonce == 4)
            _ = again.handle(.signed(first, attempt(4)), at: .zero)
            _ = again.handle(seen([receipt(4, block: 5)], asked: [attempt(4)], head: 5), at: .zero)
            _ = again.handle(.tick, at: .zero)
            let second = SendSlot(intent: Self.intent.id, step: 1)
            _ = again.handle(.prepared(second, preparation(next: 5, pending: high)), at: .zero)
            #expect(again.progress(of: Self.intent.id)?.phase == .nonceAwaited(5))

            // A lower count ends the wait.
            _ = again.handle(.tick, at: .zero)
            let free = again.handle(.prepared(second, preparation(next: 5, pending: 5)), at: .zero)
            #expect(signed(free)?.nonce == 5)
            _ = again.handle(.signed(second, attempt(5)), at: .zero)
            #expect(again.acknowledgement() == nil)
        }
    }

    @Test func `takes a nonce that only one endpoint tells once it is acknowledged`() throws {
        var queue = opened(recorded)
        _ = queue.handle(.tick, at: .zero)
        func told(_ nonce: UInt64) -> SendQueue.Preparation {
            SendQueue.Preparation(
                nextNonce: nonce,
                isNonceConfirmed: false,
                gasLimit: 50_000,
                pricing: .legacy(gasPrice: Amount(small: 100))
            )
        }
        let held = queue.handle(.prepared(first, told(4)), at: .zero)
        #expect(signed(held) == nil && entries(held).isEmpty)
        #expect(queue.progress(of: Self.intent.id)?.phase == .nonceUnconfirmed(4))
        #expect(queue.progress(of: Self.intent.id)?.awaitsAcknowledgement == true)
        let entry = try #require(queue.acknowledgement())
        #expect(entry.event == .foreignReplaceable(5))
        for (nonce, isTaken) in [(4, true), (5, false)] as [(UInt64, Bool)] {
            var again = opened(recorded + [entry])
            _ = again.handle(.tick, at: .zero)
            let next = again.handle(.prepared(first, told(nonce)), at: .zero)
            #expect((signed(next) != nil) == isTaken)
        }
        // A second endpoint ends the wait too.
        _ = queue.handle(.tick, at: .zero)
        let confirmed = queue.handle(.prepared(first, preparation(next: 4)), at: .zero)
        #expect(signed(confirmed)?.nonce == 4)
    }

    @Test func `its own waiting transactions do not block later steps`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(4)))])
        _ = queue.handle(seen([receipt(4, block: 5)], asked: [attempt(4)], head: 5), at: .zero)
        _ = queue.handle(.tick, at: .zero)
        let second = SendSlot(intent: Self.intent.id, step: 1)
        let next = queue.handle(.prepared(second, preparation(next: 4, pending: 5)), at: .zero)
        #expect(signed(next)?.nonce == 5)
    }

    @Test func `raises a refused price to the required one and no higher`() {
        let events: [JournalEntry.Event] = [
            .feeRaised(Amount(small: 50_000 * 120)), .signed(attempt(7)),
        ]
        var queue = opened(recorded + events.map { JournalEntry(first, $0) })
        let answer = SendQueue.SendAnswer.mispriced(.raise, "transaction underpriced")
        let asked = queue.handle(.sent(first, attempt(7).hash, answer), at: .zero)
        #expect(entries(asked).isEmpty)
        #expect(queue.progress(of: Self.intent.id)?.isBeingReplaced == true)
        _ = queue.handle(.tick, at: .zero)
        // An eighth more than 100 is not needed, and 120 is what its owner agreed to.
        let raised = queue.handle(.prepared(first, preparation(price: 105)), at: .zero)
        #expect(signed(raised)?.pricing == .legacy(gasPrice: Amount(small: 105)))
        _ = queue.handle(.signed(first, attempt(7, price: 105)), at: .zero)

        let more = queue.handle(.sent(first, attempt(7, price: 105).hash, answer), at: .zero)
        #expect(entries(more).isEmpty)
        _ = queue.handle(.tick, at: .zero)
        let ended = queue.handle(.prepared(first, preparation(price: 105)), at: .zero)
        #expect(signed(ended) == nil && entries(ended).isEmpty)
        let progress = queue.progress(of: Self.intent.id)
        #expect(progress?.phase == .stuck("transaction underpriced"))
        #expect(progress?.isBeingReplaced == false)
        #expect(progress?.note?.contains("chain.tipCeilingGwei") == true)
        // An answer to the older one changes nothing; the next to this one asks for it again.
        _ = queue.handle(.sent(first, attempt(7).hash, answer), at: .zero)
        #expect(queue.progress(of: Self.intent.id)?.isBeingReplaced == false)
        _ = queue.handle(.sent(first, attempt(7, price: 105).hash, answer), at: .zero)
        #expect(queue.progress(of: Self.intent.id)?.isBeingReplaced == true)
    }

    @Test func `lowers a price above an endpoint's fee cap only after a large drop`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(7)))])
        let answer = SendQueue.SendAnswer.mispriced(.lower, "tx fee exceeds the configured cap")
        func offered(price: UInt64) -> Transaction? {
            _ = queue.handle(.sent(first, attempt(7).hash, answer), at: .zero)
            let turn = queue.handle(.tick, at: .zero)
            #expect(
                turn.contains { directive in
                    guard case .prepare(_, _, .slow, isReplacement: true) = directive else {
                        return false
                    }
                    return true
                }
            )
            let prepared = queue.handle(.prepared(first, preparation(price: price)), at: .zero)
            return signed(prepared)
        }
        #expect(offered(price: 88) == nil)
        #expect(queue.progress(of: Self.intent.id)?.note?.contains("--rpc.txfeecap") == true)
        #expect(offered(price: 87)?.pricing == .legacy(gasPrice: Amount(small: 87)))
    }

    @Test func `outbids another transaction with its nonce, within the agreed fee`() {
        let events: [JournalEntry.Event] = [
            .feeRaised(Amount(small: 50_000 * 120)), .signed(attempt(7)),
        ]
        var queue = opened(recorded + events.map { JournalEntry(first, $0) })
        let answer = SendQueue.SendAnswer.mispriced(.outbid, "replacement underpriced")
        _ = queue.handle(.sent(first, attempt(7).hash, answer), at: .zero)
        _ = queue.handle(.tick, at: .zero)
        let raised = queue.handle(.prepared(first, preparation(price: 100)), at: .zero)
        #expect(signed(raised)?.pricing == .legacy(gasPrice: Amount(small: 114)))
        _ = queue.handle(.signed(first, attempt(7, price: 114)), at: .zero)

        _ = queue.handle(.sent(first, attempt(7, price: 114).hash, answer), at: .zero)
        _ = queue.handle(.tick, at: .zero)
        let ended = queue.handle(.prepared(first, preparation(price: 100)), at: .zero)
        #expect(signed(ended) == nil)
        #expect(queue.progress(of: Self.intent.id)?.phase == .stuck("replacement underpriced"))
        #expect(queue.progress(of: Self.intent.id)?.isBeingReplaced == false)
    }

    /// A transaction of the step that was signed with so much gas.
    private func attempt(_ nonce: UInt64, gas: UInt64, price: UInt64 = 100) throws -> SignedAttempt
    {
        let pricing = TransactionPricing.legacy(gasPrice: Amount(small: price))
        let transaction = Transaction(
            chain: ChainID(1),
            nonce: nonce,
            to: Self.step.to,
            value: Self.step.value,
            data: Self.step.data,
            gasLimit: gas,
            pricing: pricing
        )
        let signed = try transaction.signed(by: testKey(1))
        return SignedAttempt(
            kind: .original,
            nonce: nonce,
            pricing: pricing,
            hash: signed.hash,
            raw: signed.encoded
        )
    }

    @Test func `signs again with less gas after a refusal for it, at the same nonce`() throws {
        let huge = try attempt(7, gas: 31_000_000)
        var queue = opened(recorded + [JournalEntry(first, .signed(huge))])
        let answer = SendQueue.SendAnswer.mispriced(.lessGas, "exceeds block gas limit")
        func asked() -> [SendQueue.Directive] {
            _ = queue.handle(.sent(first, huge.hash, answer), at: .zero)
            return queue.handle(.tick, at: .zero)
        }
        let prepares = SendQueue.Directive.prepare(first, Self.step, .normal, isReplacement: true)
        #expect(asked().contains(prepares))
        let equal = preparation(price: 90, gas: 31_000_000)
        #expect(signed(queue.handle(.prepared(first, equal), at: .zero)) == nil)
        let note = queue.progress(of: Self.intent.id)?.note
        #expect(note?.hasPrefix("it is not signed with less gas: it needs as much") == true)
        #expect(queue.progress(of: Self.intent.id)?.phase == .stuck("exceeds block gas limit"))

        #expect(asked().contains(prepares))
        let less = queue.handle(.prepared(first, preparation(price: 90, gas: 40_000)), at: .zero)
        let transaction = try #require(signed(less))
        // No pool has taken the other one, so it need not be outbid.
        #expect(transaction.nonce == 7 && transaction.gasLimit == 40_000)
        #expect(transaction.pricing == .legacy(gasPrice: Amount(small: 90)))
    }

    @Test func `reserves half of the signatures for the owner`() {
        let signed = (0..<8).map { attempt(7, price: 100 + $0) }
        let entries = signed.map { JournalEntry(first, .signed($0)) }
        var queue = opened(recorded + entries)
        let answer = SendQueue.SendAnswer.mispriced(.raise, "transaction underpriced")
        _ = queue.handle(.sent(first, signed[7].hash, answer), at: .zero)
        #expect(queue.progress(of: Self.intent.id)?.isBeingReplaced == false)
        #expect(queue.replacement(of: Self.intent.id, by: .speedUp) != nil)
    }

    @Test func `does not reprice a transaction that a pool has accepted`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(7)))])
        _ = queue.handle(.sent(first, attempt(7).hash, .taken), at: .zero)
        let refused = queue.handle(
            .sent(first, attempt(7).hash, .mispriced(.raise, "no")),
            at: .zero
        )
        #expect(refused.isEmpty)
        #expect(queue.progress(of: Self.intent.id)?.phase == .sent)
    }

    @Test func `a late receipt ends the pause, and nothing is signed again`() {
        let signed = [JournalEntry(first, .signed(attempt(0)))]
        var queue = opened(recorded + signed, lost: .seconds(120))
        _ = queue.handle(.tick, at: .zero)
        let missing = seen([], asked: [attempt(0)], head: 7, settled: 1)
        for second in [0, 5, 119] {
            #expect(entries(queue.handle(missing, at: .seconds(second))) == [])
        }
        #expect(entries(queue.handle(missing, at: .seconds(120))) == [.nonceLost])
        #expect(queue.isPaused)
        let watching = queue.handle(.tick, at: .seconds(121))
        #expect(watching.contains(.observe([attempt(0).hash])))

        let late = receipt(0, block: 5)
        let found = queue.handle(seen([late], asked: [attempt(0)], head: 7), at: .seconds(130))
        #expect(entries(found) == [.mined, .final])
        #expect(!queue.isPaused)
        #expect(queue.progress(of: Self.intent.id)?.receipts.first == late)
        let again = opened(
            recorded + signed + [
                JournalEntry(first, .nonceLost(0)), JournalEntry(first, .mined(late)),
            ]
        )
        #expect(!again.isPaused && again.progress(of: Self.intent.id)?.receipts.first == late)
    }

    @Test func `searches for earlier transactions before it signs a step again`() {
        var queue = opened(
            recorded + [
                JournalEntry(first, .signed(attempt(0))), JournalEntry(first, .nonceLost(0)),
                JournalEntry(first, .foreignAcknowledged),
            ]
        )
        let signs = SendQueue.Directive.prepare(first, Self.step, .normal, isReplacement: false)
        #expect(!queue.handle(.tick, at: .zero).contains(signs))
        // The word of one endpoint alone is not enough.
        let doubts = [attempt(0).hash: SendQueue.LoneClaim.nonce]
        let alone = seen([], asked: [attempt(0)], head: 7, settled: 1, doubts: doubts)
        #expect(entries(queue.handle(alone, at: .zero)) == [])
        #expect(!queue.handle(.tick, at: .zero).contains(signs))
        #expect(queue.progress(of: Self.intent.id)?.note == SendQueue.LoneClaim.nonce.reason.detail)
        let missing = seen([], asked: [attempt(0)], head: 7, settled: 1)
        #expect(entries(queue.handle(missing, at: .zero)) == [])
        #expect(queue.handle(.tick, at: .zero).contains(signs))
    }

    @Test func `sends an unanswered step again after growing pauses`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        let sends = SendQueue.Directive.broadcast(first, attempt(0))
        #expect(queue.handle(.tick, at: .zero).contains(sends))
        var now = Duration.zero
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            _ = queue.handle(.sent(first, attempt(0).hash, .unreachable), at: now)
            #expect(queue.progress(of: Self.intent.id)?.phase == .unanswered)
            #expect(!queue.handle(.tick, at: now).contains(sends), "\(pause)")
            now += .seconds(pause)
            #expect(queue.handle(.tick, at: now).contains(sends), "\(pause)")
        }
        _ = queue.handle(.sent(first, attempt(0).hash, .taken), at: now)
        #expect(queue.progress(of: Self.intent.id)?.phase == .sent)
    }
}
