import Keys
import Market

/// Decides which blobs must go so that another fits.
///
/// Pure: it knows names and sizes, and the order in which blobs were used. A complete blob counts
/// with its bytes on the disk, in blocks of 4 KiB, while it is fetched with its whole length: a
/// peer that states lengths and sends nothing evicts nothing. Partial fetches are evicted before
/// whole blobs.
struct BlobRoom: Sendable {
    private struct Entry {
        var name: BlobName
        var use: UInt64
        /// The bytes that it uses on the disk.
        var storedBytes: Int
        /// Whether it is being fetched; until then it is not evicted.
        var isFetched = false

        /// The bytes that it uses, or will use.
        var claimedBytes: Int { isFetched ? BlobLimits.room(for: name.fileBytes) : storedBytes }
    }

    private let quotaBytes: Int
    private var entries: [Bytes32: Entry] = [:]
    private var uses: UInt64 = 0
    /// On the disk.
    private(set) var usedBytes = 0
    private var claimedBytes = 0

    init(quotaBytes: Int) { self.quotaBytes = quotaBytes }

    var count: Int { entries.count }

    /// Returns the stored part of a blob.
    func name(of id: Bytes32) -> BlobName? { entries[id]?.name }

    /// Records a blob of which `storedBytes` are on the disk, by default all, as the most recently
    /// used one.
    mutating func keep(_ name: BlobName, storedBytes: Int? = nil, isFetched: Bool = false) {
        forget(name.media.id)
        uses += 1
        let stored = BlobLimits.room(for: storedBytes ?? name.fileBytes)
        put(Entry(name: name, use: uses, storedBytes: stored, isFetched: isFetched))
    }

    /// Records how much of a blob is on the disk.
    mutating func note(storedBytes: Int, of id: Bytes32) {
        change(id) { $0.storedBytes = BlobLimits.room(for: storedBytes) }
    }

    /// Records a use of a blob.
    mutating func noteUse(of id: Bytes32) {
        uses += 1
        entries[id]?.use = uses
    }

    /// Records that the fetch of a blob has ended.
    mutating func endFetch(of id: Bytes32) { change(id) { $0.isFetched = false } }

    mutating func forget(_ id: Bytes32) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        usedBytes -= entry.storedBytes
        claimedBytes -= entry.claimedBytes
    }

    private mutating func put(_ entry: Entry) {
        entries[entry.name.media.id] = entry
        usedBytes += entry.storedBytes
        claimedBytes += entry.claimedBytes
    }

    private mutating func change(_ id: Bytes32, _ body: (inout Entry) -> Void) {
        guard var entry = entries[id] else { return }
        forget(id)
        body(&entry)
        put(entry)
    }

    /// Returns the blobs to remove so that `byteCount` bytes fit beside the blobs that stay or are
    /// being fetched: incomplete ones first, then the longest unused.
    ///
    /// The stored copy of `id` is replaced by the new bytes and does not count.
    ///
    /// - Returns: `nil` if pinned blobs and fetches leave no room; then nothing need be removed.
    func evictions(
        for byteCount: Int,
        of id: Bytes32,
        isPinned: (Bytes32) throws -> Bool
    ) rethrows -> [BlobName]? {
        let needed = claimedBytes + BlobLimits.room(for: byteCount)
        let missing = needed - quotaBytes - (entries[id]?.claimedBytes ?? 0)
        return try evictions(of: missing, sparing: id, isPinned: isPinned)
    }

    /// Returns the blobs to remove to bring the disk use within the quota, in the same order.
    ///
    /// - Returns: `nil` if pinned blobs and fetches leave no room.
    func surplus(isPinned: (Bytes32) throws -> Bool) rethrows -> [BlobName]? {
        try evictions(of: usedBytes - quotaBytes, sparing: nil, isPinned: isPinned)
    }

    private func evictions(
        of byteCount: Int,
        sparing id: Bytes32?,
        isPinned: (Bytes32) throws -> Bool
    ) rethrows -> [BlobName]? {
        var missing = byteCount
        guard missing > 0 else { return [] }
        var evicted: [BlobName] = []
        let order = entries.sorted { one, other in
            (one.value.name.isWhole ? 1 : 0, one.value.use)
                < (other.value.name.isWhole ? 1 : 0, other.value.use)
        }
        for (other, entry) in order where missing > 0 && other != id {
            guard !entry.isFetched, try !isPinned(other) else { continue }
            evicted.append(entry.name)
            missing -= entry.storedBytes
        }
        return missing <= 0 ? evicted : nil
    }
}
