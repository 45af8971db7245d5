package import Keys
package import Market

/// The result of handing in a record.
package enum RecordOutcome: Equatable, Sendable {
    /// It is in its slot now, instead of `replaced` if there was one.
    case stored(replaced: RecordID?)
    /// It is here already.
    case duplicate
    /// It was here for some days, and is kept as long again as a new record.
    case renewed
    /// Its slot has a later one.
    case superseded
    /// Its author has more recent ones, up to the kind's limit.
    case overLimit
    /// Its id is remembered as not wanted.
    case forgotten(ForgettingReason)
    /// Its lifetime is over.
    case expired
    /// Its lane is full, and by the lane's order this is among the first to go.
    case noRoom
}

/// A verified record on its way into the store, with the node's knowledge about it.
package struct RecordEntry: Sendable {
    package let version: RecordVersion
    package let bytes: [UInt8]
    package let lane: RecordLane
    /// The index that it is filed under besides its author: a review's listing or sale.
    package let subject: Bytes32?
    /// When the block that anchors it was made, by the chain.
    package let anchoredAt: Timestamp?
    /// Its weight in the anchored lane.
    let weight: Int
    /// The origin that delivered it; its size in the open lane is charged to this origin.
    package let origin: RecordOrigin
    /// The files that it names; noted here, where the record has been read already.
    let media: [Media]

    package init(
        _ record: SignedRecord,
        lane: RecordLane,
        subject: Bytes32? = nil,
        anchoredAt: Timestamp? = nil,
        origin: RecordOrigin = .unknown
    ) {
        version = record.version
        bytes = record.bytes
        self.lane = lane
        self.subject = subject
        self.anchoredAt = anchoredAt
        weight = StoredRecord.weight(unstampedByteCount: record.unstampedByteCount)
        self.origin = origin
        media = record.content.media
    }

    var key: RecordKey { version.key }
    var id: RecordID { version.id }

    /// The stored form of a record that this node first sees at `now`.
    func stored(at now: Timestamp, limits: StoreLimits) -> StoredRecord {
        let kindEnd = version.createdAt.advanced(by: key.kind.lifetime)
        let laneEnd = now.advanced(by: limits.openLaneLifetime)
        return StoredRecord(
            version: version,
            lane: lane,
            subject: subject,
            firstSeen: now,
            orderTime: anchoredAt ?? now,
            expiresAt: lane == .open ? min(kindEnd, laneEnd) : kindEnd,
            bytes: bytes
        )
    }
}
