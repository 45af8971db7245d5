package import Keys
package import Texts

extension EscrowSale {
    /// Describes the consequence of a move, for the person who is about to sign it.
    ///
    /// States what each party gets. For `rule` and `propose`, whose share is chosen later, it
    /// states the effect of the share.
    package func consequence(of move: EscrowMove, for account: Address) -> [Sentence] {
        switch move {
        case .abort:
            [
                Sentence(
                    account == seller ? "escrow.abort" : "escrow.abortForSeller",
                    ["deposit": money(terms.sellerDeposit)]
                )
            ]
        case .buy: [purchase, disputeTerms]
        case .decline: [decline]
        case .relist:
            [
                Sentence(
                    "escrow.relist",
                    ["sum": money(terms.buyerSends), "deposit": money(terms.sellerDeposit)]
                )
            ]
        case .transferItem:
            [Sentence("escrow.transfer", ["window": terms.confirmWindow.value]), falseHandover]
        case .dispute: [Sentence("escrow.dispute"), ruling, disputeDefault]
        case .take: [Sentence("escrow.take", ["fee": money(terms.arbiterFee)])]
        case .rule: [Sentence("escrow.rule", ["fee": money(terms.arbiterFee)])]
        case .propose:
            [Sentence("escrow.propose")]
                + (proposal(by: account) == nil ? [] : [Sentence("escrow.replacesEarlier")])
        case .withdrawProposal: [withdrawal(by: account)]
        // The contract takes it before the seller has said that the item was sent.
        case .confirm where status == .paid: [Sentence("escrow.confirmNotSent")] + ending(of: move)
        case .confirm, .claim, .refund, .executeDefault, .agree: ending(of: move)
        }
    }

    private var purchase: Sentence {
        Sentence(
            "escrow.buy",
            [
                "sum": money(terms.buyerSends), "price": money(terms.price),
                "deposit": money(terms.buyerDeposit), "ship": terms.shipWindow.value,
                "penalty": money(terms.latePenalty), "confirm": terms.confirmWindow.value,
            ]
        )
    }

    private var decline: Sentence {
        let payout = payout(by: .decline)
        return Sentence(
            "escrow.decline",
            ["seller": money(payout.seller), "buyer": money(payout.buyer)]
        )
    }

    /// The cost for a seller who marks the item as handed over when it was not.
    package var falseHandover: Sentence {
        Sentence(
            terms.arbiter == nil ? "escrow.falseHandover" : "escrow.falseHandoverRuled",
            ["penalty": money(terms.latePenalty), "forfeit": money(forfeit)]
        )
    }

    private func withdrawal(by account: Address) -> Sentence {
        guard let proposal = proposal(by: account) else {
            return Sentence("escrow.withdrawAny")
        }
        return Sentence("escrow.withdraw", ["share": proposal.share.value])
    }

    private func ending(of move: EscrowMove) -> [Sentence] {
        guard let exit = move.exit else { return [] }
        let agreed: SellerShare? =
            if case .agree(let proposal) = move { proposal.share } else { nil }
        let share = exit.fixedShare ?? agreed ?? .all
        let payout = payout(by: exit, share: share)
        let seller = credited(to: .seller, of: payout)
        let buyer = credited(to: .buyer, of: payout)
        let isRoyaltyOfParty = seller != payout.seller || buyer != payout.buyer
        let fees = isRoyaltyOfParty ? payout.platform : sum(payout.platform, payout.maker)
        var sentences = [
            Sentence(
                "escrow.ends",
                [
                    "seller": money(seller), "buyer": money(buyer), "fees": money(fees),
                    "receiver": share.tokenReceiver.value,
                ]
            )
        ]
        if let agreed {
            sentences.insert(Sentence("escrow.agree", ["share": agreed.value]), at: 0)
        }
        if !payout.arbiter.isZero {
            sentences.append(Sentence("escrow.arbiterGets", ["fee": money(payout.arbiter)]))
        }
        if let fee = feeIfTaken(exit) { sentences.append(fee) }
        if agreed == SellerShare.none, status == .transferred || status == .disputed {
            sentences.append(Sentence("escrow.refundCosts", ["penalty": money(terms.latePenalty)]))
        }
        if exit == .executeDefault, isTaken {
            sentences.append(Sentence("escrow.arbiterGetsNothing"))
        }
        if !payout.nobody.isZero {
            sentences.append(Sentence("escrow.lost", ["amount": money(payout.nobody)]))
        }
        return sentences
    }

    /// Warns that the arbiter's fee falls due if the arbiter takes the case first.
    private func feeIfTaken(_ exit: EscrowExit) -> Sentence? {
        guard status == .disputed, !isTaken, terms.arbiter != nil, !terms.arbiterFee.isZero else {
            return nil
        }
        let fee = ["fee": money(terms.arbiterFee)]
        return switch exit {
        case .confirm: Sentence("escrow.buyerPaysFee", fee)
        case .refund: Sentence("escrow.sellerPaysFee", fee)
        case .settle: Sentence("escrow.bothPayFee", fee)
        default: nil
        }
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

    /// The payout of the default of a dispute.
    private var disputeDefault: Sentence {
        let payout = payout(by: .executeDefault)
        return Sentence(
            "escrow.disputeDefault",
            [
                "window": terms.rulingWindow.value, "forfeit": money(forfeit),
                "seller": money(credited(to: .seller, of: payout)),
                "buyer": money(credited(to: .buyer, of: payout)),
            ]
        )
    }

    private var ruling: Sentence {
        guard let arbiter = terms.arbiter else { return Sentence("escrow.noRuling") }
        return Sentence(
            "escrow.canRule",
            ["arbiter": arbiter.checksummed, "fee": money(terms.arbiterFee)]
        )
    }

    /// Describes how a dispute can end, for a possible buyer.
    private var disputeTerms: Sentence {
        let loss = ["window": terms.rulingWindow.value, "forfeit": money(forfeit)]
        guard let arbiter = terms.arbiter else { return Sentence("escrow.unruledDispute", loss) }
        return Sentence(
            "escrow.ruledDispute",
            loss.merging(["arbiter": arbiter.checksummed, "fee": money(terms.arbiterFee)]) { $1 }
        )
    }

    private func sum(_ left: Amount, _ right: Amount) -> Amount { left.adding(right) ?? .max }

    /// An amount of the sale as a value of a sentence.
    package func money(_ amount: Amount) -> String {
        amount.value(in: terms.currency, on: reference.contract.chain)
    }
}
