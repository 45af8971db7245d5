package import Keys
package import Texts

extension EscrowSale {
    /// Describes the consequence of a move, for the person who is about to sign it.
    ///
    /// States what each party gets. For `rule` and `propose`, whose share is chosen later, it
    /// states the effect of the share.
    package func consequence(of move: EscrowMove, for account: Address) -> [Sentence] {
        [Sentence(stringLiteral: words(of: move, for: account))]
    }

    private func words(of move: EscrowMove, for account: Address) -> String {
        switch move {
        case .abort: abortText(for: account)
        case .buy: buyText
        case .decline: declineText
        case .relist: relistText
        case .transferItem: transferText
        case .dispute: disputeText
        case .take: takeText
        case .rule: ruleText
        case .propose: proposeText(by: account)
        case .withdrawProposal: withdrawText(by: account)
        case .confirm, .claim, .refund, .executeDefault, .agree: ending(of: move)
        }
    }

    private func abortText(for account: Address) -> String {
        let deposit = text(terms.sellerDeposit)
        return account == seller
            ? "The sale ends. Your deposit of \(deposit) and the token come back."
            : "The offer ends. The seller is credited the deposit of \(deposit), and the token goes "
                + "back to the seller. You get nothing."
    }

    private var buyText: String {
        """
        You send \(text(terms.buyerSends)): the price of \(text(terms.price)) and a deposit of \
        \(text(terms.buyerDeposit)), which comes back when you confirm. The seller has \
        \(terms.shipWindow.inWords) to hand over, to decline or to offer it again; if the seller \
        does either of the last two, you get everything back. After that anyone can refund you, \
        with \(text(terms.latePenalty)) on top, as long as the seller has not handed over. After \
        the handover you have \(terms.confirmWindow.inWords) to confirm or dispute; after that \
        anyone can complete the sale. \(disputeTerms)
        """
    }

    private var declineText: String {
        let payout = payout(by: .decline)
        return """
            The sale ends without a penalty. You are credited your deposit of \
            \(text(payout.seller)), the buyer the whole \(text(payout.buyer)); the token comes \
            back to you. Neither side can review the sale. It is counted as declined by you, \
            unless the buyer has no finished sale: then it is only counted separately.
            """
    }

    private var relistText: String {
        """
        The buyer is credited the whole \(text(terms.buyerSends)), and anyone can buy again until the \
        offer ends. Your deposit of \(text(terms.sellerDeposit)) and the token stay in the contract. It \
        is counted separately from your sales.
        """
    }

    private var transferText: String {
        """
        You declare that the item was handed over. The buyer has \(terms.confirmWindow.inWords) to \
        confirm or dispute; after that anyone can complete the sale. From now on you cannot \
        decline or offer it again. \(falseHandover)
        """
    }

    /// The cost for a seller who marks the item as handed over when it was not.
    package var falseHandover: String {
        let penalty = text(terms.latePenalty)
        let forfeit = text(forfeit)
        let end = "If the buyer disputes, you lose \(penalty) if you refund"
        guard terms.arbiter != nil else {
            return
                "Do not declare a handover that did not happen. \(end), and \(forfeit) of your "
                + "deposit with half of the price in a default."
        }
        return
            "Do not declare a handover that did not happen. \(end) or the arbiter finds for the "
            + "buyer, with the arbiter's fee, and \(forfeit) of your deposit with half of the "
            + "price in a default."
    }

    private var disputeText: String {
        """
        You reject the item that was handed over. \(rulingText) Until the sale ends, each side can \
        give in alone, or both can settle. After \(terms.rulingWindow.inWords) anyone can execute \
        the default: \(defaultText)
        """
    }

    private var takeText: String {
        """
        You take the case, and your fee of \(text(terms.arbiterFee)) is due however this sale \
        ends, except by the default: if you do not rule in time, you get nothing. Both sides' \
        proposals to settle are cleared.
        """
    }

    private var ruleText: String {
        """
        You decide how the price is shared, for a fee of \(text(terms.arbiterFee)); each side pays \
        the part of it that it loses of the price. If the seller gets 50 % or more, the token \
        goes to the buyer, otherwise to the seller. It is final.
        """
    }

    private func proposeText(by account: Address) -> String {
        let earlier = proposal(by: account) == nil ? "" : " It replaces your earlier proposal."
        return """
            You propose to settle for a share of the price. Nothing is paid until the other party \
            agrees, which ends the sale. You can withdraw the proposal; any other step of the sale \
            clears it.\(earlier)
            """
    }

    private func withdrawText(by account: Address) -> String {
        let share = proposal(by: account).map { " of \($0.share.inPercent) for the seller" } ?? ""
        return "Your proposal\(share) is withdrawn. Nothing is paid, and the sale goes on."
    }

    private func ending(of move: EscrowMove) -> String {
        guard let exit = move.exit else { return "" }
        let agreed: SellerShare? =
            if case .agree(let proposal) = move { proposal.share } else { nil }
        let share = exit.fixedShare ?? agreed ?? .all
        let payout = payout(by: exit, share: share)
        let seller = credited(to: .seller, of: payout)
        let buyer = credited(to: .buyer, of: payout)
        let isRoyaltyOfParty = seller != payout.seller || buyer != payout.buyer
        let fees = text(
            isRoyaltyOfParty ? payout.platform : sum(payout.platform, payout.maker)
        )
        let receiver = share.givesTokenToBuyer ? "buyer" : "seller"
        var description = agreed.map { "You agree to \($0.inPercent) for the seller. " } ?? ""
        description += """
            The sale ends. The seller is credited \(text(seller)), the buyer \
            \(text(buyer)); fees are \(fees). The token goes to the \(receiver).
            """
        if !payout.arbiter.isZero {
            description += " The arbiter, who took the case, gets \(text(payout.arbiter))."
        }
        if let fee = feeIfTaken(exit) { description += fee }
        if agreed == SellerShare.none, status == .transferred || status == .disputed {
            description +=
                " A refund would cost the seller the penalty of "
                + "\(text(terms.latePenalty)) too, which the buyer gives up by this agreement."
        }
        if exit == .executeDefault, isTaken {
            description += " The arbiter, who did not rule, gets nothing."
        }
        if !payout.nobody.isZero {
            description += " \(text(payout.nobody)) of the deposits is lost."
        }
        return description
    }

    /// Warns that the arbiter's fee falls due if the arbiter takes the case first.
    private func feeIfTaken(_ exit: EscrowExit) -> String? {
        guard status == .disputed, !isTaken, terms.arbiter != nil, !terms.arbiterFee.isZero else {
            return nil
        }
        let payer =
            switch exit {
            case .confirm: "by the buyer"
            case .refund: "by the seller"
            case .settle: "half by each side"
            default: nil as String?
            }
        guard let payer else { return nil }
        return " If the arbiter takes the case before this is mined, the fee of "
            + "\(text(terms.arbiterFee)) is paid as well, \(payer)."
    }

    /// Returns a party's credit: its part, and the royalty if it made the token.
    package func credited(to role: SaleRole, of payout: EscrowPayout) -> Amount {
        let (account, part): (Address?, Amount) =
            role == .seller ? (seller, payout.seller) : (buyer, payout.buyer)
        return account == listing.offer.maker ? sum(part, payout.maker) : part
    }

    private var forfeit: Amount {
        terms.price.portion(basisPoints: EscrowLimits.forfeitBasisPoints) ?? .zero
    }

    /// Describes the payout of the default for one of the parties.
    private var defaultText: String {
        let payout = payout(by: .executeDefault)
        let seller = credited(to: .seller, of: payout)
        let buyer = credited(to: .buyer, of: payout)
        return "it halves the price and costs both sides \(text(forfeit)), so the seller gets "
            + "\(text(seller)), the buyer \(text(buyer)) and the token."
    }

    private var rulingText: String {
        terms.arbiter.map {
            "The arbiter \($0) can take the case, for a fee of \(text(terms.arbiterFee)) from then "
                + "on, and rule."
        } ?? "There is no arbiter: settle it."
    }

    /// Describes how a dispute can end, for a possible buyer.
    private var disputeTerms: String {
        let end = "After \(terms.rulingWindow.inWords) without an agreement"
        let loss = "the default, which halves the price and costs both sides \(text(forfeit))."
        guard let arbiter = terms.arbiter else {
            return "There is no arbiter for a dispute. \(end) anyone can execute \(loss)"
        }
        return "In a dispute \(arbiter), named by the seller, can take the case and then alone "
            + "decides how the price is shared, for a fee of \(text(terms.arbiterFee)). \(end) or "
            + "ruling anyone can execute \(loss)"
    }

    private func sum(_ left: Amount, _ right: Amount) -> Amount { left.adding(right) ?? .max }

    private func text(_ amount: Amount) -> String {
        PriceText.text(amount, in: terms.currency, on: reference.contract.chain)
    }
}
