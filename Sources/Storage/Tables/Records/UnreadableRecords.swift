import Logging
package import Market
import Metrics
import Synchronization

/// Stored records that today's rules refuse.
///
/// A later version of this program may be stricter than the one that stored a record. Such a record
/// is skipped everywhere, so that no loop, call or node fails because of it; a node removes it from
/// its store when it next reads it.
package enum UnreadableRecords {
    /// Ids remembered, so that each is counted once; further ones are skipped too.
    private static let idsMax = 10_000
    private static let gauge = Gauge(label: "stoa_records_unreadable")
    private static let ids = Mutex<Set<RecordID>>([])

    /// Counts a record, and logs the first of the process.
    package static func note(_ id: RecordID, _ fault: RecordFault) {
        let count: Int? = ids.withLock { ids in
            guard ids.count < idsMax, ids.insert(id).inserted else { return nil }
            return ids.count
        }
        guard let count else { return }
        gauge.record(count)
        guard count == 1 else { return }
        Logger(label: "stoa.records").warning(
            "a stored record breaks a rule of this version and is passed over, as others may be",
            metadata: ["record": "\(id)", "fault": "\(fault)"]
        )
    }
}

extension StoredRecord {
    /// The record; `nil`, and counted, if today's rules refuse a record that an earlier version
    /// stored.
    package func readable() -> SignedRecord? { SignedRecord(readable: bytes, id: version.id) }
}

extension SignedRecord {
    /// Reads a record that this node stored; `nil`, and counted, if today's rules refuse it.
    package init?(readable bytes: [UInt8], id: RecordID) {
        do {
            try self.init(stored: bytes, id: id)
        } catch {
            UnreadableRecords.note(id, error)
            return nil
        }
    }
}
