package import Keys

extension EscrowSale {
    /// Describes the consequence of a move, for the person who is about to sign it.
    package func consequence(of move: EscrowMove, for account: Address) -> String {
        switch move {
        case .abort:
            "The sale ends. Your deposit of \(text(terms.sellerDeposit)) and the token come back."
        case .buy:
            """
            You send \(text(terms.buyerSends)): the price of \(text(terms.price)) and a deposit \
            of \(text(terms.buyerDeposit)), which comes back when you confirm. The seller has \
            \(days(terms.shipWindow)) to hand over; after that anyone can refund you with \
            \(text(terms.latePenalty)) on top. From then on you have \(days(terms.confirmWindow)) \
            to confirm or dispute; after that anyone can complete the sale. \(disputeText)
            """
        case .transferItem:
            """
            You declare the thing handed over. The buyer has \(days(terms.confirmWindow)) to \
            confirm or dispute; after that anyone can complete the sale.
            """
        case .dispute:
            """
            You refuse what was handed over. \(rulingText) After \(days(terms.rulingWindow)) \
            anyone can execute the default, which halves the price and costs both sides \
            \(text(forfeit)).
            """
        case .proposeSettlement:
            """
            You offer to settle for a share of the price. Nothing is paid until the other party \
            agrees; a later offer or any other move replaces it.
            """
        case .rule:
            "You decide how the price is shared, for a fee of \(text(terms.arbiterFee)). It is final."
        case .confirm, .claim, .refund, .executeDefault, .agree:
            ending(of: move)
        }
    }

    private func ending(of move: EscrowMove) -> String {
        let share: SellerShare =
            if case .agree(let proposal) = move { proposal.share } else { .all }
        guard let exit = move.exit else { return "" }
        let payout = payout(by: exit, share: share)
        let fees = text(sum(payout.platform, payout.maker))
        let receiver =
            (EscrowRules.fixedShare(of: exit) ?? share).givesTokenToBuyer
            ? "buyer" : "seller"
        var description = """
            The sale ends. The seller is credited \(text(payout.seller)), the buyer \
            \(text(payout.buyer)); fees are \(fees). The token goes to the \(receiver).
            """
        if !payout.nobody.isZero {
            description += " \(text(payout.nobody)) of the deposits is lost."
        }
        return description
    }

    private var forfeit: Amount {
        terms.price.portion(basisPoints: EscrowLimits.forfeitBasisPoints) ?? .zero
    }

    private var rulingText: String {
        terms.arbiter.map { "The arbiter \($0) can rule." } ?? "There is no arbiter: settle it."
    }

    /// Describes how a dispute can end, for a possible buyer.
    private var disputeText: String {
        let end = "After \(days(terms.rulingWindow)) without an agreement"
        let loss = "the default, which halves the price and costs both sides \(text(forfeit))."
        guard let arbiter = terms.arbiter else {
            return "Nobody rules a dispute. \(end) anyone can execute \(loss)"
        }
        return "In a dispute \(arbiter), named by the seller, decides alone how the price is "
            + "shared, for a fee of \(text(terms.arbiterFee)). \(end) or ruling anyone can "
            + "execute \(loss)"
    }

    private func sum(_ left: Amount, _ right: Amount) -> Amount { left.adding(right) ?? .max }

    private func text(_ amount: Amount) -> String {
        PriceText.text(amount, in: terms.currency, on: reference.contract.chain)
    }

    /// Returns "3 days", or hours if it is not whole days.
    private func days(_ window: Duration) -> String {
        let seconds = window.wholeSeconds
        guard seconds.isMultiple(of: 86_400) else { return "\(seconds / 3_600) hours" }
        return seconds == 86_400 ? "one day" : "\(seconds / 86_400) days"
    }
}

extension EscrowDeadline.Effect {
    /// What happens at the deadline, in words.
    package var description: String {
        switch self {
        case .offerEnds:
            "Nobody can buy any more; the seller can take the offer back at any time."
        case .refundOpens:
            "The seller can no longer hand over; anyone can have the buyer refunded."
        case .claimOpens:
            "The buyer can no longer dispute; anyone can complete the sale."
        case .defaultOpens:
            "The arbiter can no longer rule; anyone can execute the default, which halves the "
                + "price and costs both sides most of their deposits."
        }
    }
}
