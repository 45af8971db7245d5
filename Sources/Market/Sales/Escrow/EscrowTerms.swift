import BigInt
package import Keys

/// The terms of an escrow offer, to which the id of its sale commits.
///
/// A value may exceed the contract's limits until ``check()`` has passed. Windows are whole
/// seconds.
///
/// Source: Docs/contracts.md, section 5.
package struct EscrowTerms: Hashable, Sendable {
    package var currency: Currency
    /// The price, called v below.
    package var price: Amount
    /// Sent by the seller with the listing: v … 10 v.
    package var sellerDeposit: Amount
    /// Sent by the buyer with the price: v … 10 v.
    package var buyerDeposit: Amount
    /// Paid by the seller to the buyer if the goods do not arrive: 0 … 5 % of v.
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
        offerUntil: ChainTime
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
    }

    /// Returns the default terms: the seller locks 2 v, the buyer v; a penalty of 2 %; no arbiter.
    ///
    /// The offer is open for 30 days from `now`.
    package static func standard(
        price: Amount,
        currency: Currency,
        form: Listing.Form,
        now: ChainTime
    ) throws(EscrowTermsFault) -> EscrowTerms {
        guard !price.isZero, price <= SaleLimits.priceMax,
            let sellerDeposit = price.multiplied(by: 2),
            let latePenalty = price.portion(basisPoints: 200)
        else { throw .price }
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

    /// Checks every limit of the contract that does not depend on time and seller.
    package func check() throws(EscrowTermsFault) {
        guard !price.isZero, price <= SaleLimits.priceMax else { throw .price }
        guard let depositMax = price.multiplied(by: EscrowLimits.depositFactorMax),
            let penaltyMax = price.portion(basisPoints: EscrowLimits.penaltyBasisPointsMax),
            let feeMax = price.portion(basisPoints: EscrowLimits.arbiterBasisPointsMax)
        else { throw .price }
        guard (price...depositMax).contains(sellerDeposit) else { throw .sellerDeposit }
        guard (price...depositMax).contains(buyerDeposit) else { throw .buyerDeposit }
        guard latePenalty <= penaltyMax else { throw .latePenalty }
        guard arbiterFee <= feeMax, arbiter != nil || arbiterFee.isZero else { throw .arbiterFee }
        guard arbiter != Address.zero else { throw .arbiter }
        guard EscrowLimits.shipWindow.contains(shipWindow) else { throw .shipWindow }
        guard EscrowLimits.confirmWindow.contains(confirmWindow) else { throw .confirmWindow }
        guard EscrowLimits.rulingWindow.contains(rulingWindow) else { throw .rulingWindow }
    }

    /// Checks everything that the contract demands if `seller` lists at `now`.
    package func check(seller: Address, at now: ChainTime) throws(EscrowTermsFault) {
        try check()
        guard arbiter != seller else { throw .arbiter }
        guard offerUntil > now, offerUntil <= now.advanced(by: EscrowLimits.offerMax) else {
            throw .offerUntil
        }
    }

    /// The sum that the buyer sends: price and deposit.
    package var buyerSends: Amount {
        guard let sum = price.adding(buyerDeposit) else {
            preconditionFailure("checked terms are far below 2²⁵⁶")
        }
        return sum
    }
}

extension EscrowTerms: OfferTerms {
    package func checkLimits() throws(TermsFault) {
        do { try check() } catch { throw TermsFault(error) }
    }

    /// "List 'Red bicycle' for 0.5 ETH by escrow".
    package func summary(offering title: String, on chain: ChainID) -> String {
        "List '\(title)' for \(PriceText.text(price, in: currency, on: chain)) by escrow"
    }
}

extension TermsFault {
    init(_ fault: EscrowTermsFault) { self.init(term: fault.rawValue) }
}

/// The term that exceeds its limits, see ``EscrowLimits``.
package enum EscrowTermsFault: String, CaseIterable, Error, Sendable {
    case price, sellerDeposit, buyerDeposit, latePenalty, arbiter, arbiterFee
    case shipWindow, confirmWindow, rulingWindow, offerUntil
    /// An amount or an address that is not in its canonical form.
    case malformed
}
