import Concurrency
import Logging
package import Market
package import Storage

extension RecordService {
    private static let heldPerRoundMax = 256
    private static let heldPerSaleMax = 64
    private static let openPerRoundMax = 512
    private static let renewedPerRoundMax = 256

    /// Judges again what waited for the chain, some at a time.
    ///
    /// Call it with what it returned the time before, so that all get their turn: those in front
    /// may be such as the chain never bears out.
    ///
    /// - Returns: Where to go on; `nil` begins anew.
    @discardableResult
    package func judgeHeld(after place: HeldRecordKey? = nil) async throws -> HeldRecordKey? {
        let held = try store.read {
            try $0.heldRecords(after: place, limit: Self.heldPerRoundMax)
        }
        try await judge(held.map { ($0.place.second, $0.record) })
        return held.count < Self.heldPerRoundMax ? nil : held.last?.place
    }

    /// Judges at once what waited for these sales, so that it waits no longer than the chain does.
    package func judgeHeld(about sales: Set<SaleID>) async throws {
        for sale in sales.sorted() {
            let held = try store.read {
                try $0.heldRecords(about: sale.hash, limit: Self.heldPerSaleMax)
            }
            try await judge(held)
        }
    }

    /// Judges held records, the latest made first, so that none of their earlier versions uses up
    /// their author's pace.
    private func judge(_ held: [(id: RecordID, record: HeldRecord)]) async throws {
        let records = held.map { id, waiting in
            (id: id, waiting: waiting, record: SignedRecord(readable: waiting.bytes, id: id))
        }
        let latestFirst = records.sorted { left, right in
            (left.record?.createdAt.milliseconds ?? 0) > (right.record?.createdAt.milliseconds ?? 0)
        }
        for (id, waiting, record) in latestFirst {
            do {
                try await judge(id, record, from: waiting.origin)
            } catch let error as StorageError where error != .stopped {
                // Its turn comes again; the others are not to wait for it.
                logger.warning("record not judged", metadata: ["error": "\(error)"])
            }
        }
    }

    private func judge(
        _ id: RecordID,
        _ record: SignedRecord?,
        from origin: RecordOrigin
    ) async throws {
        if let record {
            switch AnchorStatus.of(record, on: view) {
            case .held: return
            // It named a sale, or it would not wait; without one it would have needed a stamp.
            case .refused, .open: break
            case .anchored:
                let news = try await keepAnchored(record, from: origin)
                // What comes too soon after others of its slot goes on waiting.
                guard let news else { return }
                if news { await announce(record.bytes) }
            }
        }
        try await store.write { try $0.release(id) }
    }

    /// Shows peers again the records by which accounts are found whose mail is kept here, before
    /// they forget them; some at a time.
    ///
    /// No key is needed for that, so it is done also while an account is locked.
    package func renewKept() async throws {
        let now = Timestamp(clock.now)
        let due = try store.read {
            try $0.recordsToRenew(at: now, limit: Self.renewedPerRoundMax)
        }
        for record in due where record.readable() != nil {
            let id = record.version.id
            let isRenewed = try await store.write {
                try $0.renew(id, at: now)
            }
            if isRenewed { await announce(record.bytes) }
        }
    }

    /// Moves records that the chain bears out by now to the lane that lasts, some at a time.
    ///
    /// Call it with what it returned the time before, so that all get their turn.
    ///
    /// - Returns: Where to go on; `nil` begins anew.
    package func judgeOpen(after place: RecordExpiryKey?) async throws -> RecordExpiryKey? {
        let places = try store.read {
            try $0.recordPlaces(in: .open, after: place, limit: Self.openPerRoundMax)
        }
        let now = Timestamp(clock.now)
        for id in places.map(\.id) {
            guard let record = try store.read({ try $0.record(id) })?.readable() else { continue }
            switch AnchorStatus.of(record, on: view) {
            case .anchored:
                _ = try await store.write {
                    try $0.anchor(id, at: now)
                }
            case .refused:
                _ = try await store.write {
                    try $0.refuse(id)
                }
            case .open, .held: continue
            }
        }
        return places.count < Self.openPerRoundMax ? nil : places.last
    }
}
