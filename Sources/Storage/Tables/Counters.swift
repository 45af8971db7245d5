import Keys

/// Sums that would take a walk over a table to find.
enum Counters: Table {
    typealias Key = String
    typealias Value = UInt64
    static let name = "counters"

    /// Bytes of all records in the open lane.
    static let openLaneBytes = "open-lane-bytes"
    /// The weight of all records in the anchored lane.
    static let anchoredLaneBytes = "anchored-lane-bytes"
    /// How often the least weight in the order of weight of the anchored lane was halved.
    static let anchoredWeightHalvings = "anchored-weight-halvings"
    /// Devices remembered as revoked.
    static func revokedDevices(in queue: RecordQueue) -> String {
        "revoked-devices-\(queue.rawValue)"
    }
    /// Places that held records take.
    static let heldPlaces = "held-places"
    /// Bytes of all guests' vaults.
    static let guestVaultBytes = "guest-vault-bytes"
    /// The number the last envelope got.
    static let envelopeNumber = "envelope-number"
    /// Conversations of an account, its request box included.
    static func conversations(of account: Address) -> String { "conversations \(account)" }
    /// The bytes of an account's conversations and outbox, and of those of all.
    static func conversationBytes(of account: Address) -> String {
        "conversation-bytes \(account)"
    }
    static let allConversationBytes = "all-conversation-bytes"
}

extension ReadableTransaction where Self: ~Copyable {
    func counter(_ name: String) throws(StorageError) -> UInt64 {
        try get(Counters.self, name) ?? 0
    }
}

extension WriteTransaction {
    /// Adds to a counter; one that would go below zero stays there.
    mutating func add(_ difference: Int, to counter: String) throws(StorageError) {
        if difference == 0 { return }
        let sum = Int(clamping: try self.counter(counter)) + difference
        try put(Counters.self, counter, UInt64(clamping: sum))
    }
}

/// The bytes that the lanes gain or lose in one write, added to the counters together.
struct LaneBytes {
    var open = 0
    var anchored = 0
}

extension WriteTransaction {
    mutating func add(_ lanes: LaneBytes) throws(StorageError) {
        try add(lanes.open, to: Counters.openLaneBytes)
        try add(lanes.anchored, to: Counters.anchoredLaneBytes)
    }
}
