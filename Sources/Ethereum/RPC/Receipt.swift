package import Keys
package import Market

/// The receipt of a mined transaction.
package struct Receipt: Equatable, Sendable {
    package let transaction: Bytes32
    package let block: BlockID
    /// `false` if the transaction reverted: its fee is paid, and nothing else happened.
    package let isSuccess: Bool
    package let gasUsed: UInt64
    /// The price that was paid for one unit of gas, in wei.
    package let gasPrice: Amount
    /// The contract that the transaction created, if any.
    package let contract: Address?
    package let events: [ContractEvent]

    package init(
        transaction: Bytes32,
        block: BlockID,
        isSuccess: Bool,
        gasUsed: UInt64,
        gasPrice: Amount,
        contract: Address? = nil,
        events: [ContractEvent] = []
    ) {
        (self.transaction, self.block, self.isSuccess) = (transaction, block, isSuccess)
        (self.gasUsed, self.gasPrice) = (gasUsed, gasPrice)
        (self.contract, self.events) = (contract, events)
    }

    /// The fee that the sender paid, without the value sent; `nil` on overflow.
    package var fee: Amount? { gasPrice.multiplied(by: gasUsed) }

    /// Returns whether both tell the same outcome of a transaction in the same block.
    ///
    /// The price is not compared: not every endpoint states it.
    func agrees(with other: Receipt) -> Bool {
        transaction == other.transaction && block == other.block && isSuccess == other.isSuccess
            && gasUsed == other.gasUsed && contract == other.contract
    }
}
