package import Keys

/// An event that a contract emitted, not yet decoded.
///
/// The chain, the block's hash and the index identify it: after a reorganisation, the same log in
/// another block is another event.
package struct ContractEvent: Hashable, Sendable {
    package let block: BlockID
    /// Its index among all logs of the block.
    package let index: UInt64
    package let transaction: Bytes32
    package let address: Address
    package let topics: [Bytes32]
    package let data: [UInt8]

    package init(
        block: BlockID,
        index: UInt64,
        transaction: Bytes32,
        address: Address,
        topics: [Bytes32],
        data: [UInt8]
    ) {
        (self.block, self.index, self.transaction) = (block, index, transaction)
        (self.address, self.topics, self.data) = (address, topics, data)
    }

    /// Orders the events of one chain by height and index.
    package static func isBefore(_ left: ContractEvent, _ right: ContractEvent) -> Bool {
        (left.block.number, left.index) < (right.block.number, right.index)
    }

    /// The key in a table: height, hash and index in 48 bytes, which sort in the chain's order.
    package var storedKey: [UInt8] {
        var writer = StoredWriter()
        writer.write(block)
        writer.write(index)
        return writer.bytes
    }
}

extension ContractEvent: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(block)
        writer.write(index)
        writer.write(transaction)
        writer.write(address)
        writer.write(UInt8(topics.count))
        for topic in topics { writer.write(topic) }
        writer.write(data)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        block = try BlockID(from: &reader)
        index = try reader.number()
        transaction = try reader.hash()
        address = try reader.address()
        var topics: [Bytes32] = []
        for _ in 0..<(try reader.byte()) { topics.append(try reader.hash()) }
        self.topics = topics
        data = try reader.content()
    }
}
