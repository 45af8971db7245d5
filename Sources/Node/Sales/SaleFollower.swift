import Client
package import Contracts
import Keys
package import Logging
package import Market
package import Storage

/// Hears what happens on the market's chain: folds events onto the shelf, and tells the accounts of
/// this node what changed.
package struct SaleFollower: ChainListener {
    private typealias HighEvent = (height: UInt64, event: EscrowLedger.Event)

    private let saleIndex: SaleIndex
    private let store: Store
    private let kept: LMDBChainStore
    private let escrow: EscrowContract
    private let events: AccountEventLog
    private let onBlock: @Sendable (Set<SaleID>) async throws -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - saleIndex: Shows the sales.
    ///   - store: Has what the chain's service applied.
    ///   - events: Told of what changed.
    ///   - onBlock: Called after each block, when the shelf shows it, with the sales that changed or
    ///     became final: what waits for the chain looks again.
    ///   - logger: Told of events that cannot be.
    package init(
        saleIndex: SaleIndex,
        store: Store,
        events: AccountEventLog,
        onBlock: @escaping @Sendable (Set<SaleID>) async throws -> Void,
        logger: Logger
    ) {
        self.saleIndex = saleIndex
        self.store = store
        escrow = EscrowContract(address: saleIndex.deployment.escrow)
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
            try await tell(touched, upTo: range.to.number)
        case .rolledBack(let block):
            if let taken = saleIndex.rollBack(to: block) {
                try await tell(taken, upTo: block?.number ?? 0)
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
            try await tell(touched, upTo: saleIndex.applied?.number ?? 0)
            if touched.isEmpty { return }
        }
        try await onBlock(touched)
    }

    /// Takes all sales in, and tells what the node had no time to tell before it ended.
    ///
    /// Sales that were told of and not yet final are looked at again, and told of only if they
    /// changed.
    private func resume(at block: BlockID?) async throws {
        let told = try store.read { [chain = saleIndex.deployment.chain] in
            try $0.toldHeight(of: chain)
        }
        // Not told of, or not when it became final.
        let missed = try reload(upTo: block).filter {
            $0.height + saleIndex.confirmations > told + 1
        }
        guard let block, !missed.isEmpty else { return }
        try await tell(Set(missed.compactMap(\.event.sale)), upTo: block.number)
    }

    /// Takes all sales in anew from what the store keeps, and answers its events.
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
                return (applied.log.block.number, try applied.event(of: escrow))
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

    private func subject(of sale: SaleID) -> ChainSubject {
        let contract = saleIndex.deployment.contract
        return ChainSubject(chain: contract.chain, contract: contract.address, id: sale.hash)
    }

    /// Tells the accounts of this node of sales that changed, in one transaction.
    private func tell(_ touched: Set<SaleID>, upTo height: UInt64) async throws {
        guard !touched.isEmpty else { return }
        // One that is gone had its listing taken back by a reorganisation.
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
                let accounts = try Set(view.state.concerned).sorted()
                    .filter { try transaction.contains(AccountEntries.self, $0) }
                guard !accounts.isEmpty,
                    try transaction.noteTold(view.told, of: subject(of: id))
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
            try transaction.noteTold(upTo: height, of: chain)
        }
        events.signal()
    }
}

extension SaleView {
    /// By what its news is known.
    fileprivate var told: NotifiedSale {
        NotifiedSale(
            block: state.position.blockHash,
            logIndex: state.position.logIndex,
            isFinal: isFinal
        )
    }

    /// What an account is told when its sale changes.
    fileprivate func news(for account: Address) -> [String: String] {
        [
            "phase": state.status.name,
            "role": state.role(of: account).rawValue,
            "confirmations": "\(confirmations)",
            "confirmationsNeeded": "\(confirmationsNeeded)",
        ]
    }
}
