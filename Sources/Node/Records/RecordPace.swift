import Foundation
import Market
import Metrics
import Synchronization

/// The pace of all authors, for whoever judges records at the same time.
final class RecordPace: Sendable {
    private static let early = Counter(label: "stoa_records_too_early")

    private let pace = Mutex(AnchoredPace())

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
