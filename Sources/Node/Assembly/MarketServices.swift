package import Concurrency
package import Contracts
package import Logging
package import Storage

/// Everything that trades on one chain: its follower, the senders, and the services above them, as
/// one thing to run.
package struct MarketServices: Sendable {
    package let saleIndex: SaleIndex
    package let service: ChainService
    package let client: ChainClient
    package let sales: Sales
    package let listings: Listings
    package let reviews: Reviews
    package let wallets: Wallets
    package let senders: Senders
    package let runner: OperationRunner
    private let accounts: Accounts
    private let changes: Broadcast<Void>

    /// What trading stands on.
    package struct Dependencies: Sendable {
        package var store: Store
        package var catalogue: Catalogue
        package var accounts: Accounts
        package var events: AccountEventLog
        package var operations: OperationLog
        package var recordService: RecordService
        package var signingDeadline: SigningDeadline

        package init(
            store: Store,
            catalogue: Catalogue,
            accounts: Accounts,
            events: AccountEventLog,
            operations: OperationLog,
            recordService: RecordService,
            signingDeadline: SigningDeadline
        ) {
            self.store = store
            self.catalogue = catalogue
            self.accounts = accounts
            self.events = events
            self.operations = operations
            self.recordService = recordService
            self.signingDeadline = signingDeadline
        }
    }

    /// Puts the parts together.
    ///
    /// - Parameters:
    ///   - saleIndex: Of the same market; the record desk judges by it.
    ///   - dependencies: What trading stands on.
    ///   - chain: The chain's endpoints and pace; its filter is the market's own.
    ///   - transport: Carries questions to the endpoints; outlives this.
    ///   - sending: How transactions are sent.
    ///   - clock: The one that the shelf goes by.
    ///   - logger: Told of what operators act on.
    ///   - afterStep: Called after each durable step of a transaction.
    package init(
        saleIndex: SaleIndex,
        dependencies: Dependencies,
        chain: ChainConfiguration,
        transport: any RPCTransport,
        sending: SenderConfiguration,
        clock: any MonotonicClock,
        logger: Logger,
        afterStep: @escaping TransactionSender.StepHook = { _ in }
    ) {
        self.saleIndex = saleIndex
        accounts = dependencies.accounts
        let changes = Broadcast<Void>()
        self.changes = changes
        let client = ChainClient(
            chain: chain.chain,
            endpoints: chain.endpoints,
            transport: transport,
            limits: chain.limits,
            clock: clock,
            logger: logger
        )
        self.client = client
        let signingBlock = SigningCheck(saleIndex: saleIndex, fees: sending.fees)
        let senders = Senders(
            client: client,
            accounts: dependencies.accounts,
            journal: LMDBTransactionJournal(store: dependencies.store),
            changes: changes,
            configuration: sending,
            clock: clock,
            logger: logger,
            signingBlock: { await signingBlock.reason(against: $0) },
            signingDeadline: dependencies.signingDeadline,
            afterStep: afterStep
        )
        self.senders = senders
        runner = OperationRunner(
            log: dependencies.operations,
            sending: senders,
            publishing: RecordPublisher(
                store: dependencies.store,
                recordService: dependencies.recordService,
                accounts: dependencies.accounts,
                saleIndex: saleIndex
            ),
            changes: changes,
            signingDeadline: dependencies.signingDeadline,
            logger: logger
        )
        var followed = chain
        followed.filter = saleIndex.deployment.filter
        let recordService = dependencies.recordService
        let anchoring = RecordAnchoring(store: dependencies.store, saleIndex: saleIndex)
        service = ChainService(
            configuration: followed,
            client: client,
            store: LMDBChainStore(store: dependencies.store),
            listener: SaleFollower(
                saleIndex: saleIndex,
                store: dependencies.store,
                events: dependencies.events,
                onBlock: { touched in
                    await senders.look()
                    try await anchoring.look(at: touched)
                    do {
                        try await recordService.judgeHeld(about: touched)
                        try await recordService.judgeHeld()
                    } catch let error as StorageError where error.isLackOfRoom {
                        // They are judged again by housekeeping, once there is room.
                    }
                    changes.send()
                },
                logger: logger
            ),
            clock: clock,
            logger: logger
        )
        let market = MarketChain(saleIndex: saleIndex, service: service, fees: sending.fees)
        signingBlock.ask(service)
        sales = Sales(chain: market, runner: runner, store: dependencies.store)
        listings = Listings(
            chain: market,
            runner: runner,
            store: dependencies.store,
            catalogue: dependencies.catalogue
        )
        reviews = Reviews(
            saleIndex: saleIndex,
            store: dependencies.store,
            recordService: dependencies.recordService,
            accounts: dependencies.accounts
        )
        wallets = Wallets(chain: market, runner: runner)
    }

    /// Follows the chain and carries out what is under way, until cancelled; the first part to
    /// fail ends the rest with its error.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            group.addTask { try await senders.run() }
            group.addTask { try await runner.run() }
            group.addTask {
                for await _ in accounts.unlockings() { changes.send() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
