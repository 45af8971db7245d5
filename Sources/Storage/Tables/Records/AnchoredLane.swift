package import Keys
package import Market

/// Ids of the anchored lane in their own order, with the bytes of their records: what nodes
/// compare.
///
/// The order of the main table would do, but there a page walks past every open record.
enum AnchoredIDs: Table {
    typealias Key = RecordID
    typealias Value = UInt32
    static let name = "anchored-ids"
}

/// What each author has in the anchored lane.
enum AnchoredAuthors: Table {
    typealias Key = Address
    typealias Value = AnchoredUsage
    static let name = "anchored-authors"
}

/// Authors with anchored records by their bytes per sale; the last one is the first to lose some.
enum AnchoredByCost: Table {
    typealias Key = Pair<UInt64, Address>
    typealias Value = Nothing
    static let name = "anchored-by-cost"
}

/// What an author has in the anchored lane, and what it is backed by.
package struct AnchoredUsage: TableValue, Equatable {
    package fileprivate(set) var records: UInt32 = 0
    /// The records' own bytes.
    package fileprivate(set) var bytes: UInt64 = 0
    /// Final sales in which the author acted, as far as this store was told; at least 1.
    package fileprivate(set) var sales: UInt32 = 1

    package var storedByteCount: Int { 16 }

    init() {}

    package func write(to writer: inout ByteWriter) {
        writer.append(records)
        writer.append(bytes)
        writer.append(sales)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        records = try reader.read()
        bytes = try reader.read()
        sales = try reader.read()
    }

    /// Decides whose records go first: each sale cost a transaction, so many bytes per sale are
    /// those for which the least was paid.
    var bytesPerSale: UInt64 { bytes / UInt64(max(sales, 1)) }
}

extension Reading where Self: ~Copyable {
    /// Ids of the anchored lane in their own order, behind `id`: what nodes compare.
    package func anchoredIDs(after id: RecordID?, limit: Int) throws -> [RecordID] {
        var ids: [RecordID] = []
        guard limit > 0 else { return [] }
        var scan = Scan<RecordID>.all()
        if let id { scan = scan.beyond(id) }
        try scanKeys(AnchoredIDs.self, scan) { id in
            ids.append(id)
            return ids.count < limit
        }
        return ids
    }

    /// How many records are kept in a lane; costs nothing.
    package func recordCount(in lane: RecordLane) throws(StorageError) -> Int {
        let anchored = try count(AnchoredIDs.self)
        return lane == .anchored ? anchored : try recordCount() - anchored
    }

    /// Bytes of the anchored lane, the records' own alone.
    package func anchoredLaneBytes() throws(StorageError) -> UInt64 {
        try counter(Counters.anchoredLaneBytes)
    }

    /// What an author has in the anchored lane; `nil` if nothing.
    package func anchoredUsage(of author: Address) throws(StorageError) -> AnchoredUsage? {
        try get(AnchoredAuthors.self, author)
    }

    /// An author's anchored records, the largest first, on a tie the greater id.
    private func largestAnchored(
        of author: Address
    ) throws -> [(id: RecordID, byteCount: UInt32)] {
        var found: [(id: RecordID, byteCount: UInt32)] = []
        for kind in RecordKind.allCases {
            let rank = RecordRankKey.prefix(author, kind, .anchored)
            try scanKeys(RecordsByAuthor.self, .prefix(rank)) { key in
                let id = key.version.id
                found.append((id, try get(AnchoredIDs.self, id) ?? 0))
                return true
            }
        }
        return found.sorted { ($0.byteCount, $0.id.digest) > ($1.byteCount, $1.id.digest) }
    }

    /// The author of most bytes per sale.
    private func leastBacked() throws -> Address? {
        var author: Address?
        try scanKeys(AnchoredByCost.self, .all(.descending)) { key in
            author = key.second
            return false
        }
        return author
    }

    /// What eviction would take next: the largest record of the author of most bytes per sale.
    fileprivate func nextAnchored(
        _ known: inout [Address: [(id: RecordID, byteCount: UInt32)]]
    ) throws -> RecordID? {
        guard let author = try leastBacked() else { return nil }
        // Read once in a round: what is evicted is taken from its front.
        var records = try known[author] ?? largestAnchored(of: author)
        guard !records.isEmpty else { return nil }
        let next = records.removeFirst()
        known[author] = records
        return next.id
    }
}

extension WriteTransaction {
    /// Notes in how many final sales an author acted, which decides when its records go.
    package mutating func note(sales: Int, of author: Address) throws {
        guard var usage = try anchoredUsage(of: author) else { return }
        let old = usage
        usage.sales = max(old.sales, UInt32(clamping: sales))
        try replace(old, by: usage, of: author)
    }

    mutating func addAnchored(_ record: StoredRecord, sales: Int) throws {
        let byteCount = record.bytes.count
        try put(AnchoredIDs.self, record.version.id, UInt32(byteCount))
        try add(byteCount, to: Counters.anchoredLaneBytes)
        let author = record.version.key.author
        let old = try anchoredUsage(of: author)
        var usage = old ?? AnchoredUsage()
        usage.records += 1
        usage.bytes += UInt64(byteCount)
        usage.sales = max(usage.sales, UInt32(clamping: sales))
        try replace(old, by: usage, of: author)
    }

    mutating func removeAnchored(_ record: StoredRecord) throws {
        let byteCount = record.bytes.count
        try remove(AnchoredIDs.self, record.version.id)
        try add(-byteCount, to: Counters.anchoredLaneBytes)
        let author = record.version.key.author
        guard let old = try anchoredUsage(of: author) else { return }
        var usage = old
        usage.records -= min(usage.records, 1)
        usage.bytes -= min(usage.bytes, UInt64(byteCount))
        try replace(old, by: usage.records == 0 ? nil : usage, of: author)
    }

    private mutating func replace(
        _ old: AnchoredUsage?,
        by new: AnchoredUsage?,
        of author: Address
    ) throws {
        if let old { try remove(AnchoredByCost.self, Pair(old.bytesPerSale, author)) }
        guard let new else {
            try remove(AnchoredAuthors.self, author)
            return
        }
        try put(AnchoredAuthors.self, author, new)
        try put(AnchoredByCost.self, Pair(new.bytesPerSale, author), Nothing())
    }

    /// Removes records of the anchored lane until it keeps to its budget: again and again the
    /// largest one of the author of most bytes per sale.
    ///
    /// The order depends on nothing but what is stored and the sales, so that nodes with the same
    /// budget give up the same records. The ids are remembered, so that a peer with a larger
    /// budget is not asked for them again.
    ///
    /// - Returns: What was removed.
    mutating func evictAnchoredLane(_ limits: Limits) throws -> Set<RecordID> {
        var evicted: Set<RecordID> = []
        var known: [Address: [(id: RecordID, byteCount: UInt32)]] = [:]
        while try anchoredLaneBytes() > UInt64(limits.anchoredLaneBytesMax) {
            guard let id = try nextAnchored(&known), let record = try removeRecord(id) else {
                break
            }
            try forget(id, .overBudget, until: record.expiresAt, limits: limits)
            evicted.insert(id)
        }
        return evicted
    }
}
