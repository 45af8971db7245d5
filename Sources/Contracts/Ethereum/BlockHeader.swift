package import Keys
package import Market

/// The header fields that are used: position, parent, timestamp and base fee.
package struct BlockHeader: Hashable, Sendable {
    package let id: BlockID
    package let parent: Bytes32
    /// The block's timestamp, in seconds since 1970.
    package let timestamp: UInt64
    /// The price of one unit of gas without the tip, in wei; `nil` if the chain has no base fee.
    package let baseFee: Amount?

    package init(id: BlockID, parent: Bytes32, timestamp: UInt64, baseFee: Amount? = nil) {
        (self.id, self.parent, self.timestamp, self.baseFee) = (id, parent, timestamp, baseFee)
    }

    package var number: UInt64 { id.number }
}
