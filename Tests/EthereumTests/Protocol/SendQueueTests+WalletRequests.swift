import Ethereum
import Keys
import Market
import Support
import Testing

/// Steps whose key is in a wallet outside the node.
extension SendQueueTests {
    private static let key = testKey(1)

    private var requested: RequestedTransaction {
        RequestedTransaction(
            kind: .original,
            nonce: 7,
            gasLimit: 50_000,
            pricing: .dynamic(priorityFee: Amount(small: 1), feeCap: Amount(small: 100))
        )
    }

    private var journal: [JournalEntry] { recorded + [JournalEntry(first, .requested(requested))] }

    @Test func `stores and makes a request once, however often the queue runs`() throws {
        var queue = opened(recorded)
        _ = queue.handle(.tick, at: .zero)
        let directives = queue.handle(.requested(first, requested), at: .zero)
        #expect(directives.first == .journal(JournalEntry(first, .requested(requested))))
        #expect(queue.progress(of: Self.intent.id)?.phase == .awaitsSignature)
        #expect(queue.handle(.tick, at: .seconds(100)).isEmpty)

        let again = opened(journal)
        #expect(again.progress(of: Self.intent.id)?.phase == .awaitsSignature)
        #expect(again.walletRequest(of: Self.intent.id) == queue.walletRequest(of: Self.intent.id))
        let asked = try #require(again.walletRequest(of: Self.intent.id)?.asked)
        #expect(asked.transaction.nonce == 7)
        #expect(asked.transaction.data == Self.intent.steps[0].data)
        #expect(asked.nonces == 7...22)
        #expect(asked.feeMax == Amount(small: 5_000_000))
    }

    @Test func `begins no other step before a request is answered`() throws {
        var queue = opened(journal)
        let other = Intent(
            id: IntentID(Bytes32(repeating: 2)),
            purpose: "other",
            steps: [Self.intent.steps[0]]
        )
        queue.add(other)
        #expect(queue.handle(.tick, at: .zero).isEmpty)

        let request = try #require(queue.walletRequest(of: Self.intent.id))
        let signed = try request.asked.transaction.signed(by: Self.key)
        let answer = queue.answer(request, with: signed)
        let entry = try #require(answer)
        // While it is written down, it can neither be answered again nor withdrawn.
        #expect(queue.answer(request, with: signed) == nil)
        #expect(queue.withdrawal(of: Self.intent.id) == nil)
        queue.decisionIsRecorded(entry, isKept: true)
        #expect(queue.walletRequest(of: Self.intent.id) == nil)
        guard case .signed(let attempt) = entry.event else {
            Issue.record("\(entry)")
            return
        }
        #expect(attempt.hash == signed.hash && attempt.raw == signed.encoded)
        #expect(queue.handle(.tick, at: .zero).contains(.broadcast(first, attempt)))
    }

    @Test func `an answer that could not be stored leaves the request open`() throws {
        var queue = opened(journal)
        let request = try #require(queue.walletRequest(of: Self.intent.id))
        let signed = try request.asked.transaction.signed(by: Self.key)
        let answer = queue.answer(request, with: signed)
        let entry = try #require(answer)
        queue.decisionIsRecorded(entry, isKept: false)

        #expect(queue.walletRequest(of: Self.intent.id) == request)
        #expect(queue.answer(request, with: signed) != nil)
    }

    @Test func `a withdrawn request ends its intent and lets another one begin`() {
        var queue = opened(journal)
        let isEnded = withdrawn(&queue)
        #expect(isEnded)
        #expect(queue.walletRequest(of: Self.intent.id) == nil)
        #expect(queue.progress(of: Self.intent.id)?.phase.isEnd == true)
    }

    /// A wallet speeds its own transaction up: the same once more, with the same nonce.
    @Test func `does not ask again for a transaction that the wallet replaced itself`() throws {
        var queue = opened(journal + [JournalEntry(first, .signed(attempt(7)))])
        let settled = seen([], asked: [attempt(7)], head: 9, settled: 8)
        var steps: [JournalStep] = []
        for _ in 0..<2 { steps += entries(queue.handle(settled, at: .zero)) }
        #expect(steps == [.nonceLost])
        let lost = JournalEntry(first, .nonceLost(7))
        for isRestarted in [false, true] {
            var next =
                isRestarted
                ? opened(journal + [JournalEntry(first, .signed(attempt(7))), lost]) : queue
            if isRestarted { next.apply(try #require(next.acknowledgement())) }
            #expect(entries(next.handle(.tick, at: .zero)) == [.refused])
            let progress = try #require(next.progress(of: Self.intent.id))
            #expect(progress.phase.isEnd && progress.wasRequested)
            #expect(next.handle(.tick, at: .zero).isEmpty)
        }
    }

    @Test func `requests a replacement with the nonce of the original`() throws {
        var queue = opened(journal)
        let request = try #require(queue.walletRequest(of: Self.intent.id))
        let signed = try request.asked.transaction.signed(by: Self.key)
        let answer = queue.answer(request, with: signed)
        let entry = try #require(answer)
        queue.decisionIsRecorded(entry, isKept: true)
        let replacement = queue.replacement(of: Self.intent.id, by: .cancel)
        let wanted = try #require(replacement)
        queue.replacementIsRecorded(wanted)
        let second = RequestedTransaction(
            kind: .cancel,
            nonce: 7,
            gasLimit: 21_000,
            pricing: .dynamic(priorityFee: Amount(small: 2), feeCap: Amount(small: 200))
        )
        _ = queue.handle(.tick, at: .zero)
        _ = queue.handle(.requested(first, second), at: .zero)

        let asked = try #require(queue.walletRequest(of: Self.intent.id))
        #expect(asked.kind == .cancel && asked.asked.nonces == 7...7)
        #expect(asked.asked.transaction.to == Self.account && asked.asked.transaction.data.isEmpty)
        #expect(queue.progress(of: Self.intent.id)?.note?.contains("your wallet") == true)
        // It is not prepared again while it waits.
        let prepares = queue.handle(.tick, at: .seconds(1)).contains {
            if case .prepare = $0 { true } else { false }
        }
        #expect(!prepares)
    }

    /// A journal in which a wallet has signed the first step with a later nonce than it was asked for.
    private func ahead(by nonces: UInt64) -> [JournalEntry] {
        journal + [JournalEntry(first, .signed(attempt(7 + nonces)))]
    }

    private static let follower = Intent(
        id: IntentID(Bytes32(repeating: 2)),
        purpose: "other",
        steps: [intent.steps[0]]
    )

    /// The nonce that is signed, or requested, when the chain has `count` of the account's transactions.
    private func next(_ queue: inout SendQueue, count: UInt64) -> UInt64? {
        _ = queue.handle(.tick, at: .zero)
        let preparation = SendQueue.Preparation(
            nextNonce: count,
            gasLimit: 50_000,
            pricing: requested.pricing
        )
        let slot = SendSlot(intent: Self.follower.id, step: 0)
        let directives = queue.handle(.prepared(slot, preparation), at: .zero)
        guard case .sign(slot, .original, let transaction)? = directives.first else { return nil }
        return transaction.nonce
    }

    /// - From people: a signed transaction with the nonce of another waiting one → bad_signature
    @Test func `signs a later step with the nonce that a wallet skipped`() throws {
        // The wallet chose 9, and never sends 7 and 8.
        var queue = opened(ahead(by: 2))
        queue.add(Self.follower)
        // The first intent has a second step, and holds the other up until it is overdue.
        let before = queue.handle(.tick, at: .zero)
        let slot = SendSlot(intent: Self.follower.id, step: 0)
        let prepare = SendQueue.Directive.prepare(
            slot,
            Self.follower.steps[0],
            .normal,
            isReplacement: false
        )
        #expect(!before.contains(prepare))
        _ = queue.handle(.sent(first, attempt(9).hash, .taken), at: .zero)
        _ = queue.handle(seen([], asked: [attempt(9)], head: 9, settled: 7), at: .seconds(200))
        #expect(queue.handle(.tick, at: .seconds(200)).contains(prepare))
        #expect(next(&queue, count: 7) == 7)

        let request = RequestedTransaction(
            kind: .original,
            nonce: 7,
            gasLimit: 50_000,
            pricing: requested.pricing
        )
        _ = queue.handle(.requested(slot, request), at: .zero)
        let asked = try #require(queue.walletRequest(of: Self.follower.id)?.asked)
        // The wallet may know what fills the gap, so it can also go on above its own.
        #expect(asked.nonces == 7...25 && asked.taken == [9])
        var other = asked.transaction
        for (nonce, fault) in [(9, AskedTransactionFault.nonceTaken(9)), (8, nil)] {
            other = Transaction(
                chain: ChainID(1),
                nonce: UInt64(nonce),
                to: other.to,
                value: other.value,
                data: other.data,
                gasLimit: other.gasLimit,
                pricing: other.pricing
            )
            let raw = try other.signed(by: Self.key).encoded
            if let fault {
                #expect(throws: fault) { try asked.signed(raw: raw) }
            } else {
                #expect(try asked.signed(raw: raw).transaction.nonce == 8)
            }
        }
    }

    @Test func `new transactions fill the gap that a false count has left`() {
        // The chain counts 3, and an endpoint told 6.
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(6)))])
        queue.add(Self.follower)
        _ = queue.handle(.sent(first, attempt(6).hash, .taken), at: .zero)
        _ = queue.handle(seen([], asked: [attempt(6)], head: 9, settled: 3), at: .seconds(60))
        #expect(queue.freeNonce(from: 3) == 7)
        _ = queue.handle(seen([], asked: [attempt(6)], head: 9, settled: 3), at: .seconds(200))
        #expect(queue.freeNonce(from: 3) == 3 && queue.freeNonce(from: 5) == 5)
        // Its owner is told what it waits for.
        #expect(queue.progress(of: Self.intent.id)?.missingNonce == 3)
        let slot = SendSlot(intent: Self.follower.id, step: 0)
        #expect(next(&queue, count: 3) == 3)
        queue.apply(JournalEntry(slot, .signed(attempt(3))))
        #expect(queue.freeNonce(from: 3) == 4)
        _ = queue.handle(seen([], asked: [attempt(6)], head: 9, settled: 4), at: .seconds(201))
        #expect(queue.progress(of: Self.intent.id)?.missingNonce == 4)
        _ = queue.handle(seen([], asked: [attempt(6)], head: 9, settled: 6), at: .seconds(202))
        #expect(queue.progress(of: Self.intent.id)?.missingNonce == nil)
        // A far too high count does not fill the memory.
        var far = opened(recorded + [JournalEntry(first, .signed(attempt(200)))])
        _ = far.handle(.sent(first, attempt(200).hash, .taken), at: .zero)
        let asked = [attempt(200)]
        _ = far.handle(seen([], asked: asked, head: 9, settled: 3), at: .seconds(200))
        #expect(far.skippedNonces == Set(3..<19))
    }

    @Test func `never assigns a nonce that is used or already assigned`() {
        var used = opened(ahead(by: 2))
        used.add(Self.follower)
        _ = used.handle(seen([], asked: [attempt(9)], head: 9, settled: 8), at: .zero)
        #expect(used.skippedNonces == [8])
        #expect(used.freeNonce(from: 8) == 8)
        #expect(used.freeNonce(from: 9) == 10)
        // An endpoint that is behind gives nothing back.
        #expect(opened(ahead(by: 0)).freeNonce(from: 3) == 8)
        let slot = SendSlot(intent: Self.follower.id, step: 0)
        used.apply(JournalEntry(slot, .signed(attempt(8))))
        #expect(used.freeNonce(from: 8) == 10)
    }

    @Test func `a stored request can be read back`() throws {
        for pricing in [
            requested.pricing, .legacy(gasPrice: Amount(small: 3)),
        ] {
            let request = RequestedTransaction(
                kind: .speedUp,
                nonce: .max,
                gasLimit: 21_000,
                pricing: pricing
            )
            let entry = JournalEntry(first, .requested(request))
            #expect(try JournalEntry(storedBytes: entry.storedBytes) == entry)
        }
    }
}
