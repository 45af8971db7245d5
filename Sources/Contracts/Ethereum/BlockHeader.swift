package import Keys
package import Market

/// The header fields that are used: position, parent, timestamp, base fee and the filter of the logs.
package struct BlockHeader: Hashable, Sendable {
    package let id: BlockID
    package let parent: Bytes32
    /// The block's timestamp, in seconds since 1970.
    package let timestamp: UInt64
    /// The price of one unit of gas without the tip, in wei; `nil` if the chain has no base fee.
    package let baseFee: Amount?
    /// The filter of the block's logs, as the endpoint states it; `nil` if it states none.
    package let bloom: LogBloom?

    package init(
        id: BlockID,
        parent: Bytes32,
        timestamp: UInt64,
        baseFee: Amount? = nil,
        bloom: LogBloom? = nil
    ) {
        (self.id, self.parent, self.timestamp) = (id, parent, timestamp)
        (self.baseFee, self.bloom) = (baseFee, bloom)
    }

    package var number: UInt64 { id.number }
}
