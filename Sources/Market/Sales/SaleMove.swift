/// Something an account can do to a sale now.
package enum SaleMove: Hashable, Sendable {
    case abort, buy, transferItem, confirm, refund, dispute, claim, executeDefault
    /// With a share of the arbiter's choosing.
    case rule
    /// With a share and a time of the party's choosing.
    case proposeSettlement
    case agree(SettlementProposal)

    /// The name of the contract's function.
    package var name: String {
        switch self {
        case .abort: "abort"
        case .buy: "buy"
        case .transferItem: "transfer_item"
        case .confirm: "confirm"
        case .refund: "refund"
        case .dispute: "dispute"
        case .claim: "claim"
        case .executeDefault: "execute_default"
        case .rule: "rule"
        case .proposeSettlement, .agree: "settle"
        }
    }

    /// How it ends the sale; `nil` if the sale goes on.
    package var exit: EscrowExit? {
        switch self {
        case .abort: .abort
        case .confirm: .confirm
        case .refund: .refund
        case .claim: .claim
        case .executeDefault: .executeDefault
        case .rule: .rule
        case .agree: .settle
        case .buy, .transferItem, .dispute, .proposeSettlement: nil
        }
    }
}

/// A move that is open to an account now.
package struct OpenMove: Hashable, Sendable {
    package let move: SaleMove
    /// It must be mined before this; `nil` while the phase lasts.
    package let before: ChainTime?
    /// What follows, in words for the one who signs.
    package let consequence: String
}

/// The next moment at which a sale's moves change by themselves.
package struct SaleDeadline: Hashable, Sendable {
    /// What can happen from then on.
    package enum Effect: String, Sendable {
        /// Nobody can buy any more; the seller can still abort.
        case offerEnds
        /// The seller can no longer transfer; anyone can refund the buyer.
        case refundOpens
        /// The buyer can no longer dispute; anyone can complete the sale.
        case claimOpens
        /// The arbiter can no longer rule; anyone can execute the default.
        case defaultOpens
    }

    package let at: ChainTime
    package let effect: Effect

    package init(at: ChainTime, effect: Effect) {
        (self.at, self.effect) = (at, effect)
    }
}

/// What an account can do to a sale, and what happens when it does nothing.
package struct SaleOutlook: Hashable, Sendable {
    package let role: SaleRole
    package let moves: [OpenMove]
    /// `nil` if no deadline is to come.
    package let next: SaleDeadline?

    package init(role: SaleRole, moves: [OpenMove], next: SaleDeadline?) {
        (self.role, self.moves, self.next) = (role, moves, next)
    }
}
