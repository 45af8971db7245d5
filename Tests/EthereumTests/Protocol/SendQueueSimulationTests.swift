import Ethereum
import Keys
import Market
import Support
import Testing
import Texts

/// Many lives of one account: crashes, reorganisations, lost transactions, foreign ones.
struct SendQueueSimulationTests {
    @Test(arguments: 0..<64 as Range<UInt64>)
    func `runs each step once and never shares a nonce, whatever happens`(seed: UInt64) {
        var life = AccountLife(seed: seed)
        for _ in 0..<120 { life.round(isCalm: false) }
        for _ in 0..<120 where !life.isDone { life.round(isCalm: true) }

        #expect(life.isDone, "\(life.queue.allProgress.map(\.phase))")
        #expect(life.faults == [])
    }
}

/// A chain as one account sees it, and a queue that is driven, killed and opened again.
private struct AccountLife {
    private struct Sent {
        let slot: SendSlot?
        let nonce: UInt64
        let isCancel: Bool
    }

    private static let account = testKey(1).address
    private static let steps = [1, 2, 1, 3]

    private(set) var queue: SendQueue
    private(set) var faults: [String] = []
    private var random: SeededRandom
    private var journal: [JournalEntry] = []
    private var uptime = Duration.zero
    private var known: [Bytes32: Sent] = [:]
    private var pool: [UInt64: [Bytes32]] = [:]
    /// All that anybody ever sent; some node of the network remembers it.
    private var everSent: [UInt64: [Bytes32]] = [:]
    private var blocks: [(id: BlockID, transactions: [Bytes32])] = []
    private var branch: UInt64 = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        queue = Self.opened([])
        mine(isForeign: false)
        for (number, count) in Self.steps.enumerated() {
            let step = Intent.Step(to: testKey(2).address, data: [UInt8(number)])
            let intent = Intent(
                id: IntentID(Bytes32(repeating: UInt8(number + 1))),
                purpose: "test",
                steps: Array(repeating: step, count: count)
            )
            let slot = SendSlot(intent: intent.id, step: 0)
            journal.append(JournalEntry(slot, .intentRecorded(intent)))
            queue.add(intent)
        }
    }

    private static func opened(_ journal: [JournalEntry]) -> SendQueue {
        SendQueue(
            account: account,
            chain: ChainID(1),
            pace: SendQueue.Pace(
                confirmations: 3,
                overdue: .seconds(60),
                overdueBlocks: 0,
                rebroadcast: .seconds(10)
            ),
            fees: FeePolicy(ceiling: .max),
            journal: journal
        )
    }

    var isDone: Bool { queue.allProgress.allSatisfy(\.phase.isEnd) }

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 0..<one, using: &random) == 0
    }

    mutating func round(isCalm: Bool) {
        uptime += .seconds(5)
        if !isCalm, chance(5) { reorganise() }
        if isCalm || chance(2) { mine(isForeign: !isCalm && chance(8)) }
        if !isCalm, chance(10), let progress = queue.allProgress.first(where: { !$0.phase.isEnd }) {
            if let wish = queue.replacement(of: progress.intent, by: .speedUp) {
                if !chance(4) { journal.append(wish) }
                queue.replacementIsRecorded(wish, isKept: journal.last == wish)
            }
        }
        if queue.isPaused, isCalm || chance(2), let entry = queue.acknowledgement() {
            journal.append(entry)
            queue.apply(entry)
        }
        var directives = queue.handle(.tick, at: uptime)[...]
        while let directive = directives.popFirst() {
            if !isCalm, chance(40) { return restart() }
            if let event = perform(directive, isCalm: isCalm) {
                directives += queue.handle(event, at: uptime)
            }
        }
        check()
    }

    private mutating func restart() {
        queue = Self.opened(journal)
    }

    private mutating func perform(
        _ directive: SendQueue.Directive,
        isCalm: Bool
    ) -> SendQueue.Event? {
        switch directive {
        case .journal(let entry):
            journal.append(entry)
            return nil
        case .prepare(let slot, _, _, _):
            if !isCalm, chance(6) { return .delayed(slot, Sentence("progress.gasPricesDiffer")) }
            return .prepared(
                slot,
                SendQueue.Preparation(
                    nextNonce: count(upTo: blocks.count),
                    gasLimit: 100_000,
                    pricing: .legacy(gasPrice: Amount(small: 100))
                )
            )
        case .sign(let slot, let kind, let transaction):
            if !isCalm, chance(6) { return .locked(slot) }
            let hash = transaction.signingHash
            known[hash] = Sent(
                slot: slot,
                nonce: transaction.nonce,
                isCancel: kind == .cancel
            )
            return .signed(
                slot,
                SignedAttempt(
                    kind: kind,
                    nonce: transaction.nonce,
                    pricing: transaction.pricing,
                    hash: hash,
                    raw: hash.bytes
                )
            )
        case .broadcast(let slot, let attempt):
            return .sent(slot, attempt.hash, take(attempt, isCalm: isCalm))
        case .observe(let hashes): return observe(hashes)
        case .tell: return nil
        }
    }

    private mutating func take(_ attempt: SignedAttempt, isCalm: Bool) -> SendQueue.SendAnswer {
        if !journal.contains(where: { $0.event == .signed(attempt) }) {
            faults.append("sent before it was journalled")
        }
        if !isCalm, chance(5) { return .unreachable }
        if attempt.nonce < count(upTo: blocks.count) { return .nonceUsed }
        if pool[attempt.nonce]?.contains(attempt.hash) != true {
            pool[attempt.nonce, default: []].append(attempt.hash)
            everSent[attempt.nonce, default: []].append(attempt.hash)
        }
        // Taken, but the answer may be lost.
        return !isCalm && chance(8) ? .unreachable : .taken
    }

    private func observe(_ hashes: [Bytes32]) -> SendQueue.Event {
        var receipts: [Bytes32: Receipt] = [:]
        for block in blocks {
            for hash in block.transactions where hashes.contains(hash) {
                receipts[hash] = Receipt(
                    transaction: hash,
                    block: block.id,
                    isSuccess: true,
                    gasUsed: 1,
                    gasPrice: .zero
                )
            }
        }
        return .observed(
            SendQueue.Observation(
                asked: Set(hashes),
                head: UInt64(blocks.count - 1),
                settledNonce: count(upTo: max(0, blocks.count - 2)),
                receipts: receipts,
                vouched: Set(hashes)
            )
        )
    }

    private func count(upTo height: Int) -> UInt64 {
        UInt64(blocks.prefix(height).reduce(0) { $0 + $1.transactions.count })
    }

    private mutating func mine(isForeign: Bool) {
        branch += 1
        let id = BlockID(number: UInt64(blocks.count), hash: Bytes32(words: branch, 0, 0, 0))
        var mined: [Bytes32] = []
        var nonce = count(upTo: blocks.count)
        if isForeign {
            let hash = Bytes32(words: branch, 1, 1, 1)
            known[hash] = Sent(slot: nil, nonce: nonce, isCancel: false)
            pool[nonce] = [hash]
            everSent[nonce, default: []].append(hash)
        }
        while let hash = pool.removeValue(forKey: nonce)?.randomElement(using: &random) {
            mined.append(hash)
            nonce += 1
        }
        blocks.append((id, mined))
    }

    /// Drops up to two blocks, less than what is called final, and perhaps what was in them.
    private mutating func reorganise() {
        let depth = min(Int.random(in: 1...2, using: &random), blocks.count - 1)
        for _ in 0..<depth {
            for hash in blocks.removeLast().transactions where !chance(3) {
                guard let nonce = known[hash]?.nonce else { continue }
                pool[nonce] = everSent[nonce]
            }
        }
        for _ in 0...depth { mine(isForeign: false) }
    }

    private mutating func check() {
        var ran: [SendSlot: Int] = [:]
        for hash in blocks.flatMap(\.transactions) {
            guard let sent = known[hash], let slot = sent.slot else { continue }
            ran[slot, default: 0] += 1
        }
        if ran.values.contains(where: { $0 > 1 }) { faults.append("a step ran twice") }
        var owners: [UInt64: SendSlot] = [:]
        for entry in journal {
            guard case .signed(let attempt) = entry.event else { continue }
            let owner = owners[attempt.nonce, default: entry.slot]
            if owner != entry.slot { faults.append("a nonce of two steps") }
            owners[attempt.nonce] = entry.slot
        }
    }
}
