package import Keys
package import Market

/// One durable step of an intent; all entries of an account, in order, give its sender's state.
package struct JournalEntry: Equatable, Sendable {
    /// The content of the entry.
    package enum Event: Equatable, Sendable {
        case intentRecorded(Intent)
        case signed(SignedAttempt)
        /// An endpoint accepted the transaction.
        case broadcast(Bytes32)
        case mined(Receipt)
        /// The block with the transaction is no longer part of the chain.
        case unmined(Bytes32)
        /// The transaction succeeded and has all confirmations.
        case final(Bytes32)
        /// The transaction reverted and has all confirmations.
        case reverted(Bytes32)
        /// The cancellation was mined and has all confirmations.
        case cancelled(Bytes32)
        /// Another program's transaction with this nonce has all confirmations; the step may get a
        /// new nonce.
        case nonceLost(UInt64)
        /// The owner acknowledged that another program used the key.
        case foreignAcknowledged
        /// The owner acknowledged that a transaction of another program waits with the nonce before
        /// this one, and lets it be replaced.
        case foreignReplaceable(UInt64)
        case refused(String)
        /// The owner requested a replacement of the waiting transaction; `nil` if the request ended
        /// without a signature.
        case replacementWanted(SignedAttempt.Kind?)
        /// The owner agreed to this new limit of the step's fee, in wei.
        case feeRaised(Amount)
        /// The owner is asked to sign this with a wallet outside the node.
        case requested(RequestedTransaction)
    }

    package let slot: SendSlot
    package let event: Event

    package init(_ slot: SendSlot, _ event: Event) { (self.slot, self.event) = (slot, event) }

    package var step: JournalStep {
        switch event {
        case .intentRecorded: .intentRecorded
        case .signed: .signed
        case .broadcast: .broadcast
        case .mined: .mined
        case .unmined: .unmined
        case .final: .final
        case .reverted: .reverted
        case .cancelled: .cancelled
        case .nonceLost: .nonceLost
        case .foreignAcknowledged: .foreignAcknowledged
        case .foreignReplaceable: .foreignReplaceable
        case .refused: .refused
        case .replacementWanted: .replacementWanted
        case .feeRaised: .feeRaised
        case .requested: .requested
        }
    }
}

/// The names of durable steps; a test ends the process at each of them.
package enum JournalStep: String, CaseIterable, Sendable {
    case intentRecorded, signed, broadcast, mined, unmined, final, reverted, cancelled
    case nonceLost, foreignAcknowledged, foreignReplaceable, refused, replacementWanted, feeRaised
    case requested
}

extension JournalEntry: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(slot.intent.hash)
        writer.write(UInt8(slot.step))
        switch event {
        case .intentRecorded(let intent):
            // Form 0 is the older one, without limits of the fees.
            writer.write(intent.feesMax.isEmpty ? 0 : 32 as UInt8)
            writer.write(intent)
            guard !intent.feesMax.isEmpty else { break }
            writer.write(UInt64(intent.feesMax.count))
            for feeMax in intent.feesMax { writer.write(feeMax) }
        case .signed(let attempt):
            writer.write(1 as UInt8)
            writer.write(attempt)
        case .broadcast(let hash): write(2, hash, to: &writer)
        case .mined(let receipt):
            writer.write(3 as UInt8)
            writer.write(receipt)
        case .unmined(let hash): write(4, hash, to: &writer)
        case .final(let hash): write(5, hash, to: &writer)
        case .reverted(let hash): write(6, hash, to: &writer)
        case .cancelled(let hash): write(7, hash, to: &writer)
        case .nonceLost(let nonce):
            writer.write(8 as UInt8)
            writer.write(nonce)
        case .foreignAcknowledged: writer.write(9 as UInt8)
        case .foreignReplaceable(let nonce):
            writer.write(34 as UInt8)
            writer.write(nonce)
        case .refused(let reason):
            writer.write(10 as UInt8)
            writer.write(reason)
        case .replacementWanted(let kind):
            writer.write(11 as UInt8)
            writer.write(optional: kind) { $0.write($1.rawValue) }
        case .feeRaised(let feeMax):
            writer.write(33 as UInt8)
            writer.write(feeMax)
        case .requested(let request):
            writer.write(48 as UInt8)
            writer.write(request)
        }
    }

    private func write(_ tag: UInt8, _ hash: Bytes32, to writer: inout StoredWriter) {
        writer.write(tag)
        writer.write(hash)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let intent = IntentID(try reader.hash())
        slot = SendSlot(intent: intent, step: Int(try reader.byte()))
        switch try reader.byte() {
        case 0: event = .intentRecorded(try Intent(from: &reader))
        case 1: event = .signed(try SignedAttempt(from: &reader))
        case 2: event = .broadcast(try reader.hash())
        case 3: event = .mined(try Receipt(from: &reader))
        case 4: event = .unmined(try reader.hash())
        case 5: event = .final(try reader.hash())
        case 6: event = .reverted(try reader.hash())
        case 7: event = .cancelled(try reader.hash())
        case 8: event = .nonceLost(try reader.number())
        case 9: event = .foreignAcknowledged
        case 10: event = .refused(try reader.text())
        case 11:
            event = .replacementWanted(
                try reader.optional { reader throws(StoredValueError) in
                    let number = try reader.byte()
                    guard let kind = SignedAttempt.Kind(rawValue: number) else {
                        throw .unknownForm(number)
                    }
                    return kind
                }
            )
        case 32:
            let bare = try Intent(from: &reader)
            guard try reader.number() == UInt64(bare.steps.count) else { throw .truncated }
            var feesMax: [Amount] = []
            for _ in bare.steps { feesMax.append(try reader.amount()) }
            event = .intentRecorded(bare.bounded(by: feesMax))
        case 33: event = .feeRaised(try reader.amount())
        case 34: event = .foreignReplaceable(try reader.number())
        case 48: event = .requested(try RequestedTransaction(from: &reader))
        case let other: throw .unknownForm(other)
        }
    }
}

extension Intent {
    fileprivate func bounded(by feesMax: [Amount]) -> Intent {
        Intent(id: id, purpose: purpose, steps: steps, speed: speed, feesMax: feesMax)
    }
}

extension Intent: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(id.hash)
        writer.write(purpose)
        writer.write(speed.rawValue)
        writer.write(steps)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let id = IntentID(try reader.hash())
        let purpose = try reader.text()
        let number = try reader.byte()
        guard let speed = FeeSpeed(rawValue: number) else { throw .unknownForm(number) }
        self.init(id: id, purpose: purpose, steps: try reader.values(of: Step.self), speed: speed)
    }
}

extension Intent.Step: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(optional: to) { $0.write($1) }
        writer.write(value)
        writer.write(data)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        to = try reader.optional { reader throws(StoredValueError) in try reader.address() }
        value = try reader.amount()
        data = try reader.content()
    }
}

extension SignedAttempt: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(kind.rawValue)
        writer.write(nonce)
        writer.write(pricing)
        writer.write(hash)
        writer.write(raw)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let number = try reader.byte()
        guard let kind = Kind(rawValue: number) else { throw .unknownForm(number) }
        self.kind = kind
        nonce = try reader.number()
        pricing = try TransactionPricing(from: &reader)
        hash = try reader.hash()
        raw = try reader.content()
    }
}

extension RequestedTransaction: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(kind.rawValue)
        writer.write(nonce)
        writer.write(gasLimit)
        writer.write(pricing)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let number = try reader.byte()
        guard let kind = SignedAttempt.Kind(rawValue: number) else { throw .unknownForm(number) }
        self.init(
            kind: kind,
            nonce: try reader.number(),
            gasLimit: try reader.number(),
            pricing: try TransactionPricing(from: &reader)
        )
    }
}

/// The stored form of the fees, without an access list.
extension TransactionPricing: StoredValue {
    package func write(to writer: inout StoredWriter) {
        switch self {
        case .dynamic(let priorityFee, let feeCap, _):
            writer.write(2 as UInt8)
            writer.write(priorityFee)
            writer.write(feeCap)
        case .legacy(let gasPrice), .accessList(let gasPrice, _):
            writer.write(0 as UInt8)
            writer.write(gasPrice)
        }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        switch try reader.byte() {
        case 0: self = .legacy(gasPrice: try reader.amount())
        case 2: self = .dynamic(priorityFee: try reader.amount(), feeCap: try reader.amount())
        case let other: throw .unknownForm(other)
        }
    }
}

/// The stored form of a receipt, without its events, which the follower stores.
extension Receipt: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(transaction)
        writer.write(block)
        writer.write(isSuccess)
        writer.write(gasUsed)
        writer.write(gasPrice)
        writer.write(optional: contract) { $0.write($1) }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        self.init(
            transaction: try reader.hash(),
            block: try BlockID(from: &reader),
            isSuccess: try reader.flag(),
            gasUsed: try reader.number(),
            gasPrice: try reader.amount(),
            contract: try reader.optional { reader throws(StoredValueError) in
                try reader.address()
            }
        )
    }
}
