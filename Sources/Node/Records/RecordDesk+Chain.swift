package import Market
import Storage

extension RecordDesk {
    private static let heldPerRoundMax = 256
    private static let openPerRoundMax = 512

    /// Judges again what waited for the chain, after a new head.
    package func judgeHeld() async throws {
        let held = try store.read { try $0.heldRecords(limit: Self.heldPerRoundMax) }
        for (id, waiting) in held {
            let record = try SignedRecord(stored: waiting.bytes)
            switch RecordStanding.of(record, on: view) {
            case .held: continue
            case .refused: break
            case .anchored:
                try await keep(record, .anchored)
                await announce(record.bytes)
            case .open:
                try await keep(record, .open)
                await announce(record.bytes)
            }
            try await store.write { try $0.release(id) }
        }
    }

    /// Moves records that the chain bears out by now to the lane that lasts, some at a time.
    ///
    /// Call it with what it returned the time before, so that all get their turn.
    ///
    /// - Returns: Where to go on; `nil` begins anew.
    package func judgeOpen(after place: RecordID?) async throws -> RecordID? {
        let ids = try store.read {
            try $0.recordIDs(in: .open, after: place, limit: Self.openPerRoundMax)
        }
        let now = Timestamp(clock.now)
        for id in ids {
            guard let stored = try store.read({ try $0.record(id) }) else { continue }
            switch RecordStanding.of(try SignedRecord(stored: stored.bytes), on: view) {
            case .anchored: _ = try await store.write { try $0.anchor(id, at: now) }
            case .refused: _ = try await store.write { try $0.refuse(id) }
            case .open, .held: continue
            }
        }
        return ids.count < Self.openPerRoundMax ? nil : ids.last
    }
}
