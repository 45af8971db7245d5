import AccountAccess
import Answers
import Client
package import Concurrency
import Contracts
import Ethereum
import Foundation
import Keys
package import Logging
import Market
import Setup
import Storage

/// Watches the deadlines of the sales of this node's accounts on one chain: reminds the accounts of
/// them, and makes the moves that they open, for accounts that gain by them and are unlocked or
/// have allowed them.
///
/// Runs one ``DeadlineWatch``. It looks when a block or an unlocking has changed something, and at
/// the watch's next time.
package actor DeadlineWatcher {
    /// How often the time is checked, because a quiet chain has few blocks.
    private static let tickInterval = Duration.seconds(15)

    private let saleIndex: SaleIndex
    private let moves: MovePlanner
    private let operations: OperationLog
    private let accounts: Accounts
    private let store: Store
    private let events: AccountEventLog
    private let settings: DeadlineSettings
    private let inbox: DeadlineInbox
    private let clock: any MonotonicClock
    private let logger: Logger
    private let errors: LoopErrors
    private let reopenings: ReopeningWatcher
    private var watch = DeadlineWatch()
    /// The sales in which no move is made, because their items are about to be listed again.
    private var held: Set<ReopeningWatcher.AccountSale> = []

    /// - Parameters:
    ///   - saleIndex: The sales of one chain, whose clock counts.
    ///   - moves: Plans the moves.
    ///   - planner: Lists items again whose buyers have not paid.
    ///   - dependencies: Where operations, accounts and notices are kept, and whether moves are
    ///     made.
    ///   - inbox: Signals that something may have changed.
    ///   - clock: Monotonic time.
    ///   - logger: Gets each move and what prevents one.
    package init(
        _ saleIndex: SaleIndex,
        moves: MovePlanner,
        planner: ListingPlanner,
        _ dependencies: MarketServices.Dependencies,
        inbox: DeadlineInbox,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        self.saleIndex = saleIndex
        self.moves = moves
        (operations, accounts) = (dependencies.operations, dependencies.accounts)
        (store, events) = (dependencies.store, dependencies.events)
        settings = dependencies.deadlines
        (self.inbox, self.clock, self.logger) = (inbox, clock, logger)
        let errors = LoopErrors("deadlines", logger: logger)
        self.errors = errors
        reopenings = ReopeningWatcher(
            saleIndex,
            planner: planner,
            dependencies,
            logger: logger,
            errors: errors
        )
    }

    /// Watches until cancelled.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { [clock, inbox] in
                while true {
                    try await clock.wait(Self.tickInterval)
                    inbox.tick()
                }
            }
            group.addTask {
                for await _ in self.inbox.signals() { await self.look() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Looks at all sales, if anything has changed or it is time.
    ///
    /// Work that fails is tried again at the next tick.
    private func look() async {
        // A time that the chain may not have says nothing of its deadlines.
        guard let (now, newest, health) = saleIndex.timing, health != .stale(.futureTimestamp)
        else {
            return
        }
        let isDue = watch.next.map { $0 <= now } ?? false
        // Read first: who signs in now must not find the sale ended instead.
        let allowed = await accounts.allowedMoves
        let held = await reopenings.look(head: health == .following ? reopeningHead(newest) : nil)
        defer { self.held = held }
        guard inbox.takeChange() || isDue || !watch.underWay.isEmpty || held != self.held else {
            return
        }
        let failed = errors.count
        defer { if errors.count > failed { inbox.keepChange() } }
        for (move, id) in watch.underWay {
            await errors.item("operation \(id)") { try await noteEnded(move, id, at: now) }
        }
        let head = health == .following ? newest : nil
        let watched = watchedSales(at: now, besides: held, allowed: allowed)
        for directive in watch.look(at: watched, head: head, now: now) {
            switch directive {
            case .notify(let notice):
                await errors.item("deadline of sale \(notice.sale)") { try await tell(notice) }
            case .move(let move, let key):
                await errors.item("move in sale \(move.sale)") {
                    for rival in watch.rivals(of: move, in: watched) {
                        if try await isBegun(rival, at: now) { return }
                    }
                    try await make(move, key: key, at: now)
                }
            }
        }
    }

    private func reopeningHead(_ time: ChainTime) -> ReopeningWatch.Head? {
        // A later block than the time's own is as good.
        saleIndex.head.map { ReopeningWatch.Head(time: time, height: $0.header.number) }
    }

    /// Returns the sales of this node's accounts that have a deadline or a due move.
    private func watchedSales(
        at now: ChainTime,
        besides held: Set<ReopeningWatcher.AccountSale>,
        allowed: [Address: Set<UnattendedMove>]
    ) -> [WatchedSale] {
        let own = errors.value("accounts") {
            try store.read { transaction in
                try transaction.keys(AccountEntries.self, .all()).compactMap { account in
                    errors.value("deadlines of account \(account)") {
                        try transaction.deadlineNotices(of: account)
                    }.map { (account, $0) }
                }
            }
        }
        return (own ?? []).flatMap { account, notices in
            saleIndex.sales(of: account).compactMap { sale in
                let isHeld = held.contains(.init(account: account, sale: sale.id))
                let due = isHeld ? [] : sale.state.dueMoves(for: account, at: now)
                let service = saleIndex.service(for: sale)
                let next = sale.state.deadline(after: now)?.at
                guard next != nil || !due.isEmpty else { return nil }
                return WatchedSale(
                    account: account,
                    sale: sale.id,
                    due: due,
                    next: next,
                    deadline: WatchedDeadline(of: sale, for: account, by: service, at: now),
                    notices: notices[sale.id] ?? [:],
                    allowed: settings.allow(account) ? allowed[account] ?? [] : []
                )
            }
        }
    }

    /// Records the outcome of a move in progress.
    private func noteEnded(_ move: DeadlineMove, _ id: String, at now: ChainTime) async throws {
        let state: Client.Operation.State
        do {
            state = try operations.entry(id, account: move.account).operation.state
        } catch is Refusal {
            // The account was removed.
            watch.done(move)
            return
        }
        switch state {
        case .done: watch.done(move)
        case .failed:
            guard !watch.failed(move, at: now) else { return }
            let tries = ["count": "\(DeadlineWatch.attemptsMax)"]
            try await report(move, [Sentence("refusal.givenUp", tries)])
        default: return
        }
    }

    private func proposal(of move: DeadlineMove) -> ProposedOperation {
        moves.move(
            move.sale.description,
            Client.SaleMove(move: move.name, round: move.round),
            by: move.account
        )
    }

    /// Returns whether a former run began an account's move, which is then under way, also if the
    /// account is locked.
    private func isBegun(_ move: DeadlineMove, at now: ChainTime) async throws -> Bool {
        do {
            for attempt in 0..<DeadlineWatch.attemptsMax {
                let key = move.key(attempt: attempt)
                let operation = try await proposal(of: move).begun(key: key)
                guard let operation else { break }
                guard operation.state != .failed else { continue }
                watch.begun(move, operation: operation.id, at: now)
                return true
            }
        } catch is Refusal {
            // The account has been removed since, and its operations with it.
        }
        return false
    }

    /// Begins the operation of a move.
    private func make(_ move: DeadlineMove, key: String, at now: ChainTime) async throws {
        do {
            let limit = try await feeMax(of: move)
            let operation = try await proposal(of: move).begin(key: key, limit: limit)
            watch.begun(move, operation: operation.id, at: now)
            logger.info("a deadline's move begins", metadata: metadata(of: move))
        } catch let refusal as Refusal {
            let isNews = watch.refused(move, because: refusal.code.obstacle, at: now)
            guard isNews else { return }
            try await report(move, refusal.reason ?? [])
        }
    }

    /// Returns the most that a move may cost, in wei; see ``AutomaticFee``.
    ///
    /// - Throws: ``Refusal`` with `fee_above_limit` if it can cost more now.
    private func feeMax(of move: DeadlineMove) async throws -> Amount {
        switch AutomaticFee(try await proposal(of: move).preview()) {
        case .atMost(let limit): return limit
        case .tooHigh(let fee, let gain):
            let chain = saleIndex.deployment.chain
            throw Refusal(
                .feeAboveLimit,
                Sentence(
                    "refusal.feeAboveGain",
                    [
                        "fee": fee.value(in: .native, on: chain),
                        "gain": gain.value(in: .native, on: chain),
                    ]
                )
            )
        }
    }

    /// Notifies an account once of a deadline.
    private func tell(_ notice: DeadlineNotice) async throws {
        let data = saleIndex.data(of: notice)
        try await store.writeOnceThereIsRoom { [events] transaction in
            guard try transaction.contains(AccountEntries.self, notice.account),
                try transaction.noteDeadline(
                    notice.deadline,
                    of: notice.sale,
                    hoursLeft: notice.hoursLeft,
                    for: notice.account
                )
            else { return }
            try events.note(
                Client.DeadlineNews.eventType,
                subject: notice.sale.description,
                data: data,
                words: notice.consequence.isEmpty ? nil : notice.consequence,
                for: notice.account,
                in: &transaction
            )
        }
        events.signal()
    }

    /// Notifies an account that its move could not be made.
    private func report(_ move: DeadlineMove, _ reason: [Sentence]) async throws {
        logger.warning(
            "a deadline's move is not made",
            metadata: metadata(of: move).merging(["problem": "\(reason.detail)"]) { $1 }
        )
        let news = Client.DeadlineNews(
            deadline: move.since.date,
            hoursLeft: 0,
            opens: [move.name],
            problem: reason.detail
        )
        try await events.record(
            Client.DeadlineNews.eventType,
            subject: move.sale.description,
            data: news.data,
            words: reason,
            for: move.account
        )
    }

    private func metadata(of move: DeadlineMove) -> Logger.Metadata {
        ["sale": "\(move.sale)", "move": "\(move.name)", "account": "\(move.account)"]
    }
}

extension SaleIndex {
    /// Returns the data of an account's event about a deadline.
    fileprivate func data(of notice: DeadlineNotice) -> [String: String] {
        Client.DeadlineNews(
            deadline: notice.deadline.date,
            hoursLeft: Int(notice.hoursLeft),
            role: view(of: notice.sale)?.sale.role(of: notice.account).name,
            closes: notice.closes,
            opens: notice.opens,
            consequence: notice.consequence.isEmpty ? nil : notice.consequence.detail
        ).data
    }
}

extension ProblemCode {
    /// Whether a refusal with it passes without anything done by the account's owner, and how soon.
    fileprivate var obstacle: DeadlineWatch.Obstacle {
        switch self {
        case .chainAway, .chainStale, .wrongChain, .notFinalYet, .oneSource, .inProgress,
            .storeFull, .shuttingDown, .moveNotOpen, .unknownSale:
            .passing
        case .feeAboveLimit: .fee
        default: .lasting
        }
    }
}
