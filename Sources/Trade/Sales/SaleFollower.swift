package import AccountAccess
import Client
import Concurrency
import Contracts
package import Ethereum
import Keys
package import Logging
package import Market
package import Storage

/// Follows the market's chain: updates the sale index and reports changes to this node's accounts.
package struct SaleFollower: ChainListener {
    private let saleIndex: SaleIndex
    private let store: Store
    private let kept: LMDBChainStore
    private let events: AccountEventLog
    private let onBlock: @Sendable (Set<SaleID>) async throws -> Void
    private let logger: Logger
    private let errors: LoopErrors
    private let findings = LogRateLimiter()

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
        errors = LoopErrors("sale-news", logger: logger)
    }

    package func handle(_ update: ChainUpdate, on chain: ChainID) async throws {
        if case .noticed(let notice) = update { return saleIndex.note(notice) }
        var touched: Set<SaleID> = []
        let accounts = try store.read { try $0.keys(AccountEntries.self, .all()) }
        saleIndex.watch(Set(accounts))
        switch update {
        case .resumed(let block):
            // Including events that the node could not report before it stopped.
            let loaded = try reload(upTo: block)
            if let block { try await report(loaded, upTo: block.number) }
        case .applied(let range):
            let events = decoded(range.events)
            touched = saleIndex.apply(events, upTo: range.to)
            try await report(touched, upTo: range.to.number)
        case .rolledBack(let block):
            let taken = try saleIndex.rollBack(to: block) ?? reload(upTo: block)
            try await report(taken, upTo: block?.number ?? 0)
        case .head(let head):
            saleIndex.set(head: head)
            return
        case .health(let health):
            saleIndex.set(health: health)
        case .sources(let sources):
            touched = saleIndex.set(sources: sources)
            try await report(touched, upTo: saleIndex.applied?.number ?? 0)
            if touched.isEmpty { return }
        case .noticed: return
        }
        try await onBlock(touched)
    }

    /// Loads all sales again from the events in the store, and returns them.
    private func reload(upTo block: BlockID?) throws -> Set<SaleID> {
        saleIndex.restart()
        guard let block else { return [] }
        var kept: [AppliedEvent] = []
        try self.kept.forEachEvent(of: saleIndex.deployment.chain) { kept.append($0) }
        return saleIndex.apply(decoded(kept), upTo: block)
    }

    private func decoded(
        _ events: [AppliedEvent]
    ) -> [(height: UInt64, event: SaleLedger.Event)] {
        var impossible: [Address: [AppliedEvent]] = [:]
        let decoded: [(height: UInt64, event: SaleLedger.Event)] = events.compactMap { applied in
            do {
                let event = try saleIndex.kinds.contracts.decode(applied, of: saleIndex.deployment)
                return event.map { (applied.log.block.number, $0) }
            } catch {
                impossible[applied.log.address, default: []].append(applied)
                return nil
            }
        }
        for (contract, found) in impossible { noteImpossible(found, of: contract) }
        return decoded
    }

    /// Logs events that cannot be: one line an hour for each contract, however many there are.
    private func noteImpossible(_ events: [AppliedEvent], of contract: Address) {
        guard let last = events.last?.log,
            let count = findings.note("contract \(contract)", count: events.count)
        else { return }
        logger.error(
            "events that the contract cannot have written: an endpoint lies",
            metadata: [
                "contract": "\(contract)", "count": "\(count)", "block": "\(last.block.number)",
                "transaction": "\(last.transaction)",
            ]
        )
    }

    /// Reports changed sales to the accounts of this node, in one transaction; if that fails, one
    /// by one, so that one failure does not hold up the rest.
    private func report(_ touched: Set<SaleID>, upTo height: UInt64) async throws {
        let news = saleIndex.takeNews()
        guard !touched.isEmpty else { return }
        for id in touched.sorted() {
            guard let fault = saleIndex.view(of: id)?.fault,
                let count = findings.note("sale \(id)")
            else { continue }
            logger.error(
                "events of a sale are missing or forged",
                metadata: ["sale": "\(id)", "fault": "\(fault)", "count": "\(count)"]
            )
        }
        let areTold = await errors.item("news of sales") { try await tell(news, upTo: height) }
        if !areTold {
            try Task.checkCancellation()
            for item in news {
                await errors.item("news of sale \(item.sale.id)") { try await tell([item]) }
            }
            try await tell([], upTo: height)
        }
        events.signal()
    }

    /// Writes the events of news, and the height up to which they are reported, if given.
    private func tell(_ news: [SaleNews], upTo height: UInt64? = nil) async throws {
        let needed = saleIndex.confirmations
        try await store.writeOnceThereIsRoom {
            [chain = saleIndex.deployment.chain, events] transaction in
            for item in news {
                // Accounts may have been removed since the news were noted.
                let accounts = try item.roles.keys.sorted().filter {
                    try transaction.contains(AccountEntries.self, $0)
                }
                guard !accounts.isEmpty, try item.isNew(in: &transaction, needed) else { continue }
                for account in accounts {
                    try events.note(
                        "sale",
                        subject: item.sale.id.description,
                        data: item.data(for: account, confirmationsNeeded: needed),
                        words: [Sentence("phase.\(item.phase)")],
                        for: account,
                        in: &transaction
                    )
                }
            }
            if let height { try transaction.noteNotified(upTo: height, of: chain) }
        }
    }
}

extension SaleNews {
    /// Whether it was not reported before; records that it is.
    fileprivate func isNew(
        in transaction: inout WriteTransaction,
        _ confirmations: UInt64
    ) throws -> Bool {
        guard let event else { return true }
        return try transaction.noteNotified(
            of: ChainEventPlace(height: event.blockNumber, logIndex: event.logIndex),
            isFinal: isFinal,
            in: ChainSubject(
                chain: sale.contract.chain,
                contract: sale.contract.address,
                id: sale.id.hash
            ),
            confirmations: confirmations
        )
    }

    /// Returns the data of an account's event.
    fileprivate func data(
        for account: Address,
        confirmationsNeeded: UInt64
    ) -> [String: String] {
        let common = [
            "phase": phase,
            "role": roles[account] ?? SaleRole.stranger.name,
            "confirmations": "\(confirmations)",
            "confirmationsNeeded": "\(confirmationsNeeded)",
        ]
        return common.merging(details) { common, _ in common }
    }
}
