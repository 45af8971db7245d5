package import Keys
package import Market

/// Decides when mail of the outbox is tried, and whether it stays there.
///
/// Laws:
/// - Mail is tried at its time, and each route's mail once after the start, a sign-in or a new
///   link.
/// - Each route is tried separately: a slow one delays no other. At most `concurrentMax` routes are
///   tried at the same time. Of these at most half are slow, which means that their last attempt
///   took longer than `slowAttempt`, within the last `retryMax`. A quarter is kept for quick ones,
///   to which mail went out sooner within the last day.
/// - Accounts take turns, and the recipients of each account: the ones that have waited longest
///   since their last try come first. At most `batchMax` messages are started together, of which at
///   most `recipientBatchMax` from one account to one recipient.
/// - Mail of sales is started before texts: of each route, of each account's recipients, and among
///   the accounts whose turn it is.
/// - New links start at most one pass a second.
/// - The time to the next attempt is `retryMin`, doubled with each attempt, and at most `retryMax`.
///   An attempt that fails in any way counts like the others.
/// - A route whose mail cannot be written down is left alone for as long, counted in memory, even
///   if its mail is made due: a store without room is no reason to try at once.
/// - Mail stays until all homes have it or it has expired, and then until its account was notified.
package struct MailOutbox: Sendable {
    /// The state of mail after an attempt.
    package enum Outcome: Equatable, Sendable {
        case finished
        case retry(at: Timestamp)
    }

    /// The sender and the recipient of mail.
    package struct Route: Hashable, Sendable {
        package let account: Address
        /// The recipient's address as text.
        package let recipient: String

        package init(account: Address, recipient: String) {
            (self.account, self.recipient) = (account, recipient)
        }
    }

    private let settings: ChatSettings
    /// Routes that were tried since all mail was made due; for all others, all mail is due.
    private var tried: Set<Route> = []
    /// When routes and accounts were begun last, by a number that rises.
    private var begunLast: [Route: UInt64] = [:]
    private var accountsBegunLast: [Address: UInt64] = [:]
    private var begunCount: UInt64 = 0
    private static let routesMax = 100_000
    /// Whether mail may be due before its time.
    private var isUntriedLeft = true
    private var underWay: Set<Route> = []
    private var slow: ExpiringTable<Route, Void>
    private var quick: ExpiringTable<Route, Void>
    private static let quickTime = Duration.days(1)
    /// Routes whose last attempts could not be written down, with the number of these.
    private var stuck: [Route: (attempts: UInt32, until: Timestamp)] = [:]
    private var linkedAt = Timestamp(milliseconds: 0)

    package init(_ settings: ChatSettings) {
        self.settings = settings
        slow = ExpiringTable(entriesMax: 1_000)
        quick = ExpiringTable(entriesMax: 10_000)
    }

    /// Makes all mail due, for example after a sign-in.
    package mutating func makeAllDue() { (tried, isUntriedLeft) = ([], true) }

    /// Records a new link, which makes all mail due.
    ///
    /// - Returns: Whether to start a pass for it; if not, the mail waits for the next one.
    package mutating func linked(at now: Timestamp) -> Bool {
        makeAllDue()
        guard linkedAt.advanced(by: .seconds(1)) <= now || linkedAt > now else { return false }
        linkedAt = now
        return true
    }

    /// Returns the time up to which ``begin(_:at:)`` needs to know the mail.
    package func horizon(at now: Timestamp) -> Timestamp {
        isUntriedLeft ? Timestamp(milliseconds: .max) : now
    }

    /// Chooses which mail is tried now, and counts its routes as under way.
    ///
    /// - Parameters:
    ///   - mail: All mail up to ``horizon(at:)`` with the times at which it is due, the longest due
    ///     first.
    ///   - ofSales: The indexes in `mail` of those that belong to a sale.
    ///   - routes: Routes that are not begun, whatever is due.
    ///   - now: The present time.
    /// - Returns: The chosen mail, each as its index in `mail`.
    package mutating func begin(
        _ mail: [(route: Route, dueAt: Timestamp)],
        ofSales: Set<Int> = [],
        except routes: Set<Route> = [],
        at now: Timestamp
    ) -> [Int] {
        var due: [Route: [Int]] = [:]
        for (index, (route, dueAt)) in mail.enumerated() {
            if underWay.contains(route) || routes.contains(route) { continue }
            if let stuck = stuck[route], stuck.until > now { continue }
            if dueAt <= now || !tried.contains(route) { due[route, default: []].append(index) }
        }
        var begun: [Route] = []
        var slowCount = underWay.count { slow.contains($0, at: now) }
        var quickCount = underWay.count { quick.contains($0, at: now) }
        let othersMax =
            settings.concurrentMax - min(settings.concurrentMax / 8 * 2, quick.count)
        let first = due.mapValues { $0[0] }
        for route in due.keys {
            due[route]?.sort {
                (ofSales.contains($0) ? 0 : 1, $0) < (ofSales.contains($1) ? 0 : 1, $1)
            }
        }
        let routesOfSales = Set(due.filter { ofSales.contains($0.value[0]) }.keys)
        for route in turns(of: first, ofSales: routesOfSales) {
            guard underWay.count < settings.concurrentMax else { break }
            let isSlow = slow.contains(route, at: now)
            if isSlow, slowCount >= max(1, settings.concurrentMax / 2) { continue }
            let isQuick = quick.contains(route, at: now)
            if !isQuick, underWay.count - quickCount >= othersMax { continue }
            if isSlow { slowCount += 1 }
            if isQuick { quickCount += 1 }
            note(route)
            begun.append(route)
        }
        if isUntriedLeft { isUntriedLeft = mail.contains { !tried.contains($0.route) } }
        // The first message of each route, then the second, and so on.
        let places = begun.enumerated().flatMap { turn, route in
            due[route, default: []].prefix(settings.recipientBatchMax).enumerated().map {
                (place: $0.offset, turn: turn, index: $0.element)
            }
        }
        return places.sorted { ($0.place, $0.turn) < ($1.place, $1.turn) }
            .prefix(settings.batchMax).map(\.index)
    }

    /// Counts a route as under way.
    private mutating func note(_ route: Route) {
        if begunLast.count >= Self.routesMax {
            (begunLast, accountsBegunLast) = ([:], [:])
        }
        if tried.count >= Self.routesMax { tried = [] }
        if stuck.count >= Self.routesMax { stuck = [:] }
        begunCount += 1
        underWay.insert(route)
        tried.insert(route)
        begunLast[route] = begunCount
        accountsBegunLast[route.account] = begunCount
    }

    /// Orders routes so that they take turns.
    ///
    /// - Parameters:
    ///   - due: The routes, each with the position of its longest due mail.
    ///   - ofSales: Those that have mail of a sale.
    /// - Returns: The routes in the order in which they are tried.
    private func turns(of due: [Route: Int], ofSales: Set<Route>) -> [Route] {
        func rank(_ route: Route) -> Int { ofSales.contains(route) ? 0 : 1 }
        let accounts = Dictionary(grouping: due, by: \.key.account).map { account, routes in
            (
                order: (accountsBegunLast[account] ?? 0, routes.map(\.value).min() ?? 0),
                routes: routes.sorted {
                    (rank($0.key), begunLast[$0.key] ?? 0, $0.value)
                        < (rank($1.key), begunLast[$1.key] ?? 0, $1.value)
                }
            )
        }
        let turns = accounts.sorted { $0.order < $1.order }.enumerated().flatMap { index, account in
            account.routes.enumerated().map {
                (order: ($0.offset, rank($0.element.key), index), route: $0.element.key)
            }
        }
        return turns.sorted { $0.order < $1.order }.map(\.route)
    }

    /// Records the result of an attempt to send a route's mail.
    ///
    /// `isHeld` says whether a home accepted any of it: an attempt that ends at once because its
    /// homes are left alone does not show how long the next one takes. `isStuck` says that some of
    /// it could not be read or written down, so that the store still has it as due.
    package mutating func ended(
        _ route: Route,
        after duration: Duration,
        isHeld: Bool,
        isStuck: Bool = false,
        at now: Timestamp
    ) {
        underWay.remove(route)
        if isStuck {
            let attempts = stuck[route]?.attempts ?? 0
            stuck[route] = (attempts + 1, nextAttempt(after: attempts, at: now))
        } else {
            stuck[route] = nil
        }
        if duration > settings.slowAttempt {
            slow.insert(route, until: now.advanced(by: settings.retryMax), at: now)
            quick.remove(route)
        } else if isHeld {
            slow.remove(route)
            quick.insert(route, until: now.advanced(by: Self.quickTime), at: now)
        }
    }

    /// Returns the state of mail after one more attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts before this one.
    ///   - isComplete: Whether every home that needs it has it.
    ///   - isExpired: Whether it had expired by the time of this attempt.
    ///   - isReported: Whether its progress was reported to its account.
    ///   - now: The present time.
    /// - Returns: Whether it leaves the outbox, or when it is tried again.
    package func outcome(
        attempts: UInt32,
        isComplete: Bool,
        isExpired: Bool,
        isReported: Bool,
        at now: Timestamp
    ) -> Outcome {
        if isReported, isComplete || isExpired { return .finished }
        return .retry(at: nextAttempt(after: attempts, at: now))
    }

    /// Returns when mail is tried again, also after an attempt that failed.
    package func nextAttempt(after attempts: UInt32, at now: Timestamp) -> Timestamp {
        let wait = settings.retryMin * (1 << Int(min(attempts, 10)))
        return now.advanced(by: min(settings.retryMax, wait))
    }
}
