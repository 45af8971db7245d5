import Answers
import Foundation
import Market
import Metrics
import Synchronization

/// The pace of all authors, shared by all concurrent validations.
final class RecordPace: Sendable {
    private static let early = Counter(label: "stoa_records_too_early")

    private let pace = Mutex(AnchoredPace())
    /// Slots with a version that is being stored.
    private let slots = Mutex<Set<RecordKey>>([])

    /// Returns whether no other version of the slot is being stored.
    ///
    /// If so, call ``end(_:)`` when this version is stored.
    func begin(_ slot: RecordKey) -> Bool { slots.withLock { $0.insert(slot).inserted } }

    func end(_ slot: RecordKey) { slots.withLock { _ = $0.remove(slot) } }

    /// Counts an anchored record; returns `false` if its author replaces too much for now.
    func admits(_ record: SignedRecord, sales: Int, at now: Date) -> Bool {
        let isAdmitted = pace.withLock {
            $0.admits(
                record.bytes.count,
                by: record.author,
                sales: max(sales, 1),
                at: Timestamp(now)
            )
        }
        if !isAdmitted { Self.early.increment() }
        return isAdmitted
    }
}
