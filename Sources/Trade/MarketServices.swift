package import AccountAccess
package import Answers
import Client
package import Concurrency
package import Ethereum
package import Logging
package import Mail
package import MediaFiles
package import Records
package import Setup
package import Storage

/// The services of the node's markets, run as one: those of each chain, and those that serve all
/// chains.
package struct MarketServices: Sendable {
    /// One for each chain, in the order of the settings; never empty.
    package let chains: [ChainServices]
    package let markets: Markets
    package let sales: Sales
    package let purchases: PurchasePlanner
    package let moves: MovePlanner
    package let items: ItemSearcher
    package let listings: Listings
    package let listingSearcher: ListingSearcher
    package let listingPlanner: ListingPlanner
    package let piecePlanner: PiecePlanner
    package let reviews: Reviews
    package let studentLists: StudentLists
    package let runner: OperationRunner
    package let signatures: SignatureRequests
    private let accounts: Accounts
    private let inbox: OperationInbox

    package var saleIndexes: SaleIndexes { markets.saleIndexes }
    package var replacer: OperationReplacer { OperationReplacer(runner: runner) }

    /// One chain, with its follower and senders.
    package struct ChainSetup: Sendable {
        /// The index by which the record service validates, too.
        package var saleIndex: SaleIndex
        /// The endpoints and their pace; its filter is the market's own.
        package var chain: ChainConfiguration
        package var sending: SenderConfiguration
        package var audit = SaleAuditLimits()

        package init(
            saleIndex: SaleIndex,
            chain: ChainConfiguration,
            sending: SenderConfiguration
        ) {
            (self.saleIndex, self.chain, self.sending) = (saleIndex, chain, sending)
        }
    }

    /// The state that the chains share.
    struct Environment: Sendable {
        let transport: any RPCTransport
        let clock: any MonotonicClock
        let logger: Logger
        let afterStep: TransactionSender.StepHook
    }

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
        /// Sends addresses and notes of sales; `nil` if operations have none.
        package var chat: Chat?
        /// Keeps the pictures of notes; operations have no messages without it.
        package var blobs: NodeMedia?

        package init(
            store: Store,
            catalogue: Catalogue,
            accounts: Accounts,
            events: AccountEventLog,
            operations: OperationLog,
            recordService: RecordService,
            signingDeadline: SigningDeadline,
            deadlines: DeadlineSettings,
            files: MediaService? = nil,
            chat: Chat? = nil,
            blobs: NodeMedia? = nil
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
            (self.chat, self.blobs) = (chat, blobs)
        }

        private func plannedTexts(_ saleIndexes: SaleIndexes) -> PlannedTexts? {
            guard let chat, let blobs else { return nil }
            return SaleMail(chat: chat, media: blobs, saleIndexes: saleIndexes).plannedTexts
        }

        fileprivate func runner(
            for parts: [ChainParts],
            _ saleIndexes: SaleIndexes,
            _ inbox: OperationInbox,
            _ logger: Logger
        ) -> OperationRunner {
            OperationRunner(
                log: operations,
                senders: ChainSenders(parts.map { ($0.market.chain, $0.senders) }),
                publishing: RecordPublisher(
                    store: store,
                    recordService: recordService,
                    accounts: accounts,
                    saleIndexes: saleIndexes,
                    plannedTexts: plannedTexts(saleIndexes)
                ),
                saleIndexes: saleIndexes,
                inbox: inbox,
                signingDeadline: signingDeadline,
                logger: logger
            )
        }
    }

    /// Assembles the services.
    ///
    /// - Parameters:
    ///   - setups: The chains; not empty.
    ///   - dependencies: The services' dependencies.
    ///   - transport: Carries requests to the endpoints; must outlive the services.
    ///   - clock: The clock of the sale indexes.
    ///   - logger: Gets what operators act on.
    ///   - afterStep: Called after each durable step of a transaction.
    package init(
        _ setups: [ChainSetup],
        dependencies: Dependencies,
        transport: any RPCTransport,
        clock: any MonotonicClock,
        logger: Logger,
        afterStep: @escaping TransactionSender.StepHook = { _ in }
    ) {
        let environment = Environment(
            transport: transport,
            clock: clock,
            logger: logger,
            afterStep: afterStep
        )
        let (store, accounts) = (dependencies.store, dependencies.accounts)
        let wallClock = dependencies.recordService.clock
        (self.accounts, inbox) = (accounts, OperationInbox())
        let saleIndexes = SaleIndexes(setups.map(\.saleIndex))
        let parts = setups.map { [inbox] in
            ChainParts($0, saleIndexes, dependencies, inbox, environment)
        }
        runner = dependencies.runner(for: parts, saleIndexes, inbox, logger)
        let counting = parts.map { [runner] in $0.counting(runner) }
        markets = Markets(counting.map(\.market))
        signatures = SignatureRequests(runner: runner, saleIndexes: saleIndexes)
        sales = Sales(
            saleIndexes: saleIndexes,
            store: store,
            operations: dependencies.operations
        )
        items = ItemSearcher(markets: markets, sales: sales, store: store)
        purchases = PurchasePlanner(
            markets: markets,
            runner: runner,
            store: store,
            clock: wallClock
        )
        moves = MovePlanner(markets: markets, runner: runner, store: store)
        let offerPlanner = OfferPlanner(
            markets: markets,
            accounts: accounts,
            runner: runner,
            store: store,
            files: dependencies.files,
            clock: wallClock,
            clockWatch: dependencies.recordService.clockWatch
        )
        piecePlanner = PiecePlanner(offerPlanner)
        listingPlanner = ListingPlanner(
            offerPlanner,
            piecePlanner,
            deadlines: dependencies.deadlines
        )
        chains = counting.map { [moves, listingPlanner] in
            ChainServices($0, moves, listingPlanner, dependencies, environment)
        }
        let stars = SellerStars(saleIndexes: saleIndexes, store: store, clock: clock)
        listings = Listings(
            saleIndexes: saleIndexes,
            store: store,
            catalogue: dependencies.catalogue,
            clock: wallClock
        )
        listingSearcher = ListingSearcher(
            markets: markets,
            store: store,
            catalogue: dependencies.catalogue,
            stars: stars,
            clock: wallClock
        )
        reviews = Reviews(
            saleIndexes: saleIndexes,
            store: store,
            recordService: dependencies.recordService,
            accounts: accounts,
            stars: stars,
            files: dependencies.files
        )
        studentLists = StudentLists(saleIndexes: saleIndexes, store: store, accounts: accounts)
    }

    /// Returns the services of the chain that a caller names; without a name, of the only one.
    ///
    /// - Throws: ``Refusal`` with `unknown_chain` or `ambiguous_chain`.
    package func chain(entered number: UInt64?) throws(Refusal) -> ChainServices {
        let chain = try markets.chain(entered: number).chain
        guard let found = chains.first(where: { $0.chain == chain }) else {
            preconditionFailure("each market has its services")
        }
        return found
    }

    /// Returns the wallets of the chain that a caller names for an amount of a currency.
    ///
    /// - Throws: ``Refusal`` with `unknown_chain` or `ambiguous_chain`, and with `bad_address` if
    ///   the currency is one of another chain.
    package func wallets(entered number: UInt64?, for currency: String?) throws(Refusal) -> Wallets
    {
        let found = try chain(entered: number)
        if let currency, let market = markets[found.chain] {
            try markets.requireOwn(currency, on: market, .badAddress, field: "currency")
        }
        return found.wallets
    }

    /// Follows the chains and runs operations, until cancelled.
    ///
    /// The first part that fails ends the rest with its error; a chain that cannot be reached is
    /// not a failure.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            for chain in chains { group.addTask { try await chain.run() } }
            group.addTask { try await runner.run() }
            group.addTask {
                for await _ in accounts.unlockings() {
                    inbox.look()
                    for chain in chains { chain.noteAccounts() }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
