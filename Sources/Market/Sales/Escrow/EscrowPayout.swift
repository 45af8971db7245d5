import BigInt

/// The division of a sale's money at its end, exact to the smallest unit.
///
/// Source: Docs/contracts.md, section 7.
package struct EscrowPayout: Hashable, Sendable {
    package let seller: Amount
    package let buyer: Amount
    package let platform: Amount
    package let maker: Amount
    package let arbiter: Amount
    /// Destroyed.
    package let nobody: Amount

    package init(
        seller: Amount,
        buyer: Amount,
        platform: Amount = .zero,
        maker: Amount = .zero,
        arbiter: Amount = .zero,
        nobody: Amount = .zero
    ) {
        self.seller = seller
        self.buyer = buyer
        self.platform = platform
        self.maker = maker
        self.arbiter = arbiter
        self.nobody = nobody
    }

    /// Computes the payout of `exit`; `nil` for terms that the contract would not accept.
    ///
    /// - Parameters:
    ///   - exit: The move that ends the sale.
    ///   - share: The seller's share of the price for the exits `settle` and `rule`; the others
    ///     have fixed shares.
    ///   - terms: The terms of the sale.
    ///   - fees: The fees of the contract.
    ///   - isTaken: Whether the arbiter took the case, so that the fee is due. A ruling implies it.
    package init?(
        exit: EscrowExit,
        share: SellerShare,
        terms: EscrowTerms,
        fees: MarketFees,
        isTaken: Bool = false
    ) {
        let deposits = Deposits(terms)
        let fee = isTaken ? terms.arbiterFee : .zero
        let payout: EscrowPayout? =
            switch exit {
            case .abort:
                EscrowPayout(seller: terms.sellerDeposit, buyer: .zero)
            case .decline:
                deposits.declined
            case .confirm, .claim:
                deposits.divided(.all, fees)?.paying(fee, sellersPart: .zero)
            case .refund:
                deposits.refunded?.paying(fee, sellersPart: fee)
            case .settle:
                deposits.divided(share, fees)?.paying(fee, sellersPart: fee.half)
            case .rule:
                deposits.divided(share, fees)?.ruled(share, terms)
            case .executeDefault:
                deposits.divided(EscrowLimits.defaultShare, fees)?.forfeited(terms)
            }
        guard let payout else { return nil }
        self = payout
    }

    /// The sum of all parts: exactly the amount that was paid in.
    package var total: Amount {
        let units = [seller, buyer, platform, maker, arbiter, nobody].map(\.units).reduce(0, +)
        guard let total = Amount(units) else {
            preconditionFailure("six parts of a sale are far below 2²⁵⁶")
        }
        return total
    }

    /// Returns the payout after a ruling: the loser pays penalty and fee in proportion.
    private func ruled(_ share: SellerShare, _ terms: EscrowTerms) -> EscrowPayout? {
        guard let penalty = terms.latePenalty.portion(basisPoints: share.rest.basisPoints),
            let sellersFee = terms.arbiterFee.portion(basisPoints: share.rest.basisPoints),
            let seller = seller.subtracting(penalty),
            let buyer = buyer.adding(penalty)
        else { return nil }
        return EscrowPayout(seller: seller, buyer: buyer, platform: platform, maker: maker)
            .paying(terms.arbiterFee, sellersPart: sellersFee)
    }

    /// Returns the payout after the arbiter's fee; the buyer pays the part that the seller does
    /// not.
    private func paying(_ fee: Amount, sellersPart: Amount) -> EscrowPayout? {
        guard let buyersPart = fee.subtracting(sellersPart),
            let seller = seller.subtracting(sellersPart),
            let buyer = buyer.subtracting(buyersPart)
        else { return nil }
        return EscrowPayout(
            seller: seller,
            buyer: buyer,
            platform: platform,
            maker: maker,
            arbiter: fee
        )
    }

    private func forfeited(_ terms: EscrowTerms) -> EscrowPayout? {
        guard let forfeit = terms.price.portion(basisPoints: EscrowLimits.forfeitBasisPoints),
            let seller = seller.subtracting(forfeit),
            let buyer = buyer.subtracting(forfeit),
            let nobody = forfeit.multiplied(by: 2)
        else { return nil }
        return EscrowPayout(
            seller: seller,
            buyer: buyer,
            platform: platform,
            maker: maker,
            nobody: nobody
        )
    }

    /// The money before the division.
    private struct Deposits {
        let terms: EscrowTerms

        init(_ terms: EscrowTerms) {
            self.terms = terms
        }

        func divided(_ share: SellerShare, _ fees: MarketFees) -> EscrowPayout? {
            guard let part = terms.price.portion(basisPoints: share.basisPoints),
                let platform = part.portion(basisPoints: fees.platformBasisPoints),
                let maker = part.portion(basisPoints: fees.makerBasisPoints),
                let seller = terms.sellerDeposit.adding(part)?.subtracting(platform)?
                    .subtracting(maker),
                let buyer = terms.buyerDeposit.adding(terms.price)?.subtracting(part)
            else { return nil }
            return EscrowPayout(seller: seller, buyer: buyer, platform: platform, maker: maker)
        }

        var declined: EscrowPayout? {
            terms.buyerDeposit.adding(terms.price).map {
                EscrowPayout(seller: terms.sellerDeposit, buyer: $0)
            }
        }

        var refunded: EscrowPayout? {
            guard let seller = terms.sellerDeposit.subtracting(terms.latePenalty),
                let buyer = terms.buyerDeposit.adding(terms.price)?.adding(terms.latePenalty)
            else { return nil }
            return EscrowPayout(seller: seller, buyer: buyer)
        }
    }
}

extension Amount {
    /// The half, rounded down.
    fileprivate var half: Amount { quotientAndRemainder(dividingBy: 2).0 }
}
