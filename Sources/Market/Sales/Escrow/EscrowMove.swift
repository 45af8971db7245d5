package import Texts

/// A move that an account can make in a sale.
package enum EscrowMove: Hashable, Sendable {
    case abort, buy, decline, relist, transferItem, confirm, refund, dispute, claim, executeDefault
    /// States that the arbiter is at work; from then on the fee is due in every end except the
    /// default.
    case take
    /// With a share that the arbiter chooses.
    case rule
    /// With a share and a time that the party chooses.
    case propose
    case withdrawProposal
    /// To the other party's proposal.
    case agree(SettlementProposal)

    /// The name of the contract's function.
    package var name: String {
        switch self {
        case .abort: "abort"
        case .buy: "buy"
        case .decline: "decline"
        case .relist: "relist"
        case .transferItem: "transfer_item"
        case .confirm: "confirm"
        case .refund: "refund"
        case .dispute: "dispute"
        case .claim: "claim"
        case .executeDefault: "execute_default"
        case .take: "take"
        case .rule: "rule"
        case .propose: "propose"
        case .withdrawProposal: "withdraw_proposal"
        case .agree: "agree"
        }
    }

    /// The exit by which it ends the sale; `nil` if the sale continues.
    package var exit: EscrowExit? {
        switch self {
        case .abort: .abort
        case .decline: .decline
        case .confirm: .confirm
        case .refund: .refund
        case .claim: .claim
        case .executeDefault: .executeDefault
        case .rule: .rule
        case .agree: .settle
        case .buy, .relist, .transferItem, .dispute, .take, .propose, .withdrawProposal: nil
        }
    }

    /// Returns whether the contract knows the move in a sale of this status.
    func fits(_ status: EscrowStatus) -> Bool {
        switch self {
        case .abort, .buy: status == .listed
        case .decline, .relist, .transferItem: status == .paid
        case .dispute, .claim: status == .transferred
        case .take, .rule, .executeDefault: status == .disputed
        case .confirm, .refund, .propose, .withdrawProposal, .agree: status.stage == .running
        }
    }
}

/// The change at a deadline of an escrow sale.
package enum EscrowDeadlineEffect: String, DeadlineEffect {
    /// The offer has ended; anyone can abort.
    case offerEnds
    /// The seller can no longer decline or relist; anyone can refund the buyer.
    case refundOpens
    /// The buyer can no longer dispute; anyone can complete the sale.
    case claimOpens
    /// The arbiter can no longer rule; anyone can execute the default.
    case defaultOpens

    package var consequence: Sentence {
        switch self {
        case .offerEnds: Sentence("escrow.offerEnds")
        case .refundOpens: Sentence("escrow.refundOpens")
        case .claimOpens: Sentence("escrow.claimOpens")
        case .defaultOpens: Sentence("escrow.defaultOpens")
        }
    }
}

package typealias EscrowOpenMove = OpenMove<EscrowMove>
package typealias EscrowDeadline = MoveDeadline<EscrowDeadlineEffect>
package typealias EscrowOutlook = MoveOutlook<EscrowMove, EscrowDeadlineEffect>
