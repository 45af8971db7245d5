/// The credits that a contract must report next, in order and in one transaction.
///
/// A contract emits them directly after the event that causes them. Any other event of the same
/// sale before them means that the node's view of the chain is incomplete or wrong.
struct PendingCredits: Hashable, Sendable {
    private let credits: [ContractMoney.Credit]
    private var seen = 0
    private let cause: EventPosition

    /// Creates the list from a payout; credits of zero are not reported and left out.
    init(_ parts: [SalePayout], in currency: Currency, after cause: EventPosition) {
        credits = parts.filter { !$0.amount.isZero }.map {
            ContractMoney.Credit(currency: currency, account: $0.account, amount: $0.amount)
        }
        self.cause = cause
    }

    var isComplete: Bool { seen == credits.count }

    /// Returns the list after the next credit.
    ///
    /// - Throws: ``SaleFault/wrongCredit`` if `credit` is not the one that must follow;
    ///   ``SaleFault/outOfOrder`` if another transaction reports it.
    func taking(
        _ credit: ContractMoney.Credit,
        at position: EventPosition
    ) throws(SaleFault) -> PendingCredits {
        guard seen < credits.count, credits[seen] == credit else { throw .wrongCredit }
        guard isSameTransaction(position) else { throw .outOfOrder }
        var next = self
        next.seen += 1
        return next
    }

    /// Takes the credit that an event reports; any other event must come after the last credit.
    ///
    /// - Returns: Whether the event reports a credit.
    /// - Throws: As ``taking(_:at:)``.
    mutating func take(from event: some SaleEvent) throws(SaleFault) -> Bool {
        guard let credit = event.credit else {
            guard isComplete else { throw .wrongCredit }
            return false
        }
        self = try taking(credit, at: event.position)
        return true
    }

    func isSameTransaction(_ position: EventPosition) -> Bool {
        position.blockNumber == cause.blockNumber && position.transaction == cause.transaction
    }
}
