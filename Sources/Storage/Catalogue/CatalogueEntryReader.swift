import Concurrency
import Dispatch
import Market
import Synchronization

/// Reads the listings of a store as entries of the index, the oldest first.
///
/// While a batch is inserted, the next one is prepared on other threads.
final class CatalogueEntryReader: Sendable {
    /// Consecutive listings, as far as they have entries.
    struct Batch: Sendable {
        let entries: [CatalogueEntry]
        /// The number of records that were read for it.
        let records: Int
        /// Where the next batch begins; `nil` at the end.
        let last: RecordOrderKey?
    }

    /// The maximum number of threads that prepare a batch, while one processor inserts.
    private static let threadsMax = 4

    private let store: Store
    private let values: CatalogueValues
    private let limit: Int
    private let queue = DispatchQueue(label: "catalogue-entries")
    private let prepared = Mutex<Result<Batch, any Error>?>(nil)

    /// Begins to read beyond a position, `limit` records at a time.
    init(_ store: Store, _ values: CatalogueValues, _ place: RecordOrderKey?, limit: Int) {
        (self.store, self.values, self.limit) = (store, values, limit)
        prepare(beyond: place)
    }

    /// Returns the next batch, and starts to prepare the following one; must not be called after
    /// the last one, or after an error.
    func next() throws -> Batch {
        let result = queue.sync { prepared.withLock { $0.take() } }
        guard let batch = try result?.get() else { preconditionFailure("read beyond the end") }
        if let last = batch.last { prepare(beyond: last) }
        return batch
    }

    private func prepare(beyond place: RecordOrderKey?) {
        queue.async { [self] in
            let result = Result { try read(beyond: place) }
            prepared.withLock { $0 = result }
        }
    }

    private func read(beyond place: RecordOrderKey?) throws -> Batch {
        let records = try store.read {
            try $0.records(of: .listing, beyond: place, .ascending, limit: limit)
        }
        let last = records.count == limit ? records.last : nil
        return Batch(
            entries: entries(of: records),
            records: records.count,
            last: last.map {
                RecordOrderKey(kind: .listing, time: $0.orderTime, id: $0.version.id)
            }
        )
    }

    private func entries(of records: [StoredRecord]) -> [CatalogueEntry] {
        let parts = min(Self.threadsMax, Processors.count - 1)
        return Processors.map(records, partsMax: parts) { [values] records in
            records.compactMap { CatalogueEntry($0, values) }
        }.flatMap(\.self)
    }
}
