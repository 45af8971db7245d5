import BigInt
import Keys

/// The division of a sale's money at its end, exact to the smallest unit.
///
/// Source: Docs/contracts.md, "Escrow: payouts".
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
    /// `share` is the seller's share of the price for the exits `settle` and `rule`; the others
    /// have fixed shares.
    package init?(
        exit: EscrowExit,
        share: SellerShare,
        terms: EscrowTerms,
        fees: MarketFees
    ) {
        let deposits = Deposits(terms)
        let payout: EscrowPayout? =
            switch exit {
            case .abort:
                EscrowPayout(seller: terms.sellerDeposit, buyer: .zero)
            case .confirm, .claim:
                deposits.divided(.all, fees)
            case .refund:
                deposits.refunded
            case .settle:
                deposits.divided(share, fees)
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

    private func ruled(_ share: SellerShare, _ terms: EscrowTerms) -> EscrowPayout? {
        guard let penalty = terms.latePenalty.portion(basisPoints: share.rest.basisPoints),
            let sellersFee = terms.arbiterFee.portion(basisPoints: share.rest.basisPoints),
            let buyersFee = terms.arbiterFee.subtracting(sellersFee),
            let seller = seller.subtracting(penalty)?.subtracting(sellersFee),
            let buyer = buyer.adding(penalty)?.subtracting(buyersFee)
        else { return nil }
        return EscrowPayout(
            seller: seller,
            buyer: buyer,
            platform: platform,
            maker: maker,
            arbiter: terms.arbiterFee
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

        var refunded: EscrowPayout? {
            guard let seller = terms.sellerDeposit.subtracting(terms.latePenalty),
                let buyer = terms.buyerDeposit.adding(terms.price)?.adding(terms.latePenalty)
            else { return nil }
            return EscrowPayout(seller: seller, buyer: buyer)
        }
    }
}
