import Foundation
import Market
import Metrics
import Synchronization

/// The pace of all authors, for whoever judges records at the same time.
final class RecordPace: Sendable {
    private static let early = Counter(label: "stoa_records_too_early")

    private let pace = Mutex(AnchoredPace())
    /// Slots of which a version is on its way into the store.
    private let slots = Mutex<Set<RecordKey>>([])

    /// Answers whether no other version of the slot is on its way into the store; if so, call
    /// ``end(_:)`` when this one is there.
    func begin(_ slot: RecordKey) -> Bool { slots.withLock { $0.insert(slot).inserted } }

    func end(_ slot: RecordKey) { slots.withLock { _ = $0.remove(slot) } }

    /// Counts an anchored record; `false` if its author brings more than he may by now.
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
