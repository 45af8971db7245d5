import AccountAccess
import Answers
import Client
import Concurrency
import Contracts
import Ethereum
import Keys
import Logging
import Market
import Setup
import Storage

/// Lists items of one chain again whose buyers have not paid after an accepted offer, for sellers
/// who have agreed to that and are signed in.
///
/// Runs one ``ReopeningWatch``, whenever ``DeadlineWatcher`` looks.
actor ReopeningWatcher {
    /// A sale of an account.
    struct AccountSale: Hashable {
        let account: Address
        let sale: SaleID
    }

    private let saleIndex: SaleIndex
    private let planner: ListingPlanner
    private let accounts: Accounts
    private let store: Store
    private let events: AccountEventLog
    private let settings: DeadlineSettings
    private let logger: Logger
    private let errors: LoopErrors
    private var watch = ReopeningWatch()

    /// - Parameters:
    ///   - saleIndex: The sales of one chain, whose clock counts.
    ///   - planner: Lists the items again.
    ///   - dependencies: Where accounts, consents and events are kept, and whether the node acts.
    ///   - logger: Gets each item that is listed again, and what prevents it.
    ///   - errors: Gets what cannot be done at all.
    init(
        _ saleIndex: SaleIndex,
        planner: ListingPlanner,
        _ dependencies: MarketServices.Dependencies,
        logger: Logger,
        errors: LoopErrors
    ) {
        (self.saleIndex, self.planner) = (saleIndex, planner)
        (accounts, store) = (dependencies.accounts, dependencies.store)
        (events, settings) = (dependencies.events, dependencies.deadlines)
        (self.logger, self.errors) = (logger, errors)
    }

    /// Looks at all sales for which accounts have agreed to it.
    ///
    /// - Parameter head: The newest block; `nil` as long as the chain is not followed.
    /// - Returns: The sales in which the node makes no other move now.
    func look(head: ReopeningWatch.Head?) async -> Set<AccountSale> {
        let consents = errors.value("consents to list again") { try allConsents() } ?? []
        watch.keep(Set(consents.map(\.consent.sale.id)))
        guard !consents.isEmpty else { return [] }
        let unlocked = Set(await accounts.unlocked)
        var held: Set<AccountSale> = []
        for (account, consent) in consents {
            let own = AccountSale(account: account, sale: consent.sale.id)
            let isDone = await errors.item("reserved sale \(consent.sale.id)") {
                let isUsable = unlocked.contains(account) && settings.allow(account)
                let sale = try await reserved(consent, by: account, isUsable: isUsable)
                let decision = watch.look(at: sale, head: head) { saleIndex.hasSettled($0) }
                if try await carryOut(decision, consent, by: account, head) { held.insert(own) }
            }
            // As long as it is not known how it stands, the node does not end it.
            if !isDone { held.insert(own) }
        }
        return held
    }

    private func allConsents() throws -> [(account: Address, consent: ReopeningConsent)] {
        try store.read { transaction in
            try transaction.keys(AccountEntries.self, .all()).flatMap { account in
                try transaction.reopeningConsents(by: account).map {
                    (account: account, consent: $0)
                }
            }
        }.filter { $0.consent.sale.contract.chain == saleIndex.deployment.chain }
    }

    private func reserved(
        _ consent: ReopeningConsent,
        by account: Address,
        isUsable: Bool
    ) async throws -> ReservedSale {
        var sale = ReservedSale(
            consent,
            settled: saleIndex.sale(consent.sale).map { ReservedSale.State($0) },
            newest: saleIndex.view(of: consent.sale).map { ReservedSale.State($0.sale) }
        )
        let listing = try store.listing(ListingID(author: account, slot: consent.slot))
        sale.isListed = listing?.listing.sale == consent.sale
        sale.isUsable = isUsable
        sale.isMoved = await planner.runner.book.isMoving(consent.sale.id)
        sale.waitsForUnlock = await planner.runner.book.waitsForUnlock(reopening: consent.sale.id)
        sale.attempts = try await attempts(of: consent, by: account)
        return sale
    }

    /// How the attempts of this run and of earlier ones have ended.
    private func attempts(
        of consent: ReopeningConsent,
        by account: Address
    ) async throws -> [Client.Operation.State] {
        var states: [Client.Operation.State] = []
        for attempt in 0..<ReopeningWatch.attemptsMax {
            let key = consent.key(attempt: attempt)
            guard let begun = try await planner.reopen(consent, by: account).begun(key: key) else {
                break
            }
            states.append(begun.state)
        }
        return states
    }

    /// Carries out a decision.
    ///
    /// - Returns: Whether the node makes no other move in the sale now.
    private func carryOut(
        _ decision: ReopeningWatch.Decision,
        _ consent: ReopeningConsent,
        by account: Address,
        _ head: ReopeningWatch.Head?
    ) async throws -> Bool {
        switch decision {
        case .leave: return false
        case .hold: return true
        case .drop: return try await !planner.runner.dropReopening(of: consent.sale.id)
        case .begin(let attempt):
            guard let head else { return false }
            return try await begin(consent, attempt, by: account, at: head.time)
        case .forget:
            try await store.writeOnceThereIsRoom { transaction in
                _ = try transaction.endReopeningConsent(to: consent.sale.id, by: account)
            }
            return false
        case .stop(let reason):
            try await stop(consent, by: account, because: [reason.words])
            return false
        }
    }

    private func begin(
        _ consent: ReopeningConsent,
        _ attempt: Int,
        by account: Address,
        at now: ChainTime
    ) async throws -> Bool {
        do {
            _ = try await planner.reopen(consent, by: account).begin(
                key: consent.key(attempt: attempt),
                limit: consent.feeMax
            )
            logger.info("an unpaid item is listed again", metadata: metadata(of: consent, account))
            return true
        } catch let error where !(error is CancellationError) {
            let (sale, refusal) = (consent.sale.id, error as? Refusal)
            if refusal == nil { errors.note(error, of: "reserved sale \(sale)") }
            let isLasting = ReopeningWatch.isLasting(error)
            guard watch.refused(sale, isLasting: isLasting, at: now) else { return true }
            let words = [ReopeningWatch.Stop.failed.words] + (refusal?.reason ?? [])
            try await stop(consent, by: account, because: words)
            return false
        }
    }

    /// Ends a consent, and tells its account why and what to do; once.
    ///
    /// The sale is left to the moves of deadlines, which end it so that the deposit comes back.
    private func stop(
        _ consent: ReopeningConsent,
        by account: Address,
        because reason: [Sentence]
    ) async throws {
        logger.warning(
            "an unpaid item is not listed again",
            metadata: metadata(of: consent, account).merging(["problem": "\(reason.detail)"]) { $1 }
        )
        let listing = ListingID(author: account, slot: consent.slot).description
        let words = reason + [Sentence("reopening.byHand", ["listing": listing])]
        try await store.writeOnceThereIsRoom { [events] transaction in
            guard try transaction.endReopeningConsent(to: consent.sale.id, by: account) else {
                return
            }
            try events.note(
                ofReopening: consent.sale.id,
                isListed: false,
                words,
                for: account,
                in: &transaction
            )
        }
        events.signal()
    }

    private func metadata(of consent: ReopeningConsent, _ account: Address) -> Logger.Metadata {
        ["sale": "\(consent.sale.id)", "account": "\(account)"]
    }
}

extension ReopeningWatch.Stop {
    fileprivate var words: Sentence {
        switch self {
        case .ended: Sentence("reopening.ended")
        case .changed: Sentence("reopening.changed")
        case .late: Sentence("reopening.late")
        case .failed: Sentence("reopening.failed")
        }
    }
}

extension ReopeningWatch {
    /// Whether the account's owner would have to do something before it can be listed again.
    ///
    /// An error of the node itself, such as for lack of room, passes.
    package static func isLasting(_ error: any Error) -> Bool {
        switch (error as? Refusal)?.code {
        case .insufficientBalance, .badTerms, .badListing, .badAmount, .badAddress,
            .contractRefused, .wrongMarket, .unknownChain, .unknownListing, .listingGone,
            .notAllowed:
            true
        default: false
        }
    }
}
