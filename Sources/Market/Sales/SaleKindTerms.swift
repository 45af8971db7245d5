package import Keys

/// The terms of one kind of sale, as a listing states them.
package protocol SaleKindTerms: Hashable, Sendable {
    /// The price; the minimum first bid if it is sold to the highest bidder.
    var price: Amount { get }
    var currency: Currency { get }
    /// The only account that can buy, and until when; `nil` means anyone.
    var reservation: Reservation? { get }

    /// Returns the other terms, as they are at a price; `nil` if no sale can have it.
    func details(at price: Amount) -> [TermDetail]?

    /// Checks every limit of the contract that does not depend on time and seller.
    func checkLimits() throws(TermsFault)

    /// Returns the sentence that a wallet shows when a listing is signed.
    ///
    /// Source: Docs/protocol.md, section 5.
    func summary(offering title: String, on chain: ChainID) -> String
}

extension SaleKindTerms {
    /// Anyone can buy.
    package var reservation: Reservation? { nil }

    /// There are no others.
    package func details(at price: Amount) -> [TermDetail]? { [] }
}

/// A term of an offer besides its currency, price, end and named buyer.
package struct TermDetail: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        /// In the offer's currency.
        case amount(Amount)
        case duration(Duration)
        case account(Address?)
    }

    /// As in the API.
    package let name: String
    package let value: Value

    init(_ term: some SaleKindTerm, _ value: Value) { (name, self.value) = (term.rawValue, value) }
}

/// The only account that can buy what is on offer.
package struct Reservation: Hashable, Sendable {
    package let buyer: Address
    /// When the offer ends.
    package let until: ChainTime

    package init(for buyer: Address, until: ChainTime) { (self.buyer, self.until) = (buyer, until) }
}

/// The term that exceeds its limits, by its name in the API.
package struct TermsFault: Error, Hashable, Sendable {
    package let term: String

    /// A term that cannot be read at all.
    static let malformed = TermsFault(term: "malformed")

    package init(term: String) { self.term = term }
}

/// The names of the terms of one kind of sale, as in the API.
protocol SaleKindTerm: RawRepresentable<String>, Sendable {}

extension SaleKindTerm {
    /// The fault of terms in which this one exceeds its limits.
    var fault: TermsFault { TermsFault(term: rawValue) }
}
