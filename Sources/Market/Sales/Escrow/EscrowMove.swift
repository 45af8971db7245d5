/// A move that an account can make in a sale.
package enum EscrowMove: Hashable, Sendable {
    case abort, buy, transferItem, confirm, refund, dispute, claim, executeDefault
    /// With a share that the arbiter chooses.
    case rule
    /// With a share and a time that the party chooses.
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

    /// The exit by which it ends the sale; `nil` if the sale continues.
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

/// A move that an account can make now.
package struct EscrowOpenMove: Hashable, Sendable {
    package let move: EscrowMove
    /// It must be mined before this time; `nil` while the phase lasts.
    package let before: ChainTime?
    /// The consequence in words, for the person who signs.
    package let consequence: String
}

/// The next time at which the possible moves change without a transaction.
package struct EscrowDeadline: Hashable, Sendable {
    /// The change at a deadline.
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

    /// The deadline with its consequence in words.
    package var described: SaleDeadline { SaleDeadline(at: at, consequence: effect.description) }
}

/// The moves that an account can make, and the next deadline if it makes none.
package struct EscrowOutlook: Hashable, Sendable {
    package let role: SaleRole
    package let moves: [EscrowOpenMove]
    /// `nil` if there is no further deadline.
    package let next: EscrowDeadline?

    package init(role: SaleRole, moves: [EscrowOpenMove], next: EscrowDeadline?) {
        (self.role, self.moves, self.next) = (role, moves, next)
    }
}
