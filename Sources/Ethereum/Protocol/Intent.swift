package import Keys
package import Market
package import Texts

/// The id of an intent, chosen by the caller so that submitting it twice has the effect of once.
package struct IntentID: Hashable, Sendable, CustomStringConvertible {
    package let hash: Bytes32

    package init(_ hash: Bytes32) { self.hash = hash }

    package var description: String { hash.hex }
}

/// A request to the sender: one transaction, or several, one after the other.
package struct Intent: Hashable, Sendable {
    /// One transaction of an intent, without nonce, gas and fee.
    package struct Step: Hashable, Sendable {
        /// The receiver; `nil` creates a contract.
        package let to: Address?
        package let value: Amount
        package let data: [UInt8]

        package init(to: Address?, value: Amount = .zero, data: [UInt8]) {
            (self.to, self.value, self.data) = (to, value, data)
        }
    }

    package let id: IntentID
    /// For people and logs, such as `buy`.
    package let purpose: String
    /// The transactions; each one is signed after the previous one's receipt.
    package let steps: [Step]
    package let speed: FeeSpeed
    /// The highest fee of each step, in wei; empty if only the fee policy limits them.
    package let feesMax: [Amount]

    package init(
        id: IntentID,
        purpose: String,
        steps: [Step],
        speed: FeeSpeed = .normal,
        feesMax: [Amount] = []
    ) {
        precondition(feesMax.isEmpty || feesMax.count == steps.count)
        (self.id, self.purpose, self.steps, self.speed) = (id, purpose, steps, speed)
        self.feesMax = feesMax
    }
}

/// How soon a transaction should be mined, which sets its tip.
package enum FeeSpeed: UInt8, CaseIterable, Sendable {
    case slow = 0
    case normal = 1
    case fast = 2
}

/// One step of one intent, which owns one nonce at a time.
package struct SendSlot: Hashable, Sendable {
    package let intent: IntentID
    package let step: Int

    package init(intent: IntentID, step: Int) { (self.intent, self.step) = (intent, step) }
}

/// A signed transaction for a slot's nonce.
package struct SignedAttempt: Hashable, Sendable {
    /// Why it was signed.
    package enum Kind: UInt8, Sendable {
        case original = 0
        /// The same call with a higher fee.
        case speedUp = 1
        /// An empty call to the account itself, which uses up the nonce.
        case cancel = 2
    }

    package let kind: Kind
    package let nonce: UInt64
    package let pricing: TransactionPricing
    package let hash: Bytes32
    /// The signed bytes, which are broadcast and broadcast again.
    package let raw: [UInt8]

    package init(
        kind: Kind,
        nonce: UInt64,
        pricing: TransactionPricing,
        hash: Bytes32,
        raw: [UInt8]
    ) {
        (self.kind, self.nonce, self.pricing) = (kind, nonce, pricing)
        (self.hash, self.raw) = (hash, raw)
    }

    /// The gas limit that was signed.
    var gasLimit: UInt64? { try? SignedTransaction.decode(raw).transaction.gasLimit }

    /// The value and the highest fee that were signed, in wei.
    var costMax: Amount {
        guard let transaction = try? SignedTransaction.decode(raw).transaction else { return .zero }
        let fee = transaction.pricing.feeCap.multiplied(by: transaction.gasLimit)
        return fee.flatMap(transaction.value.adding) ?? .max
    }
}

extension Intent.Step {
    /// The gas that its transaction uses before anything runs.
    var intrinsicGas: UInt64 { Transaction.intrinsicGas(to: to, data: data) }
}

/// The progress of an intent, for its owner.
package struct IntentProgress: Equatable, Sendable {
    package let intent: IntentID
    /// The step that the phase belongs to, from 0.
    package let step: Int
    package let phase: SendPhase
    /// The mined transaction of the step, else its newest one.
    package let transaction: Bytes32?
    /// The receipt of each step; `nil` for a step that is not mined.
    package let receipts: [Receipt?]
    /// Why a requested speed-up or cancellation is not signed, or it is not final, in words.
    package let notes: [Sentence]
    /// Whether the step's newest transaction must be signed again at another price, or cancelled.
    package let isBeingReplaced: Bool
    /// Whether a wallet outside this node was asked for the step, and may have sent it on its own.
    package let wasRequested: Bool
    /// The missing nonce that an overdue transaction waits for; `nil` if it waits for none.
    package let missingNonce: UInt64?
    /// Whether the step's transaction failed and used about all of its gas.
    package let ranOutOfGas: Bool

    /// The text of ``notes``; `nil` if there are none.
    package var note: String? {
        notes.isEmpty ? nil : notes.map(\.detail).joined(separator: "; ")
    }

    /// Whether nothing more is signed before the owner acknowledges that another program uses the
    /// key.
    package var awaitsAcknowledgement: Bool {
        switch phase {
        // Until the sender gives the nonce up, its transaction may still be mined.
        case .keyUsedElsewhere: transaction == nil
        case .nonceAwaited, .nonceUnconfirmed: true
        default: false
        }
    }

    package init(
        intent: IntentID,
        step: Int,
        phase: SendPhase,
        transaction: Bytes32?,
        receipts: [Receipt?],
        notes: [Sentence] = [],
        isBeingReplaced: Bool = false,
        wasRequested: Bool = false,
        missingNonce: UInt64? = nil,
        ranOutOfGas: Bool = false
    ) {
        (self.intent, self.step, self.phase) = (intent, step, phase)
        (self.transaction, self.receipts, self.notes) = (transaction, receipts, notes)
        (self.isBeingReplaced, self.wasRequested) = (isBeingReplaced, wasRequested)
        (self.missingNonce, self.ranOutOfGas) = (missingNonce, ranOutOfGas)
    }
}

/// The state that a step of an intent waits in, or the intent's end.
package enum SendPhase: Hashable, Sendable {
    /// Not processed yet, or waiting for another intent of the account.
    case waiting
    /// The transaction cannot be prepared now, for this reason; the sender tries again.
    case delayed(Sentence)
    /// The account is locked: the step continues when its owner signs in.
    case needsUnlock
    /// A wallet outside this node has to sign the transaction.
    case awaitsSignature
    /// Signed and in the journal; no endpoint has accepted it yet.
    case signed
    /// Signed, and no endpoint has answered when it was sent; it is sent again.
    case unanswered
    /// No endpoint accepts it, for this reason: speed it up, cancel it, or remove the cause.
    case stuck(String)
    case sent
    /// Sent for longer than usual: speed it up or cancel it, unless it waits for a missing nonce.
    case overdue
    case mined(confirmations: UInt64, of: UInt64)
    /// A transaction of another program used the nonce. Nothing more is signed for the account
    /// until its owner has acknowledged that.
    case keyUsedElsewhere
    /// A transaction of another program waits with this nonce, which is next. The step continues
    /// once that one is mined, or replaces it once the owner has acknowledged that.
    case nonceAwaited(UInt64)
    /// Only one of several endpoints tells that this nonce is next, and it is above what was signed
    /// here. The step continues once another one confirms it, or its owner acknowledges it.
    case nonceUnconfirmed(UInt64)

    /// Ended: all steps are final.
    case final
    /// Ended: the transaction was mined and reverted; its fee is paid. It is not tried again.
    case reverted
    /// Ended: the step cannot be done, for this reason; nothing was sent for it.
    case refused(String)
    /// Ended: the owner's cancellation was mined instead.
    case cancelled

    /// Whether it is signed, and no endpoint has said anything of it.
    var isUnheard: Bool { self == .signed || self == .unanswered }

    package var isEnd: Bool {
        switch self {
        case .final, .reverted, .refused, .cancelled: true
        case .waiting, .delayed, .needsUnlock, .awaitsSignature, .signed, .unanswered, .stuck,
            .sent, .overdue, .mined, .keyUsedElsewhere, .nonceAwaited, .nonceUnconfirmed:
            false
        }
    }
}
