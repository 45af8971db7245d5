package import Market

/// Decides which moves that deadlines have opened to make for this node's accounts, and which
/// reminders of deadlines to send them.
///
/// Pure: the caller passes the sales and the chain's time, and reports what became of each move.
/// Nothing here has to survive a restart. The idempotency key of a move finds the operation that an
/// earlier run began, and the sales contain the notices that were sent.
///
/// Source: Docs/api.md, section 4.7.
package struct DeadlineWatch: Sendable {
    /// The shell's tasks.
    package enum Directive: Equatable, Sendable {
        /// Begin the move's operation, and report with ``begun(_:operation:at:)`` or
        /// ``refused(_:because:at:)``.
        case move(DeadlineMove, key: String)
        /// Tell the account durably, once.
        case notify(DeadlineNotice)
    }

    /// Why nothing could be begun.
    package enum Obstacle: Sendable, CaseIterable {
        /// The chain's state or another operation.
        case passing
        /// The fee is too high or not known, which the next block may change.
        case fee
        /// Another one, which the account's owner may have to remove.
        case lasting
    }

    /// How far a move is.
    private enum Progress {
        /// Not before this time.
        case waiting(until: ChainTime)
        /// As this operation, which has not ended as far as is known.
        case begun(operation: String, at: ChainTime)
        /// The operation has ended well, or nothing further is tried.
        case ended
    }

    private struct Attempt {
        var number = 0
        /// How often in succession nothing could be begun because of a lasting obstacle, or the
        /// fee.
        var refusals = 0
        var feeRefusals = 0
        var progress: Progress
    }

    /// The hours before a deadline at which accounts are reminded, the greatest first.
    package static let reminderHours: [UInt8] = [72, 24, 6]
    /// How much later the second account makes a move that the first one has not made.
    package static let rankDelay = Duration.seconds(600)
    /// How often a move is begun whose operations fail, because each can cost a fee.
    package static let attemptsMax = 3
    /// The first and the longest time after which a move is tried again.
    package static let retryDelay = Duration.seconds(600)
    package static let retryDelayMax = Duration.seconds(21_600)
    /// The time after which a move is tried again that only the chain's state prevents; because of
    /// its fee, it doubles up to ``feeDelayMax``.
    package static let passingDelay = Duration.seconds(60)
    package static let feeDelayMax = Duration.seconds(3_600)
    /// The refusal in succession because of the fee that is reported.
    package static let feeRefusalReported = 4

    private var attempts: [DeadlineMove: Attempt] = [:]
    /// The time of the first head at which each move was open.
    private var openSince: [DeadlineMove: ChainTime] = [:]
    /// When to look again although nothing changes; `nil` if there is nothing to wait for.
    package private(set) var next: ChainTime?

    package init() {}

    /// The moves that are under way, and their operations.
    package var underWay: [(move: DeadlineMove, operation: String)] {
        attempts.compactMap { move, attempt in
            guard case .begun(let operation, _) = attempt.progress else { return nil }
            return (move, operation)
        }
    }

    /// Returns how long after its opening an account of a rank makes a move: counted from when this
    /// node could first make it.
    ///
    /// The waiting times grow with the rank's logarithm, so that the move is made within two hours
    /// even if most of a thousand accounts are locked.
    package static func delay(ofRank rank: Int) -> Duration {
        rankDelay * (Int.bitWidth - 1 - (rank + 1).leadingZeroBitCount)
    }

    /// Decides the next actions.
    ///
    /// - Parameters:
    ///   - sales: Every sale of this node's accounts that is not over or has a due move.
    ///   - head: The time of the newest block, which decides whether a move is open; `nil` as long
    ///     as the chain is not followed, so that no money moves.
    ///   - now: The chain's present time.
    /// - Returns: The directives, to be carried out in order.
    package mutating func look(
        at sales: [WatchedSale],
        head: ChainTime?,
        now: ChainTime
    ) -> [Directive] {
        next = nil
        var directives: [Directive] = []
        var due: Set<DeadlineMove> = []
        var underWay = recentMoves(at: now)
        let contested = Self.contested(sales)
        for sale in sales {
            if let next = sale.next { lookAgain(at: next) }
            if let notice = reminder(of: sale, now: now) { directives.append(.notify(notice)) }
            directives += missed(in: sale, now: now).map { .notify($0) }
        }
        // If several accounts are late, the one that gains most is the first.
        for (sale, move) in Self.byRank(sales) {
            let wanted = DeadlineMove(move, of: sale.account, in: sale.sale)
            due.insert(wanted)
            if let head, head >= move.since, openSince[wanted] == nil { openSince[wanted] = head }
            guard sale.allows(move), let key = attempt(wanted, rank: move.rank, head: head) else {
                continue
            }
            // Only one of two accounts would succeed, and the other pay for nothing.
            guard underWay.insert(wanted.shared).inserted || !contested.contains(wanted.shared)
            else {
                lookAgain(at: now.advanced(by: Self.passingDelay))
                continue
            }
            directives.append(.move(wanted, key: key))
        }
        attempts = attempts.filter { due.contains($0.key) }
        openSince = openSince.filter { due.contains($0.key) }
        return directives
    }

    /// Returns the same move of other accounts, as far as nothing is known of it yet: an earlier
    /// run may have begun it.
    package func rivals(of move: DeadlineMove, in sales: [WatchedSale]) -> [DeadlineMove] {
        guard Self.contested(sales).contains(move.shared) else { return [] }
        return Self.byRank(sales).map { DeadlineMove($1, of: $0.account, in: $0.sale) }
            .filter { $0.shared == move.shared && $0 != move && attempts[$0] == nil }
    }

    /// Returns the moves of which some account ranks second; each account makes all others for
    /// itself.
    private static func contested(_ sales: [WatchedSale]) -> Set<DeadlineMove.Shared> {
        Set(
            sales.flatMap { sale in
                sale.due.filter { $0.rank > 0 }
                    .map { DeadlineMove($0, of: sale.account, in: sale.sale).shared }
            }
        )
    }

    private static func byRank(_ sales: [WatchedSale]) -> [(sale: WatchedSale, move: DueMove)] {
        let moves = sales.flatMap { sale in sale.due.map { (sale: sale, move: $0) } }
        return moves.enumerated()
            .sorted { ($0.element.move.rank, $0.offset) < ($1.element.move.rank, $1.offset) }
            .map { $0.element }
    }

    /// Returns the moves that accounts have begun in the last ``rankDelay``; one that takes longer
    /// keeps no other account from it.
    private func recentMoves(at now: ChainTime) -> Set<DeadlineMove.Shared> {
        Set(
            attempts.compactMap { move, attempt in
                guard case .begun(_, let begun) = attempt.progress,
                    now < begun.advanced(by: Self.rankDelay)
                else { return nil }
                return move.shared
            }
        )
    }

    /// Records the operation that carries out a move, and when it was begun.
    package mutating func begun(_ move: DeadlineMove, operation: String, at now: ChainTime) {
        attempts[move, default: Attempt(progress: .ended)].progress =
            .begun(operation: operation, at: now)
        attempts[move]?.refusals = 0
        attempts[move]?.feeRefusals = 0
    }

    /// Records that the operation of a move has succeeded.
    package mutating func done(_ move: DeadlineMove) { attempts[move]?.progress = .ended }

    /// Records that the operation of a move has failed, which can have cost a fee.
    ///
    /// - Returns: Whether the move is tried again.
    @discardableResult
    package mutating func failed(_ move: DeadlineMove, at now: ChainTime) -> Bool {
        var attempt = attempts[move] ?? Attempt(progress: .ended)
        attempt.number += 1
        let isLast = attempt.number >= Self.attemptsMax
        let delay = Self.delay(afterFailures: attempt.number)
        attempt.progress = isLast ? .ended : wait(delay, from: now)
        attempts[move] = attempt
        return !isLast
    }

    /// Records that a move was refused before anything was signed, which costs nothing.
    ///
    /// - Parameters:
    ///   - move: The move.
    ///   - obstacle: Why.
    ///   - now: The chain's present time.
    /// - Returns: Whether to notify its owner: the first time that the obstacle is lasting, and
    ///   once the fee has been one for some minutes.
    package mutating func refused(
        _ move: DeadlineMove,
        because obstacle: Obstacle,
        at now: ChainTime
    ) -> Bool {
        var attempt = attempts[move] ?? Attempt(progress: .ended)
        let delay: Duration
        let isNews: Bool
        switch obstacle {
        case .passing: (delay, isNews) = (Self.passingDelay, false)
        case .fee:
            delay = Self.delay(afterFeeRefusals: attempt.feeRefusals)
            attempt.feeRefusals += 1
            isNews = attempt.feeRefusals == Self.feeRefusalReported
        case .lasting:
            attempt.refusals += 1
            (delay, isNews) = (Self.delay(afterFailures: attempt.refusals), attempt.refusals == 1)
        }
        attempt.progress = wait(delay, from: now)
        attempts[move] = attempt
        return isNews
    }

    /// Returns the key of the attempt to make now; `nil` if none is due.
    private mutating func attempt(_ move: DeadlineMove, rank: Int, head: ChainTime?) -> String? {
        // All nodes whose chain stood still, or that were off, would find the later turns over,
        // too.
        let opened = max(move.since, openSince[move] ?? move.since)
        let turn = opened.advanced(by: Self.delay(ofRank: rank))
        let attempt = attempts[move] ?? Attempt(progress: .waiting(until: turn))
        guard case .waiting(let until) = attempt.progress else { return nil }
        guard let head, head >= until else {
            lookAgain(at: until)
            return nil
        }
        return move.key(attempt: attempt.number)
    }

    /// Returns the nearest reminder that is due and was not given.
    private mutating func reminder(of sale: WatchedSale, now: ChainTime) -> DeadlineNotice? {
        guard let deadline = sale.deadline, now < deadline.at else { return nil }
        let times = Self.reminderHours.map { hours in
            (hours: hours, at: deadline.at.earlier(by: .seconds(3_600 * Int64(hours))))
        }
        if let coming = times.first(where: { now < $0.at }) { lookAgain(at: coming.at) }
        guard let due = times.last(where: { $0.at <= now }), due.at > deadline.setAt,
            sale.notices[deadline.at].map({ $0 > due.hours }) ?? true
        else { return nil }
        return DeadlineNotice(
            account: sale.account,
            sale: sale.sale,
            deadline: deadline.at,
            hoursLeft: due.hours,
            consequence: deadline.consequence,
            closes: deadline.closes,
            opens: deadline.opens
        )
    }

    /// Returns notices of moves that this node does not make for the account.
    private func missed(in sale: WatchedSale, now: ChainTime) -> [DeadlineNotice] {
        let open = sale.due.filter {
            !sale.allows($0) && now >= $0.since && sale.notices[$0.since] != 0
        }
        return Dictionary(grouping: open, by: \.since).sorted { $0.key < $1.key }.map {
            DeadlineNotice(
                account: sale.account,
                sale: sale.sale,
                deadline: $0.key,
                hoursLeft: 0,
                opens: $0.value.map(\.name)
            )
        }
    }

    /// Returns a wait from `now` on, at whose end the watch looks again.
    private mutating func wait(_ delay: Duration, from now: ChainTime) -> Progress {
        let end = now.advanced(by: delay)
        lookAgain(at: end)
        return .waiting(until: end)
    }

    private mutating func lookAgain(at time: ChainTime) {
        next = next.map { min($0, time) } ?? time
    }

    private static func delay(afterFailures count: Int) -> Duration {
        var delay = retryDelay
        for _ in 1..<max(count, 1) where delay < retryDelayMax { delay *= 6 }
        return min(delay, retryDelayMax)
    }

    private static func delay(afterFeeRefusals count: Int) -> Duration {
        min(passingDelay * (1 << min(count, 16)), feeDelayMax)
    }
}

extension ChainTime {
    /// Returns the time `duration` earlier, or the earliest possible time.
    fileprivate func earlier(by duration: Duration) -> ChainTime {
        let (rest, isOver) = seconds.subtractingReportingOverflow(duration.wholeSeconds)
        return ChainTime(seconds: isOver ? 0 : rest)
    }
}
