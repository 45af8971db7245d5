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

/// Those of a least weight, which falls as the lane needs it, by weight; the last is the first to
/// go.
///
/// Most records are short and never have to go, so they cost no entry here.
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

    /// The least weight of the records that are in order of weight.
    fileprivate func orderedWeightMin() throws(StorageError) -> UInt32 {
        4_096 >> UInt32(clamping: try counter(Counters.anchoredWeightHalvings))
    }

    /// Of the records in order of weight the one of the greatest, on a tie of the greater id.
    func heaviestAnchored() throws -> Pair<UInt32, RecordID>? {
        try first(AnchoredByWeight.self, .all(.descending))?.key
    }
}

extension WriteTransaction {
    mutating func addAnchored(_ id: RecordID, weight: Int) throws {
        let weight = UInt32(clamping: weight)
        try put(AnchoredIDs.self, id, weight)
        if try weight >= orderedWeightMin() {
            try put(AnchoredByWeight.self, Pair(weight, id), Nothing())
        }
    }

    /// What the lane gives up next; `nil` if it is empty.
    private mutating func nextToGiveUp() throws -> Pair<UInt32, RecordID>? {
        while true {
            if let heaviest = try heaviestAnchored() { return heaviest }
            guard try orderShorter() else { return nil }
        }
    }

    /// Takes shorter records into the order of weight, down to half of the least; `false` if all
    /// are in it.
    ///
    /// Walks over the lane, which happens at most 13 times in the life of a store.
    private mutating func orderShorter() throws -> Bool {
        let old = try orderedWeightMin()
        guard old > 0 else { return false }
        try add(1, to: Counters.anchoredWeightHalvings)
        let new = try orderedWeightMin()
        var last: RecordID?
        repeat {
            let start = last
            var found: [Pair<UInt32, RecordID>] = []
            try scan(AnchoredIDs.self, start.map { .all().beyond($0) } ?? .all()) { id, weight in
                if new <= weight, weight < old { found.append(Pair(weight, id)) }
                last = id
                return found.count < 10_000
            }
            for key in found { try put(AnchoredByWeight.self, key, Nothing()) }
            if last == start { return true }
        } while true
    }

    /// - Returns: The record's weight.
    mutating func removeAnchored(_ id: RecordID) throws -> Int {
        guard let weight = try get(AnchoredIDs.self, id) else {
            throw StorageError.corrupt(.value(table: AnchoredIDs.name))
        }
        try remove(AnchoredIDs.self, id)
        if try weight >= orderedWeightMin() {
            try remove(AnchoredByWeight.self, Pair(weight, id))
        }
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
        while rest > UInt64(limits.anchoredLaneBytesMax), let next = try nextToGiveUp() {
            try giveUp(next.second, limits, &lanes)
            rest -= min(rest, UInt64(next.first))
            evicted.insert(next.second)
        }
        try add(lanes)
        try boundGivenUp(limits)
        return evicted
    }
}
