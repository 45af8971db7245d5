import BigInt
package import Keys

/// The terms of an escrow offer, to which the id of its sale commits.
///
/// A value may exceed the contract's limits until ``checkLimits()`` has passed. Windows are whole
/// seconds.
///
/// Source: Docs/contracts.md, section 5.
package struct EscrowTerms: ItemTerms {
    /// The name of a term in the API.
    package enum Term: String, CaseIterable, SaleKindTerm {
        case price, sellerDeposit, buyerDeposit, latePenalty, arbiter, arbiterFee
        case shipWindow, confirmWindow, rulingWindow, offerUntil, buyer
    }

    package var currency: Currency
    /// The price, called v below: 10,000 … 2¹²⁸ − 1.
    package var price: Amount
    /// Sent by the seller with the listing: v / 3, rounded up, … 10 v.
    package var sellerDeposit: Amount
    /// Sent by the buyer with the price: v / 3, rounded up, … 10 v.
    package var buyerDeposit: Amount
    /// Paid by the seller to the buyer if the goods do not arrive: 1 … 5 % of v.
    package var latePenalty: Amount
    /// The account that can take and rule a dispute; neither seller nor buyer.
    ///
    /// It must have registered itself with the contract, see Docs/contracts.md, section 9.
    package var arbiter: Address?
    /// Due once the arbiter has taken the case: 0 … 5 % of v, 0 without arbiter.
    package var arbiterFee: Amount
    /// From the payment: 2 … 60 days.
    package var shipWindow: Duration
    /// From the transfer: 2 … 90 days.
    package var confirmWindow: Duration
    /// From the dispute: 3 … 60 days.
    package var rulingWindow: Duration
    /// When the offer ends, at most 365 days after the listing.
    package var offerUntil: ChainTime
    /// The only account that can buy; `nil` means anyone.
    package var buyer: Address?

    package init(
        currency: Currency,
        price: Amount,
        sellerDeposit: Amount,
        buyerDeposit: Amount,
        latePenalty: Amount,
        arbiter: Address?,
        arbiterFee: Amount,
        shipWindow: Duration,
        confirmWindow: Duration,
        rulingWindow: Duration,
        offerUntil: ChainTime,
        buyer: Address? = nil
    ) {
        self.currency = currency
        self.price = price
        self.sellerDeposit = sellerDeposit
        self.buyerDeposit = buyerDeposit
        self.latePenalty = latePenalty
        self.arbiter = arbiter
        self.arbiterFee = arbiterFee
        self.shipWindow = shipWindow
        self.confirmWindow = confirmWindow
        self.rulingWindow = rulingWindow
        self.offerUntil = offerUntil
        self.buyer = buyer
    }

    /// Returns the default terms: the seller locks 2 v, the buyer v; a penalty of 2 %; no arbiter.
    ///
    /// The offer is open for 30 days from `now`.
    package static func standard(
        price: Amount,
        currency: Currency,
        form: Listing.Form,
        now: ChainTime
    ) throws(TermsFault) -> EscrowTerms {
        guard SaleLimits.prices.contains(price),
            let sellerDeposit = price.multiplied(by: 2),
            let latePenalty = price.portion(basisPoints: 200)
        else { throw Term.price.fault }
        return EscrowTerms(
            currency: currency,
            price: price,
            sellerDeposit: sellerDeposit,
            buyerDeposit: price,
            latePenalty: latePenalty,
            arbiter: nil,
            arbiterFee: .zero,
            shipWindow: .days(3),
            confirmWindow: form == .goods ? .days(21) : .days(3),
            rulingWindow: .days(14),
            offerUntil: now.advanced(by: .days(30))
        )
    }

    package var reservation: Reservation? { buyer.map { Reservation(for: $0, until: offerUntil) } }

    package func checkLimits() throws(TermsFault) {
        guard SaleLimits.prices.contains(price) else { throw Term.price.fault }
        guard let depositMax = price.multiplied(by: EscrowLimits.depositFactorMax),
            let penaltyMax = price.portion(basisPoints: EscrowLimits.penaltyBasisPointsMax),
            let feeMax = price.portion(basisPoints: EscrowLimits.arbiterBasisPointsMax)
        else { throw Term.price.fault }
        let deposits = Self.depositMin(price: price)...depositMax
        guard deposits.contains(sellerDeposit) else { throw Term.sellerDeposit.fault }
        guard deposits.contains(buyerDeposit) else { throw Term.buyerDeposit.fault }
        guard latePenalty >= Self.penaltyMin(price: price), latePenalty <= penaltyMax else {
            throw Term.latePenalty.fault
        }
        guard arbiterFee <= feeMax, arbiter != nil || arbiterFee.isZero else {
            throw Term.arbiterFee.fault
        }
        guard arbiter != Address.zero else { throw Term.arbiter.fault }
        guard buyer != Address.zero else { throw Term.buyer.fault }
        guard EscrowLimits.shipWindow.contains(shipWindow) else { throw Term.shipWindow.fault }
        guard EscrowLimits.confirmWindow.contains(confirmWindow) else {
            throw Term.confirmWindow.fault
        }
        guard EscrowLimits.rulingWindow.contains(rulingWindow) else {
            throw Term.rulingWindow.fault
        }
    }

    /// The minimum deposit of either side: a third of the price, rounded up.
    ///
    /// A default costs each side less than that from its deposit, whatever the fees.
    package static func depositMin(price: Amount) -> Amount {
        price.quotientRoundedUp(dividingBy: EscrowLimits.depositPartsMin)
    }

    /// The minimum penalty: 1 % of the price, rounded up.
    ///
    /// Without it, a seller could mark a thing as sent and send nothing at no cost.
    package static func penaltyMin(price: Amount) -> Amount {
        price.quotientRoundedUp(dividingBy: EscrowLimits.penaltyPartsMin)
    }

    /// The last moment at which a ruling can be due, if nobody acts before the last moment.
    ///
    /// An arbiter must be registered until then.
    package var lastRuling: ChainTime {
        offerUntil.advanced(by: shipWindow + confirmWindow + rulingWindow)
    }

    /// Returns the terms at another price: deposits, penalty and the arbiter's fee stay the same
    /// share of it, as far as their bounds allow.
    ///
    /// - Throws: ``TermsFault`` for a price that no sale can have.
    package func repriced(to price: Amount, until offerUntil: ChainTime) throws(TermsFault) -> Self
    {
        guard SaleLimits.prices.contains(price) else { throw Term.price.fault }
        let old = self.price.units
        func share(_ part: Amount) -> Amount { Amount(part.units * price.units / old) ?? .max }
        var terms = self
        (terms.price, terms.offerUntil) = (price, offerUntil)
        terms.sellerDeposit = max(share(sellerDeposit), Self.depositMin(price: price))
        terms.buyerDeposit = max(share(buyerDeposit), Self.depositMin(price: price))
        terms.latePenalty = max(share(latePenalty), Self.penaltyMin(price: price))
        terms.arbiterFee = share(arbiterFee)
        return terms
    }

    package func details(at price: Amount) -> [TermDetail]? {
        guard let terms = try? repriced(to: price, until: offerUntil) else { return nil }
        return [
            TermDetail(Term.sellerDeposit, .amount(terms.sellerDeposit)),
            TermDetail(Term.buyerDeposit, .amount(terms.buyerDeposit)),
            TermDetail(Term.latePenalty, .amount(terms.latePenalty)),
            TermDetail(Term.arbiter, .account(terms.arbiter)),
            TermDetail(Term.arbiterFee, .amount(terms.arbiterFee)),
            TermDetail(Term.shipWindow, .duration(terms.shipWindow)),
            TermDetail(Term.confirmWindow, .duration(terms.confirmWindow)),
            TermDetail(Term.rulingWindow, .duration(terms.rulingWindow)),
        ]
    }

    package func check(seller: Address, at now: ChainTime) throws(TermsFault) {
        try checkLimits()
        guard arbiter != seller else { throw Term.arbiter.fault }
        guard offerUntil > now, offerUntil <= now.advanced(by: EscrowLimits.offerMax) else {
            throw Term.offerUntil.fault
        }
    }

    package var listingDeposit: Amount { sellerDeposit }

    /// The sum that the buyer sends: price and deposit.
    package var buyerSends: Amount {
        guard let sum = price.adding(buyerDeposit) else {
            preconditionFailure("checked terms are far below 2²⁵⁶")
        }
        return sum
    }

    package var words: [Bytes32] {
        [
            currency.address.word,
            price.word,
            sellerDeposit.word,
            buyerDeposit.word,
            latePenalty.word,
            (arbiter ?? .zero).word,
            arbiterFee.word,
            Bytes32(number: shipWindow.wholeSeconds),
            Bytes32(number: confirmWindow.wholeSeconds),
            Bytes32(number: rulingWindow.wholeSeconds),
            Bytes32(number: offerUntil.seconds),
            (buyer ?? .zero).word,
        ]
    }

    /// "List 'Red bicycle' for 0.5 ETH by escrow".
    package func summary(offering title: String, on chain: ChainID) -> String {
        "List '\(title)' for \(PriceText.text(price, in: currency, on: chain)) by escrow"
    }
}

/// The offer of an escrow sale.
///
/// Source: Sources/Contracts/Vyper/escrow_terms.vy, `Offer`.
package typealias EscrowOffer = ItemOffer<EscrowTerms>
