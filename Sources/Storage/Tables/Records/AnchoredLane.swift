package import Market

/// Ids of the anchored lane in their own order, with the weights of their records: what nodes
/// compare.
///
/// The order of the main table would do, but there a page walks past every open record.
enum AnchoredIDs: Table {
    typealias Key = RecordID
    typealias Value = UInt32
    static let name = "anchored-ids"
}

/// The same by weight; the last one is the first to go.
enum AnchoredByWeight: Table {
    typealias Key = Pair<UInt32, RecordID>
    typealias Value = Nothing
    static let name = "anchored-by-weight"
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

    /// Bytes of the anchored lane, the records' own alone and without their stamps.
    package func anchoredLaneBytes() throws(StorageError) -> UInt64 {
        try counter(Counters.anchoredLaneBytes)
    }

    /// What the lane gives up next: of the greatest weight, on a tie the greater id.
    func heaviestAnchored() throws -> Pair<UInt32, RecordID>? {
        try first(AnchoredByWeight.self, .all(.descending))?.key
    }
}

extension WriteTransaction {
    mutating func addAnchored(_ id: RecordID, weight: Int) throws {
        let weight = UInt32(clamping: weight)
        try put(AnchoredIDs.self, id, weight)
        try put(AnchoredByWeight.self, Pair(weight, id), Nothing())
    }

    /// - Returns: The record's weight.
    mutating func removeAnchored(_ id: RecordID) throws -> Int {
        guard let weight = try get(AnchoredIDs.self, id) else {
            throw StorageError.corrupt(.value(table: AnchoredIDs.name))
        }
        try remove(AnchoredIDs.self, id)
        try remove(AnchoredByWeight.self, Pair(weight, id))
        return Int(weight)
    }

    /// Gives up records of the anchored lane until it keeps to its budget, the heaviest first.
    ///
    /// The order depends on the records alone, so that nodes with the same budget come to the same,
    /// in whatever order records came and however far their chain views are.
    ///
    /// Source: Docs/protocol.md, section 4.8.
    ///
    /// - Returns: What was given up.
    mutating func evictAnchoredLane(_ limits: Limits) throws -> Set<RecordID> {
        var evicted: Set<RecordID> = []
        var lanes = LaneBytes()
        var rest = try anchoredLaneBytes()
        while rest > UInt64(limits.anchoredLaneBytesMax), let next = try heaviestAnchored() {
            try giveUp(next.second, limits, &lanes)
            rest -= min(rest, UInt64(next.first))
            evicted.insert(next.second)
        }
        try add(lanes)
        try boundGivenUp(limits)
        return evicted
    }
}
