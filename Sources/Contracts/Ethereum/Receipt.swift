package import Keys
package import Market

/// What a mined transaction did.
package struct Receipt: Equatable, Sendable {
    package let transaction: Bytes32
    package let block: BlockID
    /// False where it reverted: its fee is paid, nothing else happened.
    package let isSuccess: Bool
    package let gasUsed: UInt64
    /// What each unit of gas cost in the end, in wei.
    package let gasPrice: Amount
    /// The contract it made, where it made one.
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

    /// What it cost its sender, without the value sent.
    package var fee: Amount? { gasPrice.multiplied(by: gasUsed) }
}
