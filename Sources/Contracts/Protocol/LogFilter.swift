package import Keys

/// A filter for the events of some contracts, from a block on.
package struct LogFilter: Equatable, Sendable {
    /// The contracts; if empty, no events are requested and only the head is followed.
    package let addresses: [Address]
    /// The first topics to match; if empty, all events match.
    package let topics: [Bytes32]
    /// The first block that can hold such an event: that of the deployment.
    package let firstBlock: UInt64

    package init(addresses: [Address], topics: [Bytes32] = [], firstBlock: UInt64) {
        self.addresses = addresses.sorted()
        self.topics = topics.sorted()
        self.firstBlock = firstBlock
    }

    /// A digest that tells whether a stored checkpoint was read with this filter.
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

/// The digest that identifies a ``LogFilter``.
package struct FilterID: Hashable, Sendable {
    package let hash: Bytes32

    package init(hash: Bytes32) { self.hash = hash }
}
