import Client
package import Contracts
import Keys
package import Logging
package import Market
package import Storage

/// Follows the market's chain: updates the sale index and reports changes to this node's accounts.
package struct SaleFollower: ChainListener {
    private typealias HighEvent = (height: UInt64, event: SaleLedger.Event)

    private let saleIndex: SaleIndex
    private let store: Store
    private let kept: LMDBChainStore
    private let events: AccountEventLog
    private let onBlock: @Sendable (Set<SaleID>) async throws -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - saleIndex: The index of the sales.
    ///   - store: The store of the events that the chain service has applied.
    ///   - events: The log that receives the changes.
    ///   - onBlock: Called after each block, when the index shows it, with the sales that changed
    ///     or became final, so that what waits for the chain is checked again.
    ///   - logger: Gets errors about impossible events.
    package init(
        saleIndex: SaleIndex,
        store: Store,
        events: AccountEventLog,
        onBlock: @escaping @Sendable (Set<SaleID>) async throws -> Void,
        logger: Logger
    ) {
        self.saleIndex = saleIndex
        self.store = store
        kept = LMDBChainStore(store: store)
        self.events = events
        self.onBlock = onBlock
        self.logger = logger
    }

    package func handle(_ update: ChainUpdate, on chain: ChainID) async throws {
        var touched: Set<SaleID> = []
        switch update {
        case .resumed(let block):
            try await resume(at: block)
        case .applied(let range):
            let events = decoded(range.events)
            touched = saleIndex.apply(events, upTo: range.to)
            try await report(touched, upTo: range.to.number)
        case .rolledBack(let block):
            if let taken = saleIndex.rollBack(to: block) {
                try await report(taken, upTo: block?.number ?? 0)
            } else {
                _ = try reload(upTo: block)
            }
        case .head(let head):
            saleIndex.set(head: head)
            return
        case .health(let health):
            saleIndex.set(health: health)
        case .sources(let sources):
            touched = saleIndex.set(sources: sources)
            try await report(touched, upTo: saleIndex.applied?.number ?? 0)
            if touched.isEmpty { return }
        }
        try await onBlock(touched)
    }

    /// Loads all sales, and reports what the node could not report before it stopped.
    ///
    /// Sales that were reported before they were final are checked again, and reported only if they
    /// changed.
    private func resume(at block: BlockID?) async throws {
        let reported = try store.read { [chain = saleIndex.deployment.chain] in
            try $0.notifiedHeight(of: chain)
        }
        // Not reported, or not reported since they became final.
        let missed = try reload(upTo: block).filter {
            $0.height + saleIndex.confirmations > reported + 1
        }
        guard let block, !missed.isEmpty else { return }
        try await report(Set(missed.compactMap(\.event.sale)), upTo: block.number)
    }

    /// Loads all sales again from the events in the store, and returns the events.
    private func reload(upTo block: BlockID?) throws -> [HighEvent] {
        saleIndex.restart()
        guard let block else { return [] }
        var kept: [AppliedEvent] = []
        try self.kept.forEachEvent(of: saleIndex.deployment.chain) { kept.append($0) }
        let events = decoded(kept)
        _ = saleIndex.apply(events, upTo: block)
        return events
    }

    private func decoded(_ events: [AppliedEvent]) -> [HighEvent] {
        events.compactMap { applied in
            do {
                let event = try saleIndex.kinds.contracts.decode(applied, of: saleIndex.deployment)
                return event.map { (applied.log.block.number, $0) }
            } catch {
                logger.error(
                    "an event that the contract cannot have written: an endpoint lies",
                    metadata: [
                        "transaction": "\(applied.log.transaction)", "error": "\(error)",
                    ]
                )
                return nil
            }
        }
    }

    /// Reports sales that changed to the accounts of this node, in one transaction.
    private func report(_ touched: Set<SaleID>, upTo height: UInt64) async throws {
        guard !touched.isEmpty else { return }
        // A reorganisation removed the listing of a sale that is gone.
        let views = touched.sorted().compactMap { id in saleIndex.view(of: id).map { (id, $0) } }
        for (id, view) in views {
            guard let fault = view.fault else { continue }
            logger.error(
                "events of a sale are missing or forged",
                metadata: ["sale": "\(id)", "fault": "\(fault)"]
            )
        }
        try await store.writeOnceThereIsRoom { [chain = saleIndex.deployment.chain] transaction in
            for (id, view) in views {
                let accounts = try Set(view.sale.concerned).sorted().filter {
                    try view.sale.state.isNews(for: $0)
                        && transaction.contains(AccountEntries.self, $0)
                }
                guard !accounts.isEmpty,
                    try transaction.noteNotified(view.notified, of: view.sale.reference.subject)
                else { continue }
                for account in accounts {
                    try events.note(
                        "sale",
                        subject: id.description,
                        data: view.news(for: account),
                        for: account,
                        in: &transaction
                    )
                }
            }
            try transaction.noteNotified(upTo: height, of: chain)
        }
        events.signal()
    }
}

extension SaleReference {
    fileprivate var subject: ChainSubject {
        ChainSubject(chain: contract.chain, contract: contract.address, id: id.hash)
    }
}

extension SaleView {
    /// The identity of the reported state, so that it is not reported twice.
    fileprivate var notified: NotifiedSale {
        NotifiedSale(
            block: sale.position.blockHash,
            logIndex: sale.position.logIndex,
            isFinal: isFinal
        )
    }

    /// Returns the data of an account's event about the sale.
    fileprivate func news(for account: Address) -> [String: String] {
        let common = [
            "phase": sale.status.name,
            "role": sale.role(of: account).name,
            "confirmations": "\(confirmations)",
            "confirmationsNeeded": "\(confirmationsNeeded)",
        ]
        return common.merging(sale.state.news) { common, _ in common }
    }
}
