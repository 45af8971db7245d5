import Concurrency
import Contracts
package import Ethereum
import Logging
package import Market
import Records
import Storage

/// The services of one chain: its follower, its senders, and those that ask it.
///
/// Nothing here waits for another chain.
package struct ChainServices: Sendable {
    package let saleIndex: SaleIndex
    package let client: ChainClient
    package let service: ChainService
    package let senders: Senders
    package let wallets: Wallets
    package let history: WalletHistory
    package let arbiters: ArbiterRegistry
    private let deadlines: DeadlineWatcher
    private let audit: SaleAudit
    private let deadlineInbox: DeadlineInbox
    private let errors: LoopErrors
    private let store: Store

    package var chain: ChainID { saleIndex.deployment.chain }

    /// Follows the chain and sends to it, until cancelled.
    ///
    /// No error of an item ends a part, see ``LoopErrors``.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run(errors: errors) }
            group.addTask { await watchRoom() }
            group.addTask { try await senders.run() }
            group.addTask { try await deadlines.run() }
            group.addTask { try await history.run() }
            group.addTask { try await audit.run() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Shows that the chain is not followed while what follows it waits for room in the store.
    private func watchRoom() async {
        for await failure in store.waitsForRoom() {
            saleIndex.set(lacksRoom: failure != nil)
            if let failure { errors.note(failure, of: "what chain \(chain) shows") }
        }
    }

    /// Records that an account may have been unlocked.
    func noteAccounts() { deadlineInbox.noteAccounts() }
}

/// The records that rest on a chain's sales.
private struct SaleRecords: Sendable {
    let anchoring: RecordAnchoring
    let recordService: RecordService
    let errors: LoopErrors

    /// Validates the records of sales that a block touched, and those that waited for one.
    ///
    /// If this fails, housekeeping validates them again.
    func validate(about touched: Set<SaleID>) async {
        for sale in touched.sorted() {
            await errors.item("records of sale \(sale)") {
                try await anchoring.look(at: [sale])
                try await recordService.validateHeld(about: [sale])
            }
        }
        await errors.item("held records") { try await recordService.validateHeld() }
    }
}

/// The parts of one chain that the services of all chains need.
struct ChainParts: Sendable {
    private(set) var market: MarketChain
    let service: ChainService
    let senders: Senders
    let errors: LoopErrors
    let audit: SaleAuditLimits
    let blocks = Broadcast<Void>()
    let deadlineInbox = DeadlineInbox()

    /// - Parameters:
    ///   - setup: The chain.
    ///   - saleIndexes: The indexes of all chains.
    ///   - dependencies: The services' dependencies.
    ///   - inbox: Told how far each intent is.
    ///   - environment: The parts that all chains share.
    init(
        _ setup: MarketServices.ChainSetup,
        _ saleIndexes: SaleIndexes,
        _ dependencies: MarketServices.Dependencies,
        _ inbox: OperationInbox,
        _ environment: MarketServices.Environment
    ) {
        let (saleIndex, store) = (setup.saleIndex, dependencies.store)
        let (clock, logger) = (environment.clock, environment.logger)
        errors = LoopErrors("chain", logger: logger, clock: clock)
        let client = ChainClient(
            chain: setup.chain.chain,
            endpoints: setup.chain.endpoints,
            transport: environment.transport,
            limits: setup.chain.limits,
            clock: clock,
            wallClock: dependencies.recordService.clock,
            logger: logger
        )
        let signingBlock = SigningCheck(saleIndex: saleIndex, fees: setup.sending.fees)
        let senders = Senders(
            client: client,
            accounts: dependencies.accounts,
            saleIndex: saleIndex,
            journal: LMDBTransactionJournal(store: store),
            listener: inbox,
            configuration: setup.sending,
            clock: clock,
            logger: logger,
            signingBlock: { await signingBlock.reason(against: $0) },
            signingDeadline: dependencies.signingDeadline,
            afterStep: environment.afterStep
        )
        var followed = setup.chain
        followed.filter = saleIndex.filter
        let records = SaleRecords(
            anchoring: RecordAnchoring(store: store, saleIndex: saleIndex, view: saleIndexes),
            recordService: dependencies.recordService,
            errors: LoopErrors("sale-records", logger: logger)
        )
        service = ChainService(
            configuration: followed,
            client: client,
            store: LMDBChainStore(store: store),
            listener: SaleFollower(
                saleIndex: saleIndex,
                store: store,
                events: dependencies.events,
                onBlock: { [blocks, deadlineInbox] touched in
                    await senders.look()
                    await records.validate(about: touched)
                    inbox.look()
                    blocks.send()
                    deadlineInbox.note(touched)
                },
                logger: logger
            ),
            clock: clock,
            logger: logger
        )
        self.senders = senders
        audit = setup.audit
        market = MarketChain(saleIndex: saleIndex, service: service, fees: setup.sending.fees)
        signingBlock.ask(service)
    }

    /// Returns the same parts, with the operations of `runner` counted in what accounts can pay.
    func counting(_ runner: OperationRunner) -> ChainParts {
        var counting = self
        counting.market = market.counting(runner)
        return counting
    }
}

extension ChainServices {
    /// - Parameters:
    ///   - parts: The chain's parts.
    ///   - moves: Plans the moves that deadlines open.
    ///   - planner: Lists items again whose buyers have not paid.
    ///   - dependencies: The services' dependencies.
    ///   - environment: The parts that all chains share.
    init(
        _ parts: ChainParts,
        _ moves: MovePlanner,
        _ planner: ListingPlanner,
        _ dependencies: MarketServices.Dependencies,
        _ environment: MarketServices.Environment
    ) {
        let (market, runner) = (parts.market, planner.runner)
        saleIndex = market.saleIndex
        client = market.client
        service = parts.service
        senders = parts.senders
        wallets = Wallets(chain: market, runner: runner)
        history = WalletHistory(
            chain: market,
            store: dependencies.store,
            accounts: dependencies.accounts,
            blocks: parts.blocks,
            logger: environment.logger
        )
        arbiters = ArbiterRegistry(chain: market, runner: runner)
        audit = SaleAudit(
            saleIndex,
            service: service,
            limits: parts.audit,
            dependencies,
            clock: environment.clock,
            logger: environment.logger
        )
        deadlineInbox = parts.deadlineInbox
        errors = parts.errors
        store = dependencies.store
        deadlines = DeadlineWatcher(
            market.saleIndex,
            moves: moves,
            planner: planner,
            dependencies,
            inbox: parts.deadlineInbox,
            clock: environment.clock,
            logger: environment.logger
        )
    }
}
