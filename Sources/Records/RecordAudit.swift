import Market
package import Storage
import Synchronization

/// Removes stored records that an earlier version of this program took and today's rules refuse.
///
/// Readers of the store skip such records, see ``UnreadableRecords``. But peers would penalise this
/// node for offering and sending them. So all records are checked once for each
/// ``RecordRules/version``, some at a time; until then, a record is checked before it is shown to
/// peers.
package final class RecordAudit: Sendable {
    /// How far the audit is; `behind` becomes `over`.
    private enum Progress {
        case behind(RecordID?)
        case over
    }

    private static let recordsPerStep = 1_024
    private static let setting = "audited-rules"

    private let store: Store
    private let version: UInt64
    private let progress: Mutex<Progress>

    /// - Parameters:
    ///   - store: The store of the records.
    ///   - version: The version of today's rules; the store remembers the version of its last
    ///     audit.
    /// - Throws: ``StorageError``
    package init(store: Store, version: UInt64 = RecordRules.version) throws {
        (self.store, self.version) = (store, version)
        let audited = try store.read { try $0.get(Settings.self, Self.setting) }
        progress = Mutex(audited == Self.bytes(of: version) ? .over : .behind(nil))
    }

    /// Whether every record in the store complies with today's rules.
    package var isOver: Bool {
        progress.withLock { if case .over = $0 { true } else { false } }
    }

    /// Checks some records, and removes those that today's rules refuse.
    ///
    /// - Returns: Whether there are more.
    package func step() async throws -> Bool {
        guard case .behind(let place) = progress.withLock({ $0 }) else { return false }
        let records = try store.read { try $0.records(after: place, limit: Self.recordsPerStep) }
        let refused = records.filter { $0.readable() == nil }.map(\.version.id)
        let next = records.last?.version.id
        if !refused.isEmpty || next == nil {
            try await store.write { [version] transaction in
                for id in refused { _ = try transaction.refuse(id) }
                if next == nil {
                    try transaction.put(Settings.self, Self.setting, Self.bytes(of: version))
                }
            }
        }
        progress.withLock { $0 = next.map { .behind($0) } ?? .over }
        return next != nil
    }

    private static func bytes(of version: UInt64) -> [UInt8] {
        unsafe withUnsafeBytes(of: version.bigEndian) { unsafe [UInt8]($0) }
    }
}
