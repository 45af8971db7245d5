import Client
package import Contracts
import Keys
package import Logging
package import Market
package import Storage

/// Hears what happens on the market's chain: folds events onto the shelf, and tells the accounts of
/// this node what changed.
package struct SaleFollower: ChainListener {
    private let shelf: SaleShelf
    private let store: Store
    private let kept: StoredChain
    private let escrow: EscrowContract
    private let events: EventLog
    private let onBlock: @Sendable (Set<SaleID>) async throws -> Void
    private let logger: Logger

    /// - Parameters:
    ///   - shelf: Shows the sales.
    ///   - store: Has what the chain's service applied.
    ///   - events: Told of what changed.
    ///   - onBlock: Called after each block, when the shelf shows it, with the sales that changed or
    ///     became final: what waits for the chain looks again.
    ///   - logger: Told of events that cannot be.
    package init(
        shelf: SaleShelf,
        store: Store,
        events: EventLog,
        onBlock: @escaping @Sendable (Set<SaleID>) async throws -> Void,
        logger: Logger
    ) {
        self.shelf = shelf
        self.store = store
        escrow = EscrowContract(address: shelf.deployment.escrow)
        kept = StoredChain(store: store, escrow: escrow)
        self.events = events
        self.onBlock = onBlock
        self.logger = logger
    }

    package func handle(_ update: ChainUpdate, on chain: ChainID) async throws {
        var touched: Set<SaleID> = []
        switch update {
        case .resumed(let block):
            try reload(upTo: block)
        case .applied(let range):
            let events = decoded(range.events)
            touched = shelf.apply(events, upTo: range.to)
            try await tell(touched)
        case .rolledBack(let block):
            if let taken = shelf.rollBack(to: block) {
                try await tell(taken)
            } else {
                try reload(upTo: block)
            }
        case .head(let head):
            shelf.set(head: head)
            return
        case .health(let health):
            shelf.set(health: health)
        }
        try await onBlock(touched)
    }

    /// Takes all sales in anew from what the store keeps.
    private func reload(upTo block: BlockID?) throws {
        shelf.restart()
        guard let block else { return }
        var events: [AppliedEvent] = []
        try kept.forEachEvent(of: shelf.deployment.chain) { events.append($0) }
        _ = shelf.apply(decoded(events), upTo: block)
    }

    private func decoded(
        _ events: [AppliedEvent]
    ) -> [(height: UInt64, event: EscrowLedger.Event)] {
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

    /// Tells the accounts of this node of the sales that changed.
    private func tell(_ touched: Set<SaleID>) async throws {
        for id in touched.sorted() {
            guard let view = shelf.view(of: id) else {
                // Its listing was taken back by a reorganisation.
                continue
            }
            if let fault = view.fault {
                logger.error(
                    "events of a sale are missing or forged",
                    metadata: ["sale": "\(id)", "fault": "\(fault)"]
                )
            }
            for account in Set(view.state.parties).sorted() where try isOwn(account) {
                try await events.record(
                    "sale",
                    subject: id.description,
                    data: [
                        "phase": view.state.status.name,
                        "role": view.state.role(of: account).rawValue,
                        "confirmations": "\(view.confirmations)",
                        "confirmationsNeeded": "\(view.confirmationsNeeded)",
                    ],
                    for: account
                )
            }
        }
    }

    private func isOwn(_ account: Address) throws -> Bool {
        try store.read { try $0.contains(AccountEntries.self, account) }
    }
}
