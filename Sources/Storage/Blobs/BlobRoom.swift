import Keys
import Market

/// Decides which blobs must go so that another fits.
///
/// Pure: it knows names and sizes, and the order in which blobs were used.
struct BlobRoom: Sendable {
    private struct Entry {
        var name: BlobName
        var use: UInt64
        /// How many tasks are fetching it; it is not evicted meanwhile.
        var isFetched = false
    }

    private let quotaBytes: Int
    private var entries: [Bytes32: Entry] = [:]
    private var uses: UInt64 = 0
    private(set) var usedBytes = 0

    init(quotaBytes: Int) { self.quotaBytes = quotaBytes }

    var count: Int { entries.count }

    /// Returns what is kept of a blob.
    func name(of id: Bytes32) -> BlobName? { entries[id]?.name }

    /// Notes a blob that is on the disk, as the one used last.
    mutating func keep(_ name: BlobName, isFetched: Bool = false) {
        forget(name.media.id)
        uses += 1
        entries[name.media.id] = Entry(name: name, use: uses, isFetched: isFetched)
        usedBytes += name.fileBytes
    }

    /// Notes a use of a blob.
    mutating func noteUse(of id: Bytes32) {
        uses += 1
        entries[id]?.use = uses
    }

    /// Notes that a blob is not fetched any more.
    mutating func endFetch(of id: Bytes32) { entries[id]?.isFetched = false }

    mutating func forget(_ id: Bytes32) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        usedBytes -= entry.name.fileBytes
    }

    /// Returns the blobs to remove so that `byteCount` bytes fit beside what stays, the longest
    /// unused first.
    ///
    /// What is kept of `id` gives way to the new bytes and does not count.
    ///
    /// - Returns: `nil` if what is pinned or being fetched leaves no room; then nothing need go.
    func evictions(
        for byteCount: Int,
        of id: Bytes32,
        isPinned: (Bytes32) throws -> Bool
    ) rethrows -> [BlobName]? {
        var missing = usedBytes + byteCount - quotaBytes - (entries[id]?.name.fileBytes ?? 0)
        guard missing > 0 else { return [] }
        var evicted: [BlobName] = []
        for (other, entry) in entries.sorted(by: { $0.value.use < $1.value.use })
        where missing > 0 && other != id {
            guard !entry.isFetched, try !isPinned(other) else { continue }
            evicted.append(entry.name)
            missing -= entry.name.fileBytes
        }
        return missing <= 0 ? evicted : nil
    }
}
