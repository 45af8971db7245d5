/// The statuses of an escrow sale, in the contract's order.
package enum EscrowStatus: String, SaleStatus, ContractFlag {
    /// Becomes paid or aborted.
    case listed
    /// Becomes transferred, declined, refunded, complete or settled.
    case paid
    /// Becomes disputed, refunded, complete or settled.
    case transferred
    /// Becomes refunded, complete or settled.
    case disputed
    /// Ended before anybody bought.
    case aborted
    /// Ended by the seller after the payment: the buyer got everything back.
    case declined
    case refunded
    case complete
    case settled

    package var stage: SaleStage {
        switch self {
        case .listed: .offered
        case .paid, .transferred, .disputed: .running
        case .aborted, .declined, .refunded, .complete, .settled: .over
        }
    }
}

/// The move that ended a sale, by its name in the API, in the contract's order.
package enum EscrowExit: String, ContractFlag {
    case abort
    case decline
    case confirm
    case claim
    case refund
    case settle
    case rule
    case executeDefault = "execute_default"

    /// The status that the exit leads to.
    package var status: EscrowStatus {
        switch self {
        case .abort: .aborted
        case .decline: .declined
        case .confirm, .claim: .complete
        case .refund: .refunded
        case .settle, .rule, .executeDefault: .settled
        }
    }

    /// The seller's share that the contract records for the exit; `nil` if it is chosen.
    package var fixedShare: SellerShare? {
        switch self {
        case .abort, .decline, .refund: SellerShare.none
        case .confirm, .claim: .all
        case .executeDefault: EscrowLimits.defaultShare
        case .settle, .rule: nil
        }
    }
}
