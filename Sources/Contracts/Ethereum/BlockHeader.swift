package import Keys
package import Market

/// What is needed of a block: where it stands, what it stands on, and when it was made.
package struct BlockHeader: Hashable, Sendable {
    package let id: BlockID
    package let parent: Bytes32
    /// Seconds since 1970, as the block says.
    package let timestamp: UInt64
    /// What each unit of gas costs before any tip, in wei; `nil` if the chain has none.
    package let baseFee: Amount?

    package init(id: BlockID, parent: Bytes32, timestamp: UInt64, baseFee: Amount? = nil) {
        (self.id, self.parent, self.timestamp, self.baseFee) = (id, parent, timestamp, baseFee)
    }

    package var number: UInt64 { id.number }
}
