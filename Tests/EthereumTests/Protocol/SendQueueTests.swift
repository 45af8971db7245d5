import Ethereum
import Keys
import Market
import Support
import Testing
import Texts

struct SendQueueTests {
    static let account = testKey(1).address
    static let step = Intent.Step(to: testKey(2).address, data: [1])
    static let intent = Intent(
        id: IntentID(Bytes32(repeating: 1)),
        purpose: "test",
        steps: [step, step]
    )
    let first = SendSlot(intent: Self.intent.id, step: 0)
    private let second = SendSlot(intent: Self.intent.id, step: 1)

    func opened(
        _ journal: [JournalEntry],
        lost: Duration = .zero,
        overdueBlocks: UInt64 = 0
    ) -> SendQueue {
        SendQueue(
            account: Self.account,
            chain: ChainID(1),
            pace: SendQueue.Pace(
                confirmations: 3,
                overdue: .seconds(125),
                overdueBlocks: overdueBlocks,
                rebroadcast: .seconds(30),
                lost: lost
            ),
            fees: FeePolicy(ceiling: Amount(small: 1_000)),
            journal: journal
        )
    }

    var recorded: [JournalEntry] { [JournalEntry(first, .intentRecorded(Self.intent))] }

    func attempt(_ nonce: UInt64, price: UInt64 = 100) -> SignedAttempt {
        SignedAttempt(
            kind: .original,
            nonce: nonce,
            pricing: .legacy(gasPrice: Amount(small: price)),
            hash: Bytes32(words: nonce, price, 0, 1),
            raw: [UInt8(nonce)]
        )
    }

    func receipt(_ nonce: UInt64, block: UInt64, isSuccess: Bool = true) -> Receipt {
        Receipt(
            transaction: attempt(nonce).hash,
            block: BlockID(number: block, hash: Bytes32(words: block, 0, 0, 0)),
            isSuccess: isSuccess,
            gasUsed: 1,
            gasPrice: .zero
        )
    }

    func seen(
        _ receipts: [Receipt],
        asked: [SignedAttempt],
        head: UInt64,
        settled: UInt64 = 0,
        doubts: [Bytes32: SendQueue.LoneClaim] = [:]
    ) -> SendQueue.Event {
        .observed(
            SendQueue.Observation(
                asked: Set(asked.map(\.hash)),
                head: head,
                settledNonce: settled,
                receipts: Dictionary(uniqueKeysWithValues: receipts.map { ($0.transaction, $0) }),
                vouched: Set(asked.map(\.hash)).subtracting(doubts.keys),
                doubts: doubts
            )
        )
    }

    func entries(_ directives: [SendQueue.Directive]) -> [JournalStep] {
        directives.compactMap { if case .journal(let entry) = $0 { entry.step } else { nil } }
    }

    /// Withdraws the intent, and returns whether that was possible.
    func withdrawn(_ queue: inout SendQueue) -> Bool {
        guard let entry = queue.withdrawal(of: Self.intent.id) else { return false }
        queue.decisionIsRecorded(entry)
        return true
    }

    @Test func `journals signed bytes before it sends them`() {
        var queue = opened(recorded)
        _ = queue.handle(.tick, at: .zero)
        let directives = queue.handle(.signed(first, attempt(0)), at: .zero)

        #expect(
            directives.prefix(2) == [
                .journal(JournalEntry(first, .signed(attempt(0)))),
                .broadcast(first, attempt(0)),
            ]
        )
    }

    @Test func `starts the next step when the previous one is mined`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        let before = queue.handle(.tick, at: .zero)
        #expect(before == [.broadcast(first, attempt(0)), .observe([attempt(0).hash])])
        _ = queue.handle(seen([receipt(0, block: 5)], asked: [attempt(0)], head: 5), at: .zero)
        let after = queue.handle(.tick, at: .zero)

        #expect(after.contains(.prepare(second, Self.step, .normal, isReplacement: false)))
    }

    @Test func `signs no intent between the steps of another`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        let other = Intent(
            id: IntentID(Bytes32(repeating: 2)),
            purpose: "other",
            steps: [Self.step]
        )
        queue.add(other)
        let prepareOther = SendQueue.Directive.prepare(
            SendSlot(intent: other.id, step: 0),
            Self.step,
            .normal,
            isReplacement: false
        )
        #expect(!queue.handle(.tick, at: .zero).contains(prepareOther))
        _ = queue.handle(seen([receipt(0, block: 5)], asked: [attempt(0)], head: 5), at: .zero)
        let between = queue.handle(.tick, at: .zero)
        #expect(between.contains(.prepare(second, Self.step, .normal, isReplacement: false)))
        _ = queue.handle(.signed(second, attempt(1)), at: .zero)

        #expect(queue.handle(.tick, at: .zero).contains(prepareOther))
    }

    @Test func `drops an unsigned intent, but not one that is being signed`() {
        var queue = opened(recorded)
        _ = queue.handle(.tick, at: .zero)
        let whileBusy = queue.withdrawal(of: Self.intent.id)
        #expect(whileBusy == nil)
        _ = queue.handle(.delayed(first, Sentence("progress.gasPricesDiffer")), at: .zero)

        let unstored = queue.withdrawal(of: Self.intent.id)
        #expect(unstored?.step == .refused)
        // It is neither signed nor ended before that is durable.
        let twice = queue.withdrawal(of: Self.intent.id)
        #expect(twice == nil)
        #expect(queue.handle(.tick, at: .zero).isEmpty)
        if let unstored { queue.decisionIsRecorded(unstored, isKept: false) }
        #expect(queue.progress(of: Self.intent.id)?.phase.isEnd == false)

        let isDropped = withdrawn(&queue)
        #expect(isDropped)
        #expect(queue.progress(of: Self.intent.id)?.phase == .refused("it was cancelled"))
        #expect(queue.handle(.tick, at: .zero).isEmpty)
        let again = queue.withdrawal(of: Self.intent.id)
        #expect(again == nil)
    }

    @Test func `drops an old intent only if none of its steps was ever signed`() {
        let id = Self.intent.id
        var fresh = opened(recorded)
        #expect(fresh.awaitsOwner(first))
        _ = fresh.handle(.tick, at: .zero)
        _ = fresh.handle(.delayed(first, Sentence("progress.gasPricesDiffer")), at: .zero)
        #expect(!fresh.awaitsOwner(first))
        _ = fresh.handle(.locked(first), at: .zero)
        #expect(fresh.awaitsOwner(first))
        let old = fresh.drop(id, because: "it is old")
        if let old { fresh.decisionIsRecorded(old) }
        #expect(fresh.progress(of: id)?.phase == .refused("it is old"))

        let signed = recorded + [JournalEntry(first, .signed(attempt(0)))]
        let lost = signed + [JournalEntry(first, .nonceLost(0))]
        let mined = signed + [JournalEntry(first, .mined(receipt(0, block: 5)))]
        for journal in [signed, lost, mined] {
            var queue = opened(journal)
            let dropped = queue.drop(id, because: "it is old")
            #expect(dropped == nil)
            #expect(!queue.awaitsOwner(first) && !queue.awaitsOwner(second))
        }
    }

    @Test func `drops an unsigned second step while the first awaits confirmation`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        let early = queue.withdrawal(of: Self.intent.id)
        #expect(early == nil)
        _ = queue.handle(seen([receipt(0, block: 5)], asked: [attempt(0)], head: 5), at: .zero)
        let dropped = queue.withdrawal(of: Self.intent.id)
        #expect(dropped == JournalEntry(second, .refused("it was cancelled")))
        if let dropped { queue.decisionIsRecorded(dropped) }
        let end = queue.handle(
            seen([receipt(0, block: 5)], asked: [attempt(0)], head: 7),
            at: .zero
        )
        #expect(entries(end) == [.final])
        #expect(queue.progress(of: Self.intent.id)?.phase == .refused("it was cancelled"))
    }

    @Test func `sends no step after a failed one and does not retry it`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        _ = queue.handle(.tick, at: .zero)
        let failed = receipt(0, block: 5, isSuccess: false)
        _ = queue.handle(seen([failed], asked: [attempt(0)], head: 5), at: .zero)
        #expect(queue.handle(.tick, at: .zero) == [.observe([attempt(0).hash])])
        let end = queue.handle(seen([failed], asked: [attempt(0)], head: 7), at: .zero)

        #expect(entries(end) == [.reverted])
        #expect(queue.progress(of: Self.intent.id)?.phase == .reverted)
        #expect(queue.handle(.tick, at: .seconds(1_000)) == [])
    }

    @Test func `starts the next step although a false receipt came first`() {
        let prepares = SendQueue.Directive.prepare(second, Self.step, .normal, isReplacement: false)
        let (wrong, right) = (receipt(0, block: 5, isSuccess: false), receipt(0, block: 5))
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        _ = queue.handle(seen([wrong], asked: [attempt(0)], head: 5), at: .zero)
        #expect(!queue.handle(.tick, at: .zero).contains(prepares))
        let end = queue.handle(seen([right], asked: [attempt(0)], head: 7), at: .zero)
        #expect(entries(end) == [.mined, .final])
        #expect(queue.progress(of: Self.intent.id)?.receipts.first == right)
        #expect(queue.handle(.tick, at: .zero).contains(prepares))

        // Earlier versions kept the false one.
        let kept: [JournalEntry.Event] = [
            .signed(attempt(0)), .mined(wrong), .final(attempt(0).hash),
        ]
        var again = opened(recorded + kept.map { JournalEntry(first, $0) })
        #expect(again.handle(.tick, at: .zero).contains(prepares))
    }

    @Test func `sends the same bytes again after a lost block`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        _ = queue.handle(.tick, at: .zero)
        _ = queue.handle(seen([receipt(0, block: 5)], asked: [attempt(0)], head: 5), at: .zero)
        let lost = queue.handle(seen([], asked: [attempt(0)], head: 6), at: .seconds(1))
        #expect(entries(lost) == [.unmined])
        #expect(queue.handle(.tick, at: .seconds(1)).first == .broadcast(first, attempt(0)))
    }

    @Test func `waits with an end that only one endpoint tells, and says so`() {
        let failed = receipt(0, block: 5, isSuccess: false)
        let doubts = [failed.transaction: SendQueue.LoneClaim.receipt]
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        let alone = seen([failed], asked: [attempt(0)], head: 9, doubts: doubts)
        #expect(entries(queue.handle(alone, at: .zero)) == [.mined])
        #expect(queue.handle(alone, at: .zero).isEmpty)
        let progress = queue.progress(of: Self.intent.id)
        #expect(progress?.phase == .mined(confirmations: 2, of: 3))
        #expect(progress?.note == SendQueue.LoneClaim.receipt.reason.detail)
        let right = seen([receipt(0, block: 5)], asked: [attempt(0)], head: 9)
        #expect(entries(queue.handle(right, at: .zero)) == [.mined, .final])
        #expect(queue.progress(of: Self.intent.id)?.note == nil)
    }

    /// - From endpoints: a receipt that comes and goes, or heads that do → the journal notes the first 16
    ///   changes, then only an end
    @Test func `a receipt that comes and goes does not fill the journal`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        let (mined, asked) = ([receipt(0, block: 5, isSuccess: false)], [attempt(0)])
        _ = queue.handle(seen(mined, asked: asked, head: 6), at: .zero)
        for head in [5, 6, 5] as [UInt64] {
            #expect(queue.handle(seen(mined, asked: asked, head: head), at: .zero).isEmpty)
            #expect(
                queue.progress(of: Self.intent.id)?.phase == .mined(confirmations: 2, of: 3)
            )
        }
        var written: [JournalStep] = []
        for _ in 0..<100 {
            written += entries(queue.handle(seen([], asked: asked, head: 6), at: .zero))
            written += entries(queue.handle(seen(mined, asked: asked, head: 6), at: .zero))
        }
        #expect(written.count == 2 * ChainLimits().minedMax - 1)
        #expect(queue.handle(seen(mined, asked: asked, head: 6), at: .zero).isEmpty)
        let end = queue.handle(seen(mined, asked: asked, head: 7), at: .zero)
        #expect(entries(end) == [.mined, .reverted])
    }

    @Test func `sends bytes again only when they are due`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        #expect(queue.handle(.tick, at: .zero).contains(.broadcast(first, attempt(0))))
        #expect(!queue.handle(.tick, at: .seconds(29)).contains(.broadcast(first, attempt(0))))
        #expect(queue.handle(.tick, at: .seconds(30)).contains(.broadcast(first, attempt(0))))
    }

    @Test func `gives up a nonce only after full confirmations, seen twice`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        _ = queue.handle(.tick, at: .zero)
        let unsettled = seen([], asked: [attempt(0)], head: 5)
        for _ in 0..<5 { #expect(entries(queue.handle(unsettled, at: .zero)) == []) }
        #expect(queue.progress(of: Self.intent.id)?.phase == .signed)
        let settled = seen([], asked: [attempt(0)], head: 7, settled: 1)
        #expect(entries(queue.handle(settled, at: .zero)) == [])
        #expect(queue.progress(of: Self.intent.id)?.phase == .keyUsedElsewhere)
        #expect(entries(queue.handle(settled, at: .zero)) == [.nonceLost])

        #expect(queue.isPaused)
        let directives = queue.handle(.tick, at: .zero)
        #expect(!directives.contains(.prepare(first, Self.step, .normal, isReplacement: false)))
    }

    @Test func `keeps a pause over a restart until its owner acknowledges it`() throws {
        let lost = [
            JournalEntry(first, .signed(attempt(0))), JournalEntry(first, .nonceLost(0)),
        ]
        var queue = opened(recorded + lost)
        #expect(queue.isPaused)
        let entry = try #require(queue.acknowledgement())
        var again = opened(recorded + lost + [entry])
        #expect(!again.isPaused)
        _ = again.handle(.tick, at: .zero)
        let preparation = SendQueue.Preparation(
            nextNonce: 1,
            gasLimit: 50_000,
            pricing: .legacy(gasPrice: Amount(small: 100))
        )
        let directives = again.handle(.prepared(first, preparation), at: .zero)
        guard case .sign(first, .original, let transaction) = directives.first else {
            Issue.record("\(directives)")
            return
        }
        #expect(transaction.nonce == 1)
        _ = queue.handle(.tick, at: .zero)
    }

    @Test func `keeps an agreed fee over a restart, and only its owner raises it`() throws {
        let bounded = Intent(
            id: Self.intent.id,
            purpose: "pay",
            steps: Self.intent.steps,
            feesMax: Self.intent.steps.indices.map { Amount(small: 500 + UInt64($0)) }
        )
        let begun = JournalEntry(first, .intentRecorded(bounded))
        let raised = JournalEntry(first, .feeRaised(Amount(small: 900)))
        for entry in [begun, raised] {
            #expect(try JournalEntry(storedBytes: entry.storedBytes) == entry)
        }
        #expect(opened([begun]).feeMax(of: first) == Amount(small: 500))
        #expect(opened([begun]).feeMax(of: second) == Amount(small: 501))
        #expect(opened([begun]).feesMax(of: bounded.id) == Amount(small: 1_001))
        #expect(opened([begun, raised]).feesMax(of: bounded.id) == Amount(small: 1_401))
        #expect(opened(recorded).feesMax(of: bounded.id) == nil)
        let lost = [begun, raised, JournalEntry(first, .nonceLost(7))]
        #expect(opened(lost).feeMax(of: first) == Amount(small: 900))
        #expect(opened(recorded).feeMax(of: first) == nil)
    }

    @Test func `a transaction sent for too long is overdue`() {
        var queue = opened(recorded + [JournalEntry(first, .signed(attempt(0)))])
        _ = queue.handle(.tick, at: .zero)
        _ = queue.handle(.sent(first, attempt(0).hash, .taken), at: .zero)
        _ = queue.handle(seen([], asked: [attempt(0)], head: 5), at: .seconds(125))
        #expect(queue.progress(of: Self.intent.id)?.phase == .sent)
        _ = queue.handle(seen([], asked: [attempt(0)], head: 5), at: .seconds(126))
        #expect(queue.progress(of: Self.intent.id)?.phase == .overdue)
    }

    @Test func `a transaction is overdue only after enough blocks without it`() {
        let events = recorded + [JournalEntry(first, .signed(attempt(0)))]
        var queue = opened(events, overdueBlocks: 25)
        _ = queue.handle(.tick, at: .zero)
        _ = queue.handle(.sent(first, attempt(0).hash, .taken), at: .zero)
        // The blocks of this chain take 12 seconds each.
        for (block, phase) in [(100, .sent), (111, .sent), (124, .sent), (125, .overdue)]
            as [(UInt64, SendPhase)]
        {
            let time = Duration.seconds(1 + 12 * Int(block - 100))
            _ = queue.handle(seen([], asked: [attempt(0)], head: block), at: time)
            #expect(queue.progress(of: Self.intent.id)?.phase == phase, "\(block)")
        }
    }

    @Test func `every entry survives encoding`() throws {
        let events: [JournalEntry.Event] = [
            .intentRecorded(Self.intent), .signed(attempt(3)), .broadcast(.zero),
            .mined(receipt(3, block: 9)), .unmined(.zero), .final(.zero), .reverted(.zero),
            .cancelled(.zero), .nonceLost(4), .foreignAcknowledged, .foreignReplaceable(5),
            .refused("no"),
            .replacementWanted(.cancel), .replacementWanted(nil), .feeRaised(Amount(small: 5)),
            .requested(
                RequestedTransaction(
                    kind: .speedUp,
                    nonce: 7,
                    gasLimit: 50_000,
                    pricing: .legacy(gasPrice: Amount(small: 3))
                )
            ),
        ]
        #expect(Set(events.map { JournalEntry(first, $0).step }) == Set(JournalStep.allCases))
        for event in events {
            let entry = JournalEntry(second, event)
            let bytes = entry.storedBytes
            #expect(try JournalEntry(storedBytes: bytes) == entry)
            for count in bytes.indices {
                #expect(throws: StoredValueError.self) {
                    try JournalEntry(storedBytes: Array(bytes.prefix(count)))
                }
            }
            #expect(throws: StoredValueError.trailingBytes) {
                try JournalEntry(storedBytes: bytes + [0])
            }
        }
    }
}
