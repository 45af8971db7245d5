/// The status of an escrow sale; raw values are the contract's.
package enum EscrowStatus: UInt64, SaleStatus {
    /// Becomes paid or aborted.
    case listed = 1
    /// Becomes transferred, refunded, complete or settled.
    case paid = 2
    /// Becomes disputed, refunded, complete or settled.
    case transferred = 4
    /// Becomes refunded, complete or settled.
    case disputed = 8
    case aborted = 16
    case refunded = 32
    case complete = 64
    case settled = 128

    package var name: String {
        switch self {
        case .listed: "listed"
        case .paid: "paid"
        case .transferred: "transferred"
        case .disputed: "disputed"
        case .aborted: "aborted"
        case .refunded: "refunded"
        case .complete: "complete"
        case .settled: "settled"
        }
    }

    package var stage: SaleStage {
        switch self {
        case .listed: .offered
        case .paid, .transferred, .disputed: .running
        case .aborted, .refunded, .complete, .settled: .over
        }
    }
}

/// The move that ended a sale; raw values are the contract's.
package enum EscrowExit: UInt64, CaseIterable, Sendable {
    case abort = 1
    case confirm = 2
    case claim = 4
    case refund = 8
    case settle = 16
    case rule = 32
    case executeDefault = 64

    /// The name of the move in the API.
    package var name: String {
        switch self {
        case .abort: "abort"
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
        case .confirm, .claim: .complete
        case .refund: .refunded
        case .settle, .rule, .executeDefault: .settled
        }
    }

    /// Whether the exit can end a sale in this status.
    package func ends(_ status: EscrowStatus) -> Bool {
        switch self {
        case .abort: status == .listed
        case .confirm, .refund, .settle: status.stage == .running
        case .claim: status == .transferred
        case .rule, .executeDefault: status == .disputed
        }
    }
}
