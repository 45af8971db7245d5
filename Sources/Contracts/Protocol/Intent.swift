package import Keys
package import Market

/// Names what somebody wants to happen on a chain; chosen by who wants it, so that asking twice
/// does it once.
package struct IntentID: Hashable, Sendable, CustomStringConvertible {
    package let hash: Bytes32

    package init(_ hash: Bytes32) { self.hash = hash }

    package var description: String { hash.hex }
}

/// What somebody wants to happen on a chain: one transaction, or several, one after the other.
package struct Intent: Hashable, Sendable {
    /// One transaction of an intent, without nonce, gas and fee.
    package struct Step: Hashable, Sendable {
        /// `nil` makes a contract.
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
    /// Each starts after the receipt of the one before.
    package let steps: [Step]
    package let speed: FeeSpeed
    /// What each step's fee may be at most, in wei; none for intents that the policy alone bounds.
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

/// How much is paid to be mined soon.
package enum FeeSpeed: UInt8, CaseIterable, Sendable {
    case slow = 0
    case normal = 1
    case fast = 2
}

/// One step of one intent: what owns a nonce.
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
        /// The same with a higher fee.
        case speedUp = 1
        /// Nothing, to the account itself, so that the nonce is used up.
        case cancel = 2
    }

    package let kind: Kind
    package let nonce: UInt64
    package let pricing: TransactionPricing
    package let hash: Bytes32
    /// What is broadcast, now and ever again.
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
}

/// Where an intent is, for its owner.
package struct IntentProgress: Equatable, Sendable {
    package let intent: IntentID
    /// The step the phase is about, from 0.
    package let step: Int
    package let phase: SendPhase
    /// The newest transaction of the step.
    package let transaction: Bytes32?
    /// Receipts by step, as far as they are mined.
    package let receipts: [Receipt?]
    /// Why a speed-up or cancellation that was asked for is not signed, if so.
    package let note: String?

    package init(
        intent: IntentID,
        step: Int,
        phase: SendPhase,
        transaction: Bytes32?,
        receipts: [Receipt?],
        note: String? = nil
    ) {
        (self.intent, self.step, self.phase) = (intent, step, phase)
        (self.transaction, self.receipts, self.note) = (transaction, receipts, note)
    }
}

/// What a step of an intent waits for, or how the intent ended.
package enum SendPhase: Hashable, Sendable {
    /// Not yet looked at, or behind another intent of the account.
    case waiting
    /// It cannot be prepared now, for this reason; it is tried again.
    case delayed(String)
    /// The account is locked: it goes on when its owner signs in.
    case needsUnlock
    /// Signed and in the journal; no endpoint has taken it yet.
    case signed
    /// No endpoint takes it, for this reason: speed it up, cancel it, or put the reason right.
    case stuck(String)
    case sent
    /// Sent for longer than is usual: speed it up or cancel it.
    case overdue
    case mined(confirmations: UInt64, of: UInt64)
    /// Another transaction has its nonce, so the key is used elsewhere too. Nothing more is signed
    /// until the owner has acknowledged it.
    case keyUsedElsewhere

    /// Ended: all steps are final.
    case final
    /// Ended: the chain ran it and it failed; the fee is paid. Not tried again by itself.
    case reverted
    /// Ended: the contract or the balance does not allow it; nothing was sent for this step.
    case refused(String)
    /// Ended: the owner's cancellation was mined in its stead.
    case cancelled

    package var isEnd: Bool {
        switch self {
        case .final, .reverted, .refused, .cancelled: true
        case .waiting, .delayed, .needsUnlock, .signed, .stuck, .sent, .overdue, .mined,
            .keyUsedElsewhere:
            false
        }
    }
}
