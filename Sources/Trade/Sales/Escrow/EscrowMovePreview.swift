import Answers
import Client
import Foundation
import Keys
import Market

/// A move in a sale before it is signed, in words and money for its signer.
struct EscrowMovePreview {
    let state: EscrowSale
    let move: EscrowMove
    /// The seller's share, for `propose`, `agree` and `rule`.
    let share: SellerShare
    let account: Address
    let time: ChainTime
    /// The time until which a new proposal can be accepted.
    let until: ChainTime

    var preview: ActionPreview {
        var preview = ActionPreview(
            action: EscrowMoveName(move).rawValue,
            subject: state.reference.id.description,
            summary: summary.filter { $0.code != Self.early },
            deadline: deadline.map { Client.Sale.Deadline($0.described) }
        )
        addReturns(to: &preview)
        addProposal(to: &preview)
        if case .rule = move { preview.explanation.append(Sentence("escrow.notesAsSent")) }
        preview.warnings += summary.filter { $0.code == Self.early } + cleared
        return preview
    }

    /// The consequence that its own preview shows as a warning.
    private static let early = "escrow.confirmNotSent"

    private var summary: [Sentence] {
        switch move {
        case .propose: [Sentence("escrow.youPropose", division(share)), untilOtherSideAgrees]
        case .agree(let proposal):
            [
                Sentence(
                    "escrow.youAccept",
                    division(proposal.share)
                        .merging(["party": state.role(of: proposal.by).value]) { $1 }
                ),
                ending(by: .settle, proposal.share),
            ]
        case .rule: [Sentence("escrow.youDecide", division(share)), ending(by: .rule, share)]
        case .abort, .buy, .decline, .relist, .transferItem, .confirm, .refund, .dispute, .claim,
            .take,
            .withdrawProposal, .executeDefault:
            state.consequence(of: move, for: account)
        }
    }

    private var untilOtherSideAgrees: Sentence {
        Sentence("escrow.nothingPaidUntilAgreed", ["party": otherSide.value])
    }

    /// The parts of the price: `the seller gets 40 % (0.2 ETH), the buyer 60 % (0.3 ETH)`.
    private func division(_ share: SellerShare) -> [String: String] {
        [
            "share": share.value, "seller": state.money(part(share)),
            "rest": share.rest.value, "buyer": state.money(part(share.rest)),
        ]
    }

    private func ending(by exit: EscrowExit, _ share: SellerShare) -> Sentence {
        let payout = state.payout(by: exit, share: share)
        let credits = [
            "seller": state.money(state.credited(to: .seller, of: payout)),
            "buyer": state.money(state.credited(to: .buyer, of: payout)),
            "receiver": share.tokenReceiver.value,
        ]
        guard !payout.arbiter.isZero else { return Sentence("escrow.settlement", credits) }
        return Sentence(
            "escrow.settlementWithFee",
            credits.merging(["arbiter": state.money(payout.arbiter)]) { $1 }
        )
    }

    private func addReturns(to preview: inout ActionPreview) {
        let currency = state.terms.currency
        if let exit = move.exit {
            let chosen = if case .agree(let proposal) = move { proposal.share } else { share }
            let isShared = exit == .settle || exit == .rule
            let payout = state.payout(by: exit, share: isShared ? chosen : .all)
            preview.expect(own(payout), currency, .credit)
            return
        }
        switch move {
        case .transferItem:
            preview.expect(
                own(state.payout(by: .confirm)),
                currency,
                Sentence("escrow.onceConfirmedOrLate"),
                from: deadline?.at
            )
        case .dispute:
            preview.expect(
                own(state.payout(by: .executeDefault)),
                currency,
                Sentence("escrow.afterDefault"),
                from: deadline?.at
            )
        case .take:
            preview.expect(state.terms.arbiterFee, currency, Sentence("escrow.onceEnded"))
        case .propose:
            preview.expect(
                own(state.payout(by: .settle, share: share)),
                currency,
                Sentence("escrow.ifAgreedInTime", ["party": otherSide.value])
            )
        default: break
        }
    }

    private func addProposal(to preview: inout ActionPreview) {
        guard case .propose = move else { return }
        preview.deadline = Client.Sale.Deadline(
            at: until.date,
            consequence: [Sentence("escrow.proposalEnds", ["party": otherSide.value])]
        )
        preview.explanation += [
            Sentence("escrow.ifAgreed", ["party": otherSide.value]), ending(by: .settle, share),
        ]
        if state.status == .disputed, state.terms.arbiter != nil, !state.isTaken {
            preview.explanation.append(Sentence("escrow.arbiterEndsProposal"))
        }
        if let standing = state.proposals(at: time).first(where: { $0.by == account }) {
            preview.warnings.append(
                Sentence("escrow.replacesProposal", ["share": standing.share.value])
            )
        }
        if let next = state.nextDeadline(after: time) {
            preview.explanation.append(
                Sentence(
                    "escrow.deadlinesRun",
                    ["time": next.at.value, "consequence": next.effect.consequence.code]
                )
            )
        }
    }

    /// The other side's proposals that the move does away with.
    private var cleared: [Sentence] {
        switch move {
        case .transferItem, .decline, .relist, .confirm, .refund, .dispute, .claim, .rule,
            .executeDefault:
            state.proposals(at: time).filter { $0.by != account }.map { proposal in
                Sentence(
                    "preview.clearsProposal",
                    [
                        "party": state.role(of: proposal.by).value,
                        "share": proposal.share.value, "time": proposal.until.value,
                    ]
                )
            }
        // The words of the last say it themselves.
        case .abort, .buy, .propose, .agree, .withdrawProposal, .take: []
        }
    }

    /// The sale's next state after the move; `nil` if it has ended.
    private var deadline: EscrowDeadline? {
        switch move {
        case .transferItem:
            EscrowDeadline(at: time.advanced(by: state.terms.confirmWindow), effect: .claimOpens)
        case .dispute:
            EscrowDeadline(at: time.advanced(by: state.terms.rulingWindow), effect: .defaultOpens)
        case .buy:
            EscrowDeadline(at: time.advanced(by: state.terms.shipWindow), effect: .refundOpens)
        case .take, .withdrawProposal: state.nextDeadline(after: time)
        case .relist:
            EscrowDeadline(at: state.terms.offerUntil, effect: .offerEnds)
        case .abort, .decline, .confirm, .refund, .claim, .executeDefault, .rule, .agree, .propose:
            nil
        }
    }

    /// The account's credit; the royalty too, if it made the token.
    private func own(_ payout: EscrowPayout) -> Amount {
        switch state.role(of: account) {
        case .seller: state.credited(to: .seller, of: payout)
        case .buyer: state.credited(to: .buyer, of: payout)
        case .arbiter: payout.arbiter
        default: .zero
        }
    }

    private var otherSide: SaleRole { account == state.seller ? .buyer : .seller }

    private func part(_ share: SellerShare) -> Amount {
        state.terms.price.portion(basisPoints: share.basisPoints) ?? .zero
    }
}
