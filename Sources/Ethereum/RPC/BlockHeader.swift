package import Keys
package import Market

/// The header fields that are used: position, parent, timestamp, gas and the filter of the logs.
package struct BlockHeader: Hashable, Sendable {
    package let id: BlockID
    package let parent: Bytes32
    /// The block's timestamp, in seconds since 1970.
    package let timestamp: UInt64
    /// The price of one unit of gas without the tip, in wei; `nil` if the chain has no base fee.
    package let baseFee: Amount?
    /// The most gas of all transactions in the block; `nil` if the chain states none, or one beyond
    /// all bounds.
    package let gasLimit: UInt64?
    /// The filter of the block's logs, as the endpoint states it; `nil` if it states none.
    package let bloom: LogBloom?
    /// Whether the block's hash is known to cover ``bloom``.
    package var isBloomProven = false

    package init(
        id: BlockID,
        parent: Bytes32,
        timestamp: UInt64,
        baseFee: Amount? = nil,
        gasLimit: UInt64? = nil,
        bloom: LogBloom? = nil
    ) {
        (self.id, self.parent, self.timestamp) = (id, parent, timestamp)
        (self.baseFee, self.gasLimit, self.bloom) = (baseFee, gasLimit, bloom)
    }

    package var number: UInt64 { id.number }

    /// Returns whether the block can have an event of a contract; `false` only if its hash proves
    /// that it has none.
    func canHaveEvents(of contract: Address) -> Bool {
        guard isBloomProven, let bloom else { return true }
        return bloom.mayHave(contract.bytes)
    }
}
