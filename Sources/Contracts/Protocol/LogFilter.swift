package import Keys

/// Which events of a chain are wanted: those of some contracts, from a block on.
package struct LogFilter: Equatable, Sendable {
    /// The contracts; none means that no event is asked for and only the head is followed.
    package let addresses: [Address]
    /// The first topics wanted; none means all.
    package let topics: [Bytes32]
    /// The first block that can hold such an event: the deployment's.
    package let firstBlock: UInt64

    package init(addresses: [Address], topics: [Bytes32] = [], firstBlock: UInt64) {
        self.addresses = addresses.sorted()
        self.topics = topics.sorted()
        self.firstBlock = firstBlock
    }

    /// A digest by which a stored position is recognised as an answer to this question.
    package var id: FilterID {
        var writer = StoredWriter()
        writer.write(firstBlock)
        writer.write(UInt64(addresses.count))
        for address in addresses { writer.write(address) }
        for topic in topics { writer.write(topic) }
        return FilterID(hash: Keccak256.hash(writer.bytes))
    }

    func matches(_ event: ContractEvent) -> Bool {
        guard addresses.contains(event.address) else { return false }
        guard !topics.isEmpty else { return true }
        return event.topics.first.map(topics.contains) ?? false
    }
}

/// Names one ``LogFilter``.
package struct FilterID: Hashable, Sendable {
    package let hash: Bytes32

    package init(hash: Bytes32) { self.hash = hash }
}
