/// Why an event cannot have happened to a sale: the chain's view here is incomplete or wrong.
package enum SaleFault: Error, Equatable, Sendable {
    /// The first event of a sale is its listing, and no other is.
    case notListed
    case listedTwice
    /// The event is of another sale.
    case otherSale
    /// The id is not the hash of contract, seller, salt, token and terms.
    case wrongID
    /// The event is not later than the last one.
    case outOfOrder
    /// The terms are not ones that the contract takes.
    case wrongTerms(EscrowTermsFault)
    /// No move leads there from where the sale stands.
    case impossible(from: EscrowStatus)
    /// Made by an account that may not.
    case wrongAccount
    /// Made too early or too late.
    case wrongTime
    /// A deadline that is not the time of the event and the terms' window.
    case wrongDeadline
    /// The money is not divided as the terms say.
    case wrongPayout
    /// A credit that the payout does not give.
    case wrongCredit
}
