package import Keys

/// The limits of direct sales, equal to the contract's.
///
/// Source: Docs/contracts.md, section 11.
package enum DirectSaleLimits {
    package static let offerMax = Duration.days(365)
}

/// The terms of a direct sale, as the contract demands them with every move.
///
/// A value may exceed the contract's limits until ``checkLimits()`` has passed.
///
/// Source: Docs/contracts.md, section 11; Sources/Contracts/Vyper/DirectSale.vy, `Terms`.
package struct DirectSaleTerms: ItemTerms {
    /// The name of a term in the API.
    package enum Term: String, SaleKindTerm {
        case price, offerUntil, buyer
    }

    package var currency: Currency
    /// 10,000 … 2¹²⁸ − 1.
    package var price: Amount
    /// When the offer ends, at most 365 days after the listing.
    package var offerUntil: ChainTime
    /// The only account that can pay; `nil` means anyone.
    package var buyer: Address?

    package init(
        currency: Currency,
        price: Amount,
        offerUntil: ChainTime,
        buyer: Address? = nil
    ) {
        (self.currency, self.price, self.offerUntil) = (currency, price, offerUntil)
        self.buyer = buyer
    }

    package var reservation: Reservation? { buyer.map { Reservation(for: $0, until: offerUntil) } }

    package func checkLimits() throws(TermsFault) {
        guard SaleLimits.prices.contains(price) else { throw Term.price.fault }
        guard buyer != Address.zero else { throw Term.buyer.fault }
    }

    package func check(seller: Address, at now: ChainTime) throws(TermsFault) {
        try checkLimits()
        guard now < offerUntil, offerUntil <= now.advanced(by: DirectSaleLimits.offerMax) else {
            throw Term.offerUntil.fault
        }
    }

    package var words: [Bytes32] {
        [
            currency.address.word, price.word, Bytes32(number: offerUntil.seconds),
            (buyer ?? .zero).word,
        ]
    }

    /// Returns "Sell 'Red bicycle' for 0.5 ETH directly".
    package func summary(offering title: String, on chain: ChainID) -> String {
        "Sell '\(title)' for \(PriceText.text(price, in: currency, on: chain)) directly"
    }
}
