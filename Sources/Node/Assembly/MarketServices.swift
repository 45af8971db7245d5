package import Concurrency
package import Contracts
package import Logging
package import Storage

/// The services of one market, run as one: the chain's follower, the senders, and those above them.
package struct MarketServices: Sendable {
    package let saleIndex: SaleIndex
    package let service: ChainService
    package let client: ChainClient
    package let sales: Sales
    package let listings: Listings
    package let reviews: Reviews
    package let wallets: Wallets
    package let history: WalletHistory
    package let arbiters: ArbiterRegistry
    package let studentLists: StudentLists
    package let senders: Senders
    package let runner: OperationRunner
    package let signatures: SignatureRequests
    private let deadlines: DeadlineWatcher
    private let deadlineInbox: DeadlineInbox
    private let accounts: Accounts
    private let inbox: OperationInbox

    /// The parts that the services need.
    package struct Dependencies: Sendable {
        package var store: Store
        package var catalogue: Catalogue
        package var accounts: Accounts
        package var events: AccountEventLog
        package var operations: OperationLog
        package var recordService: RecordService
        package var signingDeadline: SigningDeadline
        package var deadlines: DeadlineSettings
        /// The files that listings show; `nil` if they show none.
        package var files: MediaService?

        package init(
            store: Store,
            catalogue: Catalogue,
            accounts: Accounts,
            events: AccountEventLog,
            operations: OperationLog,
            recordService: RecordService,
            signingDeadline: SigningDeadline,
            deadlines: DeadlineSettings,
            files: MediaService? = nil
        ) {
            self.store = store
            self.catalogue = catalogue
            self.accounts = accounts
            self.events = events
            self.operations = operations
            self.recordService = recordService
            self.signingDeadline = signingDeadline
            self.deadlines = deadlines
            self.files = files
        }
    }

    /// Assembles the services.
    ///
    /// - Parameters:
    ///   - saleIndex: The index of the same market, by which the record service validates.
    ///   - dependencies: What the services need.
    ///   - chain: The chain's endpoints and pace; its filter is the market's own.
    ///   - transport: Carries requests to the endpoints; must outlive the services.
    ///   - sending: How transactions are sent.
    ///   - clock: The clock of the sale index.
    ///   - logger: Gets what operators act on.
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
        let inbox = OperationInbox()
        self.inbox = inbox
        let blocks = Broadcast<Void>()
        let deadlineInbox = DeadlineInbox()
        self.deadlineInbox = deadlineInbox
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
            listener: inbox,
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
            senders: senders,
            publishing: RecordPublisher(
                store: dependencies.store,
                recordService: dependencies.recordService,
                accounts: dependencies.accounts,
                saleIndex: saleIndex
            ),
            inbox: inbox,
            signingDeadline: dependencies.signingDeadline,
            logger: logger
        )
        signatures = SignatureRequests(runner: runner, saleIndex: saleIndex)
        var followed = chain
        followed.filter = saleIndex.filter
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
                        try await recordService.validateHeld(about: touched)
                        try await recordService.validateHeld()
                    } catch let error as StorageError where error.isLackOfRoom {
                        // Housekeeping validates them again, once there is room.
                    }
                    inbox.look()
                    blocks.send()
                    deadlineInbox.note(touched)
                },
                logger: logger
            ),
            clock: clock,
            logger: logger
        )
        let market = MarketChain(saleIndex: saleIndex, service: service, fees: sending.fees)
        signingBlock.ask(service)
        sales = Sales(chain: market, runner: runner, store: dependencies.store)
        deadlines = DeadlineWatcher(
            sales: sales,
            dependencies,
            inbox: deadlineInbox,
            clock: clock,
            logger: logger
        )
        listings = Listings(
            chain: market,
            runner: runner,
            store: dependencies.store,
            catalogue: dependencies.catalogue,
            files: dependencies.files
        )
        reviews = Reviews(
            saleIndex: saleIndex,
            store: dependencies.store,
            recordService: dependencies.recordService,
            accounts: dependencies.accounts
        )
        wallets = Wallets(chain: market, runner: runner)
        history = WalletHistory(
            chain: market,
            store: dependencies.store,
            accounts: dependencies.accounts,
            blocks: blocks,
            logger: logger
        )
        arbiters = ArbiterRegistry(chain: market, runner: runner)
        studentLists = StudentLists(
            saleIndex: saleIndex,
            store: dependencies.store,
            accounts: dependencies.accounts
        )
    }

    /// Follows the chain and runs operations, until cancelled.
    ///
    /// The first part that fails ends the rest with its error.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            group.addTask { try await senders.run() }
            group.addTask { try await runner.run() }
            group.addTask { try await deadlines.run() }
            group.addTask { try await history.run() }
            group.addTask {
                for await _ in accounts.unlockings() {
                    inbox.look()
                    deadlineInbox.noteAccounts()
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
