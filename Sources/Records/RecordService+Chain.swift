import Answers
import Concurrency
import Logging
package import Market
package import Storage

extension RecordService {
    private static let heldPerRoundMax = 256
    private static let heldPerSaleMax = 64
    private static let openPerRoundMax = 512
    private static let renewedPerRoundMax = 256

    /// Validates the held records again, some at a time.
    ///
    /// Pass the last call's result, so that every record gets its turn: records at the head of the
    /// queue may never be confirmed by the chain.
    ///
    /// - Returns: Where to continue; `nil` to start from the beginning.
    @discardableResult
    package func validateHeld(after place: HeldRecordKey? = nil) async throws -> HeldRecordKey? {
        let held = try store.read {
            try $0.heldRecords(after: place, limit: Self.heldPerRoundMax)
        }
        try await validate(held.map { ($0.place.second, $0.record) })
        return held.count < Self.heldPerRoundMax ? nil : held.last?.place
    }

    /// Validates the records held for these sales at once, without waiting for their turn.
    package func validateHeld(about sales: Set<SaleID>) async throws {
        for sale in sales.sorted() {
            let held = try store.read {
                try $0.heldRecords(about: sale.hash, limit: Self.heldPerSaleMax)
            }
            try await validate(held)
        }
    }

    /// Validates held records, newest first, so that no older version uses up its author's pace.
    private func validate(_ held: [(id: RecordID, record: HeldRecord)]) async throws {
        let records = held.map { id, waiting in
            (id: id, waiting: waiting, record: SignedRecord(readable: waiting.bytes, id: id))
        }
        let latestFirst = records.sorted { left, right in
            (left.record?.createdAt.milliseconds ?? 0) > (right.record?.createdAt.milliseconds ?? 0)
        }
        for (id, waiting, record) in latestFirst {
            // It is tried again in its next turn; the others must not wait for it.
            await errors.item("held record \(id)") {
                try await validate(id, record, from: waiting.origin)
            }
        }
    }

    private func validate(
        _ id: RecordID,
        _ record: SignedRecord?,
        from origin: RecordOrigin
    ) async throws {
        if let record {
            switch AnchorStatus.of(record, on: view) {
            case .held: return
            // A held record names a sale; as an open record without one it would have needed a
            // stamp.
            case .refused, .open: break
            case .anchored:
                let news = try await keepAnchored(record, from: origin)
                // A record that arrives too soon after others of its slot keeps waiting.
                guard let news else { return }
                if news { await announce(record.bytes) }
            }
        }
        try await store.write { try $0.release(id) }
    }

    /// Announces the records of accounts whose mail is kept here, before peers forget them.
    ///
    /// Announces some at a time. Other nodes find the accounts by these records. No key is needed,
    /// so it also works while an account is locked.
    package func renewKept() async throws {
        let now = clock.timestamp
        let due = try store.read {
            try $0.recordsToRenew(at: now, limit: Self.renewedPerRoundMax)
        }
        for record in due where record.readable() != nil {
            let id = record.version.id
            await errors.item("kept record \(id)") {
                let isRenewed = try await store.write { try $0.renew(id, at: now) }
                if isRenewed { await announce(record.bytes) }
            }
        }
    }

    /// Moves open records that the chain now confirms to the anchored lane, some at a time.
    ///
    /// Removes those that the chain refutes. Pass the last call's result, so that every record gets
    /// its turn.
    ///
    /// - Returns: Where to continue; `nil` to start from the beginning.
    package func validateOpen(after place: RecordExpiryKey?) async throws -> RecordExpiryKey? {
        let places = try store.read {
            try $0.recordPlaces(in: .open, after: place, limit: Self.openPerRoundMax)
        }
        let now = clock.timestamp
        for id in places.map(\.id) {
            await errors.item("open record \(id)") {
                guard let record = try store.read({ try $0.record(id) })?.readable() else { return }
                let status = AnchorStatus.of(record, on: view)
                guard status.isDecided else { return }
                try await store.write { try $0.settleOpen(record, status, at: now) }
            }
        }
        return places.count < Self.openPerRoundMax ? nil : places.last
    }
}

extension AnchorStatus {
    /// Whether the chain decides about a record of the open lane.
    package var isDecided: Bool {
        switch self {
        case .anchored, .refused: true
        case .open, .held: false
        }
    }
}

extension WriteTransaction {
    /// Moves a record of the open lane to the anchored lane, or removes it, as its status says.
    package mutating func settleOpen(
        _ record: SignedRecord,
        _ status: AnchorStatus,
        at time: Timestamp
    ) throws {
        switch status {
        case .anchored:
            _ = try anchor(record.id, at: time, about: RecordService.subject(of: record))
        case .refused: _ = try refuse(record.id)
        case .open, .held: break
        }
    }
}
