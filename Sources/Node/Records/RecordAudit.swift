import Market
package import Storage
import Synchronization

/// Takes out of the store what an earlier version of this program stored and today's rules refuse.
///
/// Whoever reads the store passes such records over, see ``UnreadableRecords``. But peers would
/// charge this node with offering and sending them, so all records are looked at once after each
/// start, some at a time; until then what is shown to peers is looked at first.
package final class RecordAudit: Sendable {
    /// How far it is; `behind` becomes `over`.
    private enum Progress {
        case behind(RecordID?)
        case over
    }

    private static let recordsPerStep = 1_024

    private let store: Store
    private let progress = Mutex(Progress.behind(nil))

    package init(store: Store) { self.store = store }

    /// Whether every record in the store keeps today's rules.
    package var isOver: Bool {
        progress.withLock { if case .over = $0 { true } else { false } }
    }

    /// Looks at some records, and removes those that today's rules refuse.
    ///
    /// - Returns: Whether there are more.
    package func step() async throws -> Bool {
        guard case .behind(let place) = progress.withLock({ $0 }) else { return false }
        let records = try store.read { try $0.records(after: place, limit: Self.recordsPerStep) }
        let refused = records.filter { $0.readable() == nil }.map(\.version.id)
        if !refused.isEmpty {
            try await store.write { [limits = store.limits] transaction in
                for id in refused { _ = try transaction.refuse(id, limits: limits) }
            }
        }
        let next = records.last?.version.id
        progress.withLock { $0 = next.map { .behind($0) } ?? .over }
        return next != nil
    }
}
