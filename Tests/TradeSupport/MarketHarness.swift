package import AccountAccess
package import Client
package import Concurrency
package import Contracts
package import Ethereum
import Foundation
package import Keys
package import Market
import Records
package import Setup
package import Storage
package import Support
import Synchronization
import Testing
package import Trade

/// A market on a development chain of its own, and nodes' trading parts on it.
package struct MarketHarness: Sendable {
    static let password = "correct horse"
    package static let confirmations: UInt64 = 2

    package let dev: DevChain
    package var transport: any RPCTransport
    package let market: DeployedMarket
    /// Those of the node; the chain itself, unless a test has others.
    package var endpoints: [Endpoint]?
    package var audit = SaleAuditLimits()
    /// How far the chain's time may be ahead of the machine's; `nil` lets tests move it.
    package var headLeadSecondsMax: UInt64?
    /// What is compared with the chain's time; nothing, unless a test has a clock.
    package var wallClock: (any WallClock)?
    /// Faults of the node's store.
    package var fault: Store.FaultHook?

    package init(dev: DevChain, transport: any RPCTransport, market: DeployedMarket) {
        (self.dev, self.transport, self.market) = (dev, transport, market)
    }

    /// Starts a chain with a market.
    ///
    /// The market has been deployed on another chain, whose state this one begins with; it is
    /// deployed on this one if the test keeps the chain in a file.
    ///
    /// - Parameters:
    ///   - tokens: Those that the market takes.
    ///   - arguments: Further ones of `Scripts/devchain/main.py`.
    ///   - body: What to do meanwhile.
    /// - Throws: What `body` throws, or ``DevChainError``.
    package static func scoped(
        tokens: [MarketPlan.TestToken] = [],
        arguments: [String] = [],
        _ body: (MarketHarness) async throws -> Void
    ) async throws {
        let mining = ["--block-time", "0.2"] + arguments
        guard !arguments.contains("--state") else {
            return try await DevChain.scoped(mining) { dev, transport in
                let market = try await DeployedChain.deploy(tokens, on: dev, transport)
                try await body(MarketHarness(dev: dev, transport: transport, market: market))
            }
        }
        let deployed = try await DeployedChain.with(tokens, arguments)
        let folder = try TemporaryFolder()
        let state = folder.url.appending(path: "chain")
        try deployed.state.write(to: state)
        try await DevChain.scoped(mining + ["--state", state.path, "--in-memory"]) {
            // The deployed chain's head may be minutes old.
            try await $0.control("evm_mine")
            try await body(MarketHarness(dev: $0, transport: $1, market: deployed.market))
        }
    }

    /// Gives an account some of the market's first token.
    package func mint(_ amount: UInt64, for account: Address) async throws {
        let client = ChainClient(
            chain: market.chain,
            endpoints: [dev.endpoint],
            transport: transport,
            logger: quiet
        )
        let token = TestTokenContract(address: try #require(market.tokens.first?.address))
        let call = token.mint(Amount(small: amount), to: account)
        let intent = Intent(
            id: IntentID(Keccak256.hash(account.bytes)),
            purpose: "mint",
            steps: [Intent.Step(call)]
        )
        _ = try await SenderHarness(signer: KeySigner(testKey(9)), client: client).run { sender in
            try await sender.submit(intent)
            return try await sender.ended(intent.id)
        }
    }

    /// Starts a node's trading parts over `folder`, as after a restart, for as long as `body`
    /// does.
    ///
    /// - Parameters:
    ///   - folder: Has the store; outlives the run.
    ///   - clock: What operations go by.
    ///   - deadlines: Whether moves are made that deadlines open.
    ///   - afterStep: Called after each durable step of a transaction.
    ///   - body: What to do meanwhile.
    /// - Throws: What ended the first of them.
    package func run(
        in folder: TemporaryFolder,
        clock: any WallClock = SystemWallClock(),
        deadlines: DeadlineSettings = DeadlineSettings(executes: false),
        afterStep: @escaping TransactionSender.StepHook = { _ in },
        _ body: @escaping @Sendable (RunningMarket) async throws -> Void
    ) async throws {
        try await StoreFolder.untilFree(folder.path)
        let (ends, end) = AsyncStream.makeStream(
            of: (any Error).self,
            bufferingPolicy: .bufferingOldest(1)
        )
        let running = try RunningMarket(
            harness: self,
            folder: folder,
            clock: clock,
            deadlines: deadlines,
            afterStep: { step in
                do { try await afterStep(step) } catch {
                    // Nothing follows in a process that has ended.
                    end.yield(error)
                    while true { try await SystemMonotonicClock().wait(.seconds(60)) }
                }
            }
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await running.market.run() }
            group.addTask { for await error in ends { throw error } }
            group.addTask { try await body(running) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// The trading parts of one node, running.
package struct RunningMarket: Sendable {
    package let store: Store
    package let accounts: Accounts
    package let events: AccountEventLog
    package let operations: OperationLog
    package let market: MarketServices
    /// Publishes as the market's operations do, without messages.
    package let publisher: RecordPublisher

    init(
        harness: MarketHarness,
        folder: TemporaryFolder,
        clock nodeClock: any WallClock,
        deadlines: DeadlineSettings,
        afterStep: @escaping TransactionSender.StepHook
    ) throws {
        store = try Store(folder: folder.path, mapBytes: 1 << 28, faultHook: harness.fault)
        accounts = Accounts(
            store: store,
            cost: try KeystoreCost(rounds: 2, blockSize: 8, parallelism: 1),
            idle: .seconds(3_600),
            life: .seconds(3_600),
            unattendedKeys: UnattendedKeys(
                in: DataFolder(path: folder.path),
                under: testKey("node")
            )
        )
        events = AccountEventLog(store: store)
        operations = OperationLog(store: store, events: events, clock: nodeClock)
        let clock = SystemMonotonicClock()
        let saleIndex = SaleIndex(
            deployment: harness.market,
            confirmations: MarketHarness.confirmations,
            clock: clock
        )
        let recordService = RecordService(
            store: store,
            network: "test",
            rules: .light,
            view: saleIndex,
            announce: { _ in },
            clockWatch: harness.wallClock.map {
                ClockWatch(clock: $0, saleIndexes: SaleIndexes([saleIndex]))
            } ?? ClockWatch(),
            logger: quiet
        )
        publisher = RecordPublisher(
            store: store,
            recordService: recordService,
            accounts: accounts,
            saleIndexes: SaleIndexes([saleIndex]),
            plannedTexts: nil
        )
        var chain = ChainConfiguration(
            chain: harness.market.chain,
            endpoints: harness.endpoints ?? [harness.dev.endpoint],
            filter: SaleKinds.standard.contracts.filter(for: harness.market)
        )
        chain.confirmations = MarketHarness.confirmations
        chain.pollInterval = .milliseconds(50)
        chain.headAgeMax = nil
        chain.headLagSecondsMax = nil
        chain.headLeadSecondsMax = harness.headLeadSecondsMax
        var sending = SenderConfiguration()
        sending.confirmations = MarketHarness.confirmations
        sending.limits.nonceLostAfter = .zero
        sending.pollInterval = .milliseconds(50)
        var setup = MarketServices.ChainSetup(saleIndex: saleIndex, chain: chain, sending: sending)
        setup.audit = harness.audit
        market = MarketServices(
            [setup],
            dependencies: MarketServices.Dependencies(
                store: store,
                catalogue: try Catalogue(path: folder.path("catalogue"), store: store),
                accounts: accounts,
                events: events,
                operations: operations,
                recordService: recordService,
                signingDeadline: SigningDeadline(clock: nodeClock),
                deadlines: deadlines
            ),
            transport: harness.transport,
            clock: clock,
            logger: quiet,
            afterStep: afterStep
        )
    }

    /// Makes an account with ten ether.
    package func account(_ name: String, on harness: MarketHarness) async throws -> Address {
        let made = try await AccountCreator(for: accounts).create(
            AccountCreation(name: name, password: MarketHarness.password)
        )
        let address = try Address(text: made.account.address)
        try await harness.dev.fund(address)
        try await harness.dev.control("evm_mine")
        return address
    }

    package func signIn(_ name: String) async throws {
        _ = try await accounts.signIn(SignIn(account: name, password: MarketHarness.password))
    }

    /// Waits until an account is told something that makes `condition` hold.
    package func until(
        _ account: Address,
        _ condition: () async throws -> Bool
    ) async throws {
        for try await _ in events.events(of: account, after: 0) where try await condition() {
            return
        }
        throw StreamEnded()
    }

    /// Waits until an operation has ended well, and answers it.
    package func done(_ operation: Client.Operation) async throws -> Client.Operation {
        let account = try Address(text: operation.account)
        var last = operation
        try await until(account) {
            last = try operations.entry(operation.id, account: account).operation
            return !last.isRunning
        }
        #expect(last.state == .done, "\(last.kind): \(last.problem?.detail ?? "")")
        return last
    }

    /// Waits until this node's chain shows the sale in a phase as final.
    package func settled(_ sale: String, _ phase: String, for account: Address) async throws {
        try await until(account) {
            guard let id = Bytes32(hex: sale), let view = market.saleIndex.view(of: SaleID(id))
            else {
                return false
            }
            return view.isFinal && view.sale.status.name == phase
        }
    }

    /// What all final transactions of an account have cost it in gas, in wei.
    package func gasPaid(by account: Address, on chain: ChainID) async throws -> Amount {
        let journal = LMDBTransactionJournal(store: store)
        var receipts: [Bytes32: Receipt] = [:]
        for entry in try await journal.entries(account: account, chain: chain) {
            if case .mined(let receipt) = entry.event { receipts[receipt.transaction] = receipt }
        }
        return try receipts.values.reduce(.zero) { sum, receipt in
            try #require(receipt.fee.flatMap(sum.adding))
        }
    }
}
