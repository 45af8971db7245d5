package import Keys

/// What a contract logged, without where and when.
///
/// Source: Ethereum Yellow Paper, section 4.3.1, "Transaction Receipt".
package struct ContractLog: Hashable, Sendable {
    package let address: Address
    /// At most four; the first names the event unless it is anonymous.
    package let topics: [Bytes32]
    package let data: [UInt8]

    package init(address: Address, topics: [Bytes32], data: [UInt8]) {
        (self.address, self.topics, self.data) = (address, topics, data)
    }
}
