package import Contracts
package import Logging
package import Storage

/// Everything that trades on one chain: its follower, the senders, and the services above them, as
/// one thing to run.
package struct Trade: Sendable {
    package let shelf: SaleShelf
    package let service: ChainService
    package let client: ChainClient
    package let sales: Sales
    package let listings: Listings
    package let reviews: Reviews
    package let wallets: Wallets
    package let senders: Senders
    package let errands: Errands
    private let accounts: Accounts
    private let bell: Bell

    /// What trading stands on.
    package struct Ground: Sendable {
        package var store: Store
        package var catalogue: Catalogue
        package var accounts: Accounts
        package var events: EventLog
        package var operations: OperationLog
        package var desk: RecordDesk
        package var lapse: Lapse

        package init(
            store: Store,
            catalogue: Catalogue,
            accounts: Accounts,
            events: EventLog,
            operations: OperationLog,
            desk: RecordDesk,
            lapse: Lapse
        ) {
            self.store = store
            self.catalogue = catalogue
            self.accounts = accounts
            self.events = events
            self.operations = operations
            self.desk = desk
            self.lapse = lapse
        }
    }

    /// Puts the parts together.
    ///
    /// - Parameters:
    ///   - shelf: Of the same market; the record desk judges by it.
    ///   - ground: What trading stands on.
    ///   - chain: The chain's endpoints and pace; its filter is the market's own.
    ///   - transport: Carries questions to the endpoints; outlives this.
    ///   - sending: How transactions are sent.
    ///   - clock: The one that the shelf goes by.
    ///   - logger: Told of what operators act on.
    ///   - afterStep: Called after each durable step of a transaction.
    package init(
        shelf: SaleShelf,
        ground: Ground,
        chain: ChainConfiguration,
        transport: any RPCTransport,
        sending: SenderConfiguration,
        clock: any UptimeClock,
        logger: Logger,
        afterStep: @escaping TransactionSender.StepHook = { _ in }
    ) {
        self.shelf = shelf
        accounts = ground.accounts
        let bell = Bell()
        self.bell = bell
        let client = ChainClient(
            chain: chain.chain,
            endpoints: chain.endpoints,
            transport: transport,
            limits: chain.limits,
            clock: clock,
            logger: logger
        )
        self.client = client
        let gate = MoveGate(shelf: shelf, fees: sending.fees)
        let senders = Senders(
            client: client,
            accounts: ground.accounts,
            journal: StoredJournal(store: ground.store),
            bell: bell,
            configuration: sending,
            clock: clock,
            logger: logger,
            gate: { await gate.reason(against: $0) },
            lapse: ground.lapse,
            afterStep: afterStep
        )
        self.senders = senders
        errands = Errands(
            log: ground.operations,
            sending: senders,
            publishing: ErrandPublisher(
                store: ground.store,
                desk: ground.desk,
                events: ground.events,
                accounts: ground.accounts,
                shelf: shelf
            ),
            bell: bell,
            lapse: ground.lapse,
            logger: logger
        )
        var followed = chain
        followed.filter = shelf.deployment.filter
        let desk = ground.desk
        let anchoring = RecordAnchoring(store: ground.store, shelf: shelf)
        service = ChainService(
            configuration: followed,
            client: client,
            store: StoredChain(
                store: ground.store,
                escrow: EscrowContract(address: shelf.deployment.escrow)
            ),
            listener: SaleFollower(
                shelf: shelf,
                store: ground.store,
                events: ground.events,
                onBlock: { touched in
                    await senders.look()
                    try await anchoring.look(at: touched)
                    do {
                        try await desk.judgeHeld(about: touched)
                        try await desk.judgeHeld()
                    } catch let error as StorageError where error.isLackOfRoom {
                        // They are judged again by housekeeping, once there is room.
                    }
                    bell.ring()
                },
                logger: logger
            ),
            clock: clock,
            logger: logger
        )
        let market = MarketChain(shelf: shelf, service: service, fees: sending.fees)
        gate.ask(service)
        sales = Sales(chain: market, errands: errands, store: ground.store)
        listings = Listings(
            chain: market,
            errands: errands,
            store: ground.store,
            catalogue: ground.catalogue
        )
        reviews = Reviews(
            shelf: shelf,
            store: ground.store,
            desk: ground.desk,
            accounts: ground.accounts
        )
        wallets = Wallets(chain: market, errands: errands)
    }

    /// Follows the chain and carries out what is under way, until cancelled; the first part to
    /// fail ends the rest with its error.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            group.addTask { try await senders.run() }
            group.addTask { try await errands.run() }
            group.addTask {
                for await _ in accounts.unlockRings() { bell.ring() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
