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
            summary: summary,
            deadline: deadline.map { Client.Sale.Deadline($0.described) }
        )
        addReturns(to: &preview)
        addProposal(to: &preview)
        return preview
    }

    private var summary: [Sentence] {
        switch move {
        case .propose:
            [
                "You propose to divide the price: \(division(share)). Nothing is paid until the "
                    + "\(otherSide) agrees."
            ]
        case .agree(let proposal):
            [
                "You accept the proposal of the \(name(of: proposal.by)): \(division(proposal.share)).",
                "\(ending(by: .settle, proposal.share))",
            ]
        case .rule:
            [
                "You decide the dispute: \(division(share)). It is final.",
                "\(ending(by: .rule, share))",
            ]
        case .abort, .buy, .decline, .relist, .transferItem, .confirm, .refund, .dispute, .claim,
            .take,
            .withdrawProposal, .executeDefault:
            state.consequence(of: move, for: account)
        }
    }

    /// `the seller gets 40 % (0.2 ETH), the buyer 60 % (0.3 ETH)`.
    private func division(_ share: SellerShare) -> String {
        "the seller gets \(share.inPercent) (\(text(part(share)))), the buyer "
            + "\(share.rest.inPercent) (\(text(part(share.rest))))"
    }

    private func ending(by exit: EscrowExit, _ share: SellerShare) -> String {
        let payout = state.payout(by: exit, share: share)
        let receiver = share.givesTokenToBuyer ? "buyer" : "seller"
        let arbiter =
            payout.arbiter.isZero ? "" : ", the arbiter \(text(payout.arbiter))"
        return "The sale ends. With the deposits, and less the fees, the seller is credited "
            + "\(text(state.credited(to: .seller, of: payout))), the buyer "
            + "\(text(state.credited(to: .buyer, of: payout)))\(arbiter). The token goes to the "
            + "\(receiver)."
    }

    private func addReturns(to preview: inout ActionPreview) {
        let soon: Sentence = "at once, as a credit that you can collect"
        if let exit = move.exit {
            let chosen = if case .agree(let proposal) = move { proposal.share } else { share }
            let isShared = exit == .settle || exit == .rule
            let payout = state.payout(by: exit, share: isShared ? chosen : .all)
            preview.expect(own(payout), state.terms.currency, soon)
            return
        }
        switch move {
        case .transferItem:
            let when: Sentence =
                "once the buyer confirms, or after the deadline if the buyer neither confirms nor "
                + "disputes"
            preview.expect(
                own(state.payout(by: .confirm)),
                state.terms.currency,
                when,
                from: deadline?.at
            )
        case .dispute:
            let when: Sentence = "after the deadline, if it is neither settled nor ruled by then"
            preview.expect(
                own(state.payout(by: .executeDefault)),
                state.terms.currency,
                when,
                from: deadline?.at
            )
        case .take:
            let when: Sentence = "once the sale ends, unless it ends by the default"
            preview.expect(state.terms.arbiterFee, state.terms.currency, when)
        case .propose:
            let payout = state.payout(by: .settle, share: share)
            let when: Sentence = "if the \(otherSide) agrees before the deadline, as a credit"
            preview.expect(own(payout), state.terms.currency, when)
        default: break
        }
    }

    private func addProposal(to preview: inout ActionPreview) {
        guard case .propose = move else { return }
        preview.deadline = Client.Sale.Deadline(
            at: until.date,
            consequence: ["The \(otherSide) can no longer agree; the sale goes on as before."]
        )
        preview.explanation.append("If the \(otherSide) agrees: \(ending(by: .settle, share))")
        if state.status == .disputed, state.terms.arbiter != nil, !state.isTaken {
            preview.explanation.append(
                "If the arbiter takes the dispute first, the proposal ends or is refused: it "
                    + "includes no arbiter's fee."
            )
        }
        if let standing = state.proposals(at: time).first(where: { $0.by == account }) {
            preview.warnings.append(
                "It replaces your own proposal, by which the seller gets "
                    + "\(standing.share.inPercent); that one can then no longer be accepted."
            )
        }
        if let next = state.nextDeadline(after: time) {
            let deadline = Client.Sale.Deadline(next.described)
            preview.explanation.append(
                "Deadlines keep running while a proposal is open. The next one of the sale is "
                    + "\(deadline.at.inWords): \(deadline.consequence.detail)"
            )
        }
    }

    /// The sale's next state after the move; `nil` if it has ended.
    private var deadline: EscrowDeadline? {
        switch move {
        case .transferItem:
            EscrowDeadline(
                at: time.advanced(by: state.terms.confirmWindow),
                effect: .claimOpens
            )
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

    private var otherSide: String { account == state.seller ? "buyer" : "seller" }

    private func name(of party: Address) -> String { state.role(of: party).name }

    private func part(_ share: SellerShare) -> Amount {
        state.terms.price.portion(basisPoints: share.basisPoints) ?? .zero
    }

    private func text(_ amount: Amount) -> String {
        PriceText.text(amount, in: state.terms.currency, on: state.reference.contract.chain)
    }
}
