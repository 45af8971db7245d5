/// The status of an escrow sale; raw values are the contract's.
package enum EscrowStatus: UInt64, SaleStatus {
    /// Becomes paid or aborted.
    case listed = 1
    /// Becomes transferred, declined, refunded, complete or settled.
    case paid = 2
    /// Becomes disputed, refunded, complete or settled.
    case transferred = 4
    /// Becomes refunded, complete or settled.
    case disputed = 8
    /// Ended before anybody bought.
    case aborted = 16
    /// Ended by the seller after the payment: the buyer got everything back.
    case declined = 32
    case refunded = 64
    case complete = 128
    case settled = 256

    package var name: String {
        switch self {
        case .listed: "listed"
        case .paid: "paid"
        case .transferred: "transferred"
        case .disputed: "disputed"
        case .aborted: "aborted"
        case .declined: "declined"
        case .refunded: "refunded"
        case .complete: "complete"
        case .settled: "settled"
        }
    }

    package var stage: SaleStage {
        switch self {
        case .listed: .offered
        case .paid, .transferred, .disputed: .running
        case .aborted, .declined, .refunded, .complete, .settled: .over
        }
    }
}

/// The move that ended a sale; raw values are the contract's.
package enum EscrowExit: UInt64, CaseIterable, Sendable {
    case abort = 1
    case decline = 2
    case confirm = 4
    case claim = 8
    case refund = 16
    case settle = 32
    case rule = 64
    case executeDefault = 128

    /// The name of the move in the API.
    package var name: String {
        switch self {
        case .abort: "abort"
        case .decline: "decline"
        case .confirm: "confirm"
        case .claim: "claim"
        case .refund: "refund"
        case .settle: "settle"
        case .rule: "rule"
        case .executeDefault: "execute_default"
        }
    }

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
