import Market

/// Anchored records of a least weight, which falls as the lane needs it, by weight; the last is the
/// first to go.
///
/// Most records are short and never have to go, so they cost no entry here.
enum AnchoredByWeight: Table {
    typealias Key = CompositeKey<UInt32, RecordID>
    typealias Value = EmptyValue
    static let name = "anchored-by-weight"
}

extension ReadableTransaction where Self: ~Copyable {
    /// The weight of all records in the anchored lane.
    package func anchoredLaneBytes() throws(StorageError) -> UInt64 {
        try counter(Counters.anchoredLaneBytes)
    }

    /// The minimum weight of the records that are in order of weight.
    fileprivate func orderedWeightMin() throws(StorageError) -> UInt32 {
        4_096 >> UInt32(clamping: try counter(Counters.anchoredWeightHalvings))
    }

    /// The record with the greatest weight, on a tie with the greater id.
    func heaviestAnchored() throws -> CompositeKey<UInt32, RecordID>? {
        try first(AnchoredByWeight.self, .all(.descending))?.key
    }
}

extension WriteTransaction {
    mutating func orderAnchored(_ id: RecordID, weight: UInt32) throws {
        if try weight >= orderedWeightMin() {
            try put(AnchoredByWeight.self, CompositeKey(weight, id), EmptyValue())
        }
    }

    /// The record that the lane removes next; `nil` if it is empty.
    private mutating func nextToGiveUp() throws -> CompositeKey<UInt32, RecordID>? {
        while true {
            if let heaviest = try heaviestAnchored() { return heaviest }
            guard try orderShorter() else { return nil }
        }
    }

    /// Adds shorter records to the order of weight, down to half of the least; `false` if all are
    /// in it.
    ///
    /// Walks over the lane, which happens at most 13 times in the life of a store.
    private mutating func orderShorter() throws -> Bool {
        let old = try orderedWeightMin()
        guard old > 0 else { return false }
        try add(1, to: Counters.anchoredWeightHalvings)
        let new = try orderedWeightMin()
        var last: SlotKey?
        while true {
            var found: [CompositeKey<UInt32, RecordID>] = []
            var count = 0
            try scan(RecordSlots.self, last.map { .all().beyond($0) } ?? .all()) { key, slot in
                (last, count) = (key, count + 1)
                if slot.lane == .anchored, new <= slot.weight, slot.weight < old {
                    found.append(CompositeKey(slot.weight, slot.id))
                }
                return count < 10_000
            }
            // A removed record still has its slot.
            for key in found where try contains(AnchoredRecords.self, key.second) {
                try put(AnchoredByWeight.self, key, EmptyValue())
            }
            if count < 10_000 { return true }
        }
    }

    mutating func unorderAnchored(_ id: RecordID, weight: UInt32) throws {
        if try weight >= orderedWeightMin() {
            try remove(AnchoredByWeight.self, CompositeKey(weight, id))
        }
    }

    /// Removes records of the anchored lane, the heaviest first, until it keeps to its budget.
    ///
    /// The order depends on the records alone, so that nodes with the same budget converge,
    /// whatever the order of arrival and the state of their chains.
    ///
    /// Source: Docs/protocol.md, section 4.8.
    ///
    /// - Returns: The dropped records.
    mutating func evictAnchoredLane() throws -> Set<RecordID> {
        var evicted: Set<RecordID> = []
        var lanes = LaneBytes()
        var rest = try anchoredLaneBytes()
        while rest > UInt64(limits.anchoredLaneBytesMax), let next = try nextToGiveUp() {
            try giveUp(next.second, &lanes)
            rest -= min(rest, UInt64(next.first))
            evicted.insert(next.second)
        }
        try add(lanes)
        try boundGivenUp()
        return evicted
    }
}
