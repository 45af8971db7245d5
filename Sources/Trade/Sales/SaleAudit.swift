import AccountAccess
import Concurrency
import Contracts
import Ethereum
import Keys
import Logging
import Market
import Storage
import Texts

/// Compares open sales with their contracts' own answers, to notice in time events that are missing
/// in the logs that were read.
///
/// Runs one ``SaleTurns`` against one chain. A difference makes the chain's service read the logs
/// of the contract again.
actor SaleAudit {
    private let saleIndex: SaleIndex
    private let service: ChainService
    private let store: Store
    private let events: AccountEventLog
    private let clock: any MonotonicClock
    private let logger: Logger
    private let errors: LoopErrors
    private let limits: SaleAuditLimits
    private var turns: SaleTurns
    /// The sales whose parties were notified of a difference, until sale and contract agree again.
    private var differing: Set<SaleID> = []

    init(
        _ saleIndex: SaleIndex,
        service: ChainService,
        limits: SaleAuditLimits,
        _ dependencies: MarketServices.Dependencies,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        (self.saleIndex, self.service) = (saleIndex, service)
        (store, events) = (dependencies.store, dependencies.events)
        (self.clock, self.logger) = (clock, logger)
        errors = LoopErrors("sale-audit", logger: logger, clock: clock)
        self.limits = limits
        turns = SaleTurns(limits: limits)
    }

    /// Compares until cancelled; after an error, again soon.
    func run() async throws {
        while !Task.isCancelled {
            let isDone = await errors.item("the open sales") { try await look() }
            try await clock.wait(isDone ? limits.interval : min(limits.interval, LoopErrors.pause))
        }
    }

    /// Compares the sales whose turn it is; none while the chain is not followed up to its head.
    private func look() async throws {
        guard saleIndex.health == .following else { return }
        let accounts = Set(try store.read { try $0.keys(AccountEntries.self, .all()) })
        let (own, others) = saleIndex.openSales(of: accounts)
        for id in turns.due(own: own, others: others, at: clock.uptime) {
            guard saleIndex.health == .following else { return }
            await errors.item("sale \(id)") { try await compare(id, accounts) }
        }
    }

    /// Compares one sale; if the chain cannot be asked now, it is asked in the sale's next turn.
    private func compare(_ id: SaleID, _ accounts: Set<Address>) async throws {
        guard let view = saleIndex.view(of: id), let block = view.block,
            let contract = saleIndex.contract(at: view.sale.reference.contract.address)
        else { return }
        let agreement: SaleAgreement
        do {
            agreement = try await service.agreement(
                on: view.sale,
                of: id,
                in: contract,
                at: block,
                isDisputed: view.isDisputed
            )
        } catch let error
            where error is EthereumError || error is PreflightError || error is UnreadableAnswer
        {
            logger.debug(
                "a sale was not compared",
                metadata: ["sale": "\(id)", "error": "\(error)"]
            )
            return
        }
        switch agreement {
        case .agreed: differing.remove(id)
        case .differs where differing.insert(id).inserted: try await tell(view.sale, accounts)
        case .differs, .disputed, .pending: break
        }
    }

    /// Notifies the accounts that a sale concerns that its events are not complete.
    private func tell(_ sale: Market.Sale, _ accounts: Set<Address>) async throws {
        let warning = Sentence("chain.saleDiffers")
        for account in Set(sale.concerned).intersection(accounts).sorted() {
            try await events.record(
                "sale",
                subject: sale.id.description,
                data: [
                    "phase": sale.status.name,
                    "role": sale.role(of: account).name,
                    "warning": warning.detail,
                ],
                words: [warning],
                for: account
            )
        }
    }
}
