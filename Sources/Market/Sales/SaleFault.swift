/// Why an event cannot have happened: this node's view of the chain is incomplete or wrong.
package enum SaleFault: Error, Equatable, Sendable {
    /// The first event of a sale must be its listing.
    case notListed
    case listedTwice
    /// The event belongs to another sale, or to no contract of this market.
    case otherSale
    /// The event is not one of the contract's kind of sale.
    case otherKind
    /// The id is not the hash of contract, seller, salt, token and terms.
    case wrongID
    /// The event is not later than the last one.
    case outOfOrder
    /// The terms are not acceptable to the contract.
    case wrongTerms(TermsFault)
    /// No move leads there from the present status, given by its name.
    case impossible(from: String)
    /// The account is not allowed to make the move.
    case wrongAccount
    /// The move was too early or too late.
    case wrongTime
    /// The deadline is not the time of the event plus the window of the terms.
    case wrongDeadline
    /// The money is not divided according to the terms.
    case wrongPayout
    /// The credit is not part of the payout.
    case wrongCredit
}
