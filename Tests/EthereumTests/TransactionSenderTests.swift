import Concurrency
import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing
import Texts

/// Sends on a real development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TransactionSenderTests {
    static let receiver = testKey(99).address
    static let value = Amount(small: 12_345)

    func payment(_ number: UInt8 = 1) -> Intent {
        Intent(
            id: IntentID(Bytes32(repeating: number)),
            purpose: "pay",
            steps: [Intent.Step(to: Self.receiver, value: Self.value, data: [])]
        )
    }

    func client(_ dev: DevChain, _ transport: HTTPTransport) -> ChainClient {
        ChainClient(
            chain: ChainID(dev.chainNumber),
            endpoints: [dev.endpoint],
            transport: transport,
            logger: quiet
        )
    }

    /// Where a process ends: after a step is durable, or before it is.
    enum Death: CaseIterable {
        case beforeSigned, beforeBroadcast, beforeMined, beforeFinal
        case afterRecorded, afterSigned, afterBroadcast, afterMined, afterFinal

        var before: JournalStep? {
            switch self {
            case .beforeSigned: .signed
            case .beforeBroadcast: .broadcast
            case .beforeMined: .mined
            case .beforeFinal: .final
            default: nil
            }
        }

        var after: JournalStep? {
            switch self {
            case .afterRecorded: .intentRecorded
            case .afterSigned: .signed
            case .afterBroadcast: .broadcast
            case .afterMined: .mined
            case .afterFinal: .final
            default: nil
            }
        }
    }

    private struct Killed: Error {}

    @Test func `pays exactly once if killed at any step`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = client(dev, transport)
            for (index, death) in Death.allCases.enumerated() {
                let key = testKey(UInt8(10 + index))
                try await dev.fund(key.address)
                let harness = SenderHarness(signer: KeySigner(key), client: client)
                let before = try await client.perform(.balance(of: Self.receiver)).amount
                harness.journal.crash(before: death.before)
                await #expect(throws: (any Error).self, "\(death)") {
                    try await harness.run(
                        afterStep: { if $0 == death.after { throw Killed() } },
                        { sender in
                            try await sender.submit(payment())
                            _ = try await sender.ended(payment().id)
                            // The end may be told before the step behind it kills.
                            _ = try await sender.until(payment().id) { _ in false }
                        }
                    )
                }
                harness.journal.crash(before: nil)
                let progress = try await harness.run { sender in
                    try await sender.submit(payment())
                    return try await sender.ended(payment().id)
                }
                let after = try await client.perform(.balance(of: Self.receiver)).amount
                let nonce = try await client.perform(
                    .transactionCount(of: key.address, at: .latest)
                )

                #expect(progress.phase == .final, "\(death)")
                #expect(after == before.adding(Self.value), "\(death)")
                #expect(nonce.number == 1, "\(death)")
                #expect(try harness.journal.steps.filter { $0 == .signed }.count == 1, "\(death)")
            }
        }
    }

    @Test func `pays exactly once if its journal fails at any step`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = client(dev, transport)
            for (index, step) in [JournalStep.signed, .broadcast, .mined].enumerated() {
                let key = testKey(UInt8(60 + index))
                try await dev.fund(key.address)
                let harness = SenderHarness(signer: KeySigner(key), client: client)
                let before = try await client.perform(.balance(of: Self.receiver)).amount
                let errors = LoopErrors("sender", logger: quiet)
                harness.journal.crash(before: step)
                let progress = try await harness.run(errors: errors) { sender in
                    try await sender.submit(payment())
                    while errors.count == 0 { await Task.yield() }
                    harness.journal.crash(before: nil)
                    return try await sender.ended(payment().id)
                }
                let after = try await client.perform(.balance(of: Self.receiver)).amount
                #expect(progress.phase == .final, "\(step)")
                #expect(after == before.adding(Self.value), "\(step)")
            }
        }
    }

    /// - From endpoints: a transaction that a reorganisation drops → the same transaction is sent
    ///   again
    @Test func `resends a transaction unchanged after a reorganisation drops it`()
        async throws
    {
        try await DevChain.scoped { dev, transport in
            let client = client(dev, transport)
            let key = testKey(1)
            try await dev.fund(key.address)
            let harness = SenderHarness(signer: KeySigner(key), client: client, confirmations: 3)
            try await harness.run { sender in
                try await sender.submit(payment())
                let first = try await sender.until(payment().id) {
                    $0 == .mined(confirmations: 1, of: 3)
                }
                try await dev.control("evm_reorg", "[1, false]")
                let again = await sender.reached(payment().id) { progress in
                    guard case .mined = progress.phase else { return false }
                    return progress.receipts[0]?.block != first.receipts[0]?.block
                }
                #expect(again?.transaction == first.transaction)
                try await dev.control("evm_mineBlocks", "[3, 1]")
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            // That it was accepted may be told after it was mined.
            #expect(
                try harness.journal.steps.filter { $0 != .broadcast } == [
                    .intentRecorded, .signed, .mined, .unmined, .mined, .final,
                ]
            )
        }
    }

    @Test func `watches a locked account's transactions and signs nothing new`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let client = client(dev, transport)
            let key = testKey(1)
            try await dev.control(
                "dev_fund",
                #"["\#(key.address.checksummed)", "0x8ac7230489e80000"]"#
            )
            try await dev.control("evm_mine")
            let signer = LockableSigner(key)
            let harness = SenderHarness(signer: signer, client: client)
            try await harness.run { sender in
                try await sender.submit(payment(1))
                _ = try await sender.until(payment(1).id) { $0 == .sent }
            }
            signer.isOpen.withLock { $0 = false }
            try await harness.run { sender in
                try await sender.submit(payment(2))
                _ = try await sender.until(payment(2).id) { $0 == .needsUnlock }
                try await dev.control("evm_mine")
                #expect(try await sender.ended(payment(1).id).phase == .final)
                signer.isOpen.withLock { $0 = true }
                sender.look()
                _ = try await sender.until(payment(2).id) { $0 == .sent }
                try await dev.control("evm_mine")
                #expect(try await sender.ended(payment(2).id).phase == .final)
            }
        }
    }

    /// - From people: an account whose key also signs elsewhere: another transaction has the nonce
    ///   of a step → nothing is signed until the owner acknowledges it
    @Test func `stops signing with a key used elsewhere until the owner knows`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let client = client(dev, transport)
            let key = testKey(1)
            try await dev.control(
                "dev_fund",
                #"["\#(key.address.checksummed)", "0x8ac7230489e80000"]"#
            )
            try await dev.control("evm_mine")
            let harness = SenderHarness(signer: KeySigner(key), client: client, confirmations: 2)
            let foreign = try Transaction(
                chain: client.chain,
                nonce: 0,
                to: testKey(98).address,
                value: .zero,
                data: [],
                gasLimit: 21_000,
                pricing: .dynamic(
                    priorityFee: Amount(small: 50_000_000_000),
                    feeCap: Amount(small: 100_000_000_000)
                )
            ).signed(by: key)
            try await harness.run { sender in
                try await sender.submit(payment(1))
                _ = try await sender.until(payment(1).id) { $0 == .sent }
                _ = try await client.perform(.send(foreign.encoded))
                try await dev.control("evm_mineBlocks", "[2, 1]")
                _ = try await sender.until(payment(1).id) { $0 == .keyUsedElsewhere }
                try await waitUntil { await sender.isPaused }
                try await sender.submit(payment(2))
                _ = try await sender.until(payment(2).id) { $0 == .keyUsedElsewhere }
                #expect(try await sender.acknowledgeForeignUse())
                #expect(try await !sender.acknowledgeForeignUse())
                _ = try await sender.until(payment(2).id) { $0 == .sent }
                try await dev.control("evm_mineBlocks", "[2, 1]")
                #expect(try await sender.ended(payment(1).id).phase == .final)
                #expect(try await sender.ended(payment(2).id).phase == .final)
            }
            let doubled = Self.value.multiplied(by: 2)
            #expect(try await client.perform(.balance(of: Self.receiver)).amount == doubled)
        }
    }

    @Test func `refuses an intent above the balance before it signs anything`() async throws {
        try await DevChain.scoped { dev, transport in
            let harness = SenderHarness(
                signer: KeySigner(testKey(1)),
                client: client(dev, transport)
            )
            let progress = try await harness.run { sender in
                try await sender.submit(payment())
                return try await sender.ended(payment().id)
            }
            let lack = PreflightError.insufficientBalance(needed: Self.value, available: .zero)
            #expect(progress.phase == .refused("\(lack)"))
            #expect(try harness.journal.steps == [.intentRecorded, .refused])
        }
    }

    @Test func `an endpoint that fails during a send neither delays nor repeats it`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = client(dev, transport)
            let key = testKey(1)
            try await dev.fund(key.address)
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                for (number, fault) in ["cut", "garbage", "http_status", "error"].enumerated() {
                    let options = #"{"methods": ["eth_sendRawTransaction"], "times": 2}"#
                    try await dev.control("dev_fault", #"["\#(fault)", \#(options)]"#)
                    let intent = payment(UInt8(number + 1))
                    try await sender.submit(intent)
                    #expect(try await sender.ended(intent.id).phase == .final, "\(fault)")
                }
            }
            let paid = Self.value.multiplied(by: 4)
            #expect(try await client.perform(.balance(of: Self.receiver)).amount == paid)
        }
    }

    @Test func `signs nothing while the chain is unreliable`() async throws {
        try await DevChain.scoped { dev, transport in
            let service = ChainHarness(
                dev: dev,
                transport: transport,
                filter: LogFilter(addresses: [], firstBlock: 0)
            )
            try await dev.fund(testKey(1).address)
            let harness = SenderHarness(signer: KeySigner(testKey(1)), client: service.client)
            let following = ChainService(
                configuration: service.configuration,
                client: service.client,
                store: service.store,
                listener: service.listener,
                logger: quiet
            )
            try await harness.run(
                signingBlock: { _ in
                    await following.status.health == .following
                        ? nil : Sentence("progress.nodeEnds")
                },
                { sender in
                    try await sender.submit(payment())
                    _ = try await sender.until(payment().id) { phase in
                        if case .delayed = phase { true } else { false }
                    }
                    #expect(try harness.journal.steps == [.intentRecorded])
                    let phase = try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await following.run() }
                        defer { group.cancelAll() }
                        return try await sender.ended(payment().id).phase
                    }
                    #expect(phase == .final)
                }
            )
        }
    }

    @Test func `reports the progress of an intent that is submitted again`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let harness = SenderHarness(
                signer: KeySigner(testKey(1)),
                client: client(dev, transport)
            )
            try await harness.run { sender in
                try await sender.submit(payment())
                _ = try await sender.ended(payment().id)
            }
            let listener = LastProgress()
            let next = try await TransactionSender(
                client: harness.client,
                signer: harness.signer,
                journal: harness.journal,
                listener: listener,
                logger: quiet
            )
            #expect(listener.phase == nil)
            try await next.submit(payment())
            #expect(listener.phase == .final)
        }
    }

    @Test func `an id stands for one intent`() async throws {
        try await DevChain.scoped { dev, transport in
            let harness = SenderHarness(
                signer: KeySigner(testKey(1)),
                client: client(dev, transport)
            )
            try await harness.run { sender in
                try await sender.submit(payment())
                try await sender.submit(payment())
                let other = Intent(
                    id: payment().id,
                    purpose: "other",
                    steps: [Intent.Step(to: nil, data: [0])]
                )
                await #expect(throws: IntentError.otherContent) { try await sender.submit(other) }
            }
            #expect(try harness.journal.steps.filter { $0 == .intentRecorded }.count == 1)
        }
    }
}

/// What was told last.
private final class LastProgress: TransactionListener {
    private let last = Mutex<SendPhase?>(nil)

    var phase: SendPhase? { last.withLock { $0 } }

    func handle(_ progress: IntentProgress, account: Address, chain: ChainID) async throws {
        last.withLock { $0 = progress.phase }
    }
}

/// A key that a test locks.
final class LockableSigner: TransactionSigner {
    let isOpen = Mutex(true)
    private let key: PrivateKey

    init(_ key: PrivateKey) { self.key = key }

    var address: Address { key.address }

    func state(for call: Intent.Step) async -> SignerState {
        isOpen.withLock { $0 } ? .ready : .locked
    }

    func sign(_ transaction: Transaction) async throws -> Signature {
        guard isOpen.withLock({ $0 }) else { throw SignerError.locked }
        return key.sign(transaction.signingHash)
    }
}
