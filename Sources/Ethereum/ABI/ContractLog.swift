package import Keys

/// A log of a contract, without its position on the chain.
///
/// Source: Ethereum Yellow Paper, section 4.3.1, "Transaction Receipt".
package struct ContractLog: Hashable, Sendable {
    package let address: Address
    /// The topics, at most four; the first identifies the event unless it is anonymous.
    package let topics: [Bytes32]
    package let data: [UInt8]

    package init(address: Address, topics: [Bytes32], data: [UInt8]) {
        (self.address, self.topics, self.data) = (address, topics, data)
    }
}
