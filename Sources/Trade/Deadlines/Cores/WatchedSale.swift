package import Keys
package import Market
package import Texts

/// A sale as the watch of deadlines sees it, for one account of this node that it concerns.
package struct WatchedSale: Equatable, Sendable {
    package let account: Address
    package let sale: SaleID
    /// The moves that a passed deadline has opened and by which the account gains.
    package let due: [DueMove]
    /// When the sale's next deadline passes, whomever it concerns: another one can follow it.
    package let next: ChainTime?
    /// The next deadline; `nil` if the account neither gains nor loses by it.
    package let deadline: WatchedDeadline?
    /// The hours that were left at the account's last notice of each deadline; 0 after it.
    package let notices: [ChainTime: UInt8]
    /// The moves that this node may make for the account now: all while it is unlocked, else those
    /// that it allowed; none if its operator has turned that off.
    package let allowed: Set<UnattendedMove>

    package init(
        account: Address,
        sale: SaleID,
        due: [DueMove],
        next: ChainTime?,
        deadline: WatchedDeadline?,
        notices: [ChainTime: UInt8],
        allowed: Set<UnattendedMove>
    ) {
        (self.account, self.sale) = (account, sale)
        (self.due, self.next, self.deadline) = (due, next, deadline)
        (self.notices, self.allowed) = (notices, allowed)
    }

    /// Whether this node may make a due move for the account now.
    func allows(_ move: DueMove) -> Bool { allowed.contains(move.unattended) }
}

/// The next deadline of a sale, as it concerns one account.
package struct WatchedDeadline: Equatable, Sendable {
    package let at: ChainTime
    /// When it got this time; a reminder that would have been due before is not made up for.
    package let setAt: ChainTime
    package let consequence: [Sentence]
    /// The account's moves that it ends.
    package let closes: [String]
    /// The moves that it opens and by which the account gains, or which only the account can make.
    package let opens: [String]

    package init(
        at: ChainTime,
        setAt: ChainTime,
        consequence: [Sentence],
        closes: [String],
        opens: [String]
    ) {
        (self.at, self.setAt, self.consequence) = (at, setAt, consequence)
        (self.closes, self.opens) = (closes, opens)
    }
}

/// A move that a deadline has opened, of one account.
package struct DeadlineMove: Hashable, Sendable {
    package let account: Address
    package let sale: SaleID
    package let name: String
    package let round: UInt64?
    package let since: ChainTime

    package init(_ due: DueMove, of account: Address, in sale: SaleID) {
        (self.account, self.sale) = (account, sale)
        (name, round, since) = (due.name, due.round, due.since)
    }

    /// The move itself, whichever account makes it.
    struct Shared: Hashable {
        let sale: SaleID
        let name: String
        let round: UInt64?
    }

    var shared: Shared { Shared(sale: sale, name: name, round: round) }

    /// The idempotency key of an attempt.
    ///
    /// It is longer than a key that a caller of the API can choose, so it is never one of those.
    package func key(attempt: Int) -> String {
        let round = round.map { "\($0)" } ?? "-"
        return "deadline \(sale) \(name) \(round) \(since.seconds) \(attempt)"
    }
}

/// The notice of a deadline to an account.
package struct DeadlineNotice: Equatable, Sendable {
    package let account: Address
    package let sale: SaleID
    package let deadline: ChainTime
    /// The whole hours that are left, rounded to the reminder that is due; 0 after the deadline.
    package let hoursLeft: UInt8
    package let consequence: [Sentence]
    package let closes: [String]
    package let opens: [String]

    package init(
        account: Address,
        sale: SaleID,
        deadline: ChainTime,
        hoursLeft: UInt8,
        consequence: [Sentence] = [],
        closes: [String] = [],
        opens: [String]
    ) {
        (self.account, self.sale, self.deadline) = (account, sale, deadline)
        (self.hoursLeft, self.consequence) = (hoursLeft, consequence)
        (self.closes, self.opens) = (closes, opens)
    }
}
