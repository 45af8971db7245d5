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

    /// A digest that shows whether a stored checkpoint was read with this filter.
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

    /// Returns the logs in the chain's order, each once.
    ///
    /// - Throws: ``LogContradiction`` if they cannot be an honest answer for the range.
    func ordered(
        _ logs: [ContractEvent],
        in range: ClosedRange<UInt64>
    ) throws(LogContradiction) -> [ContractEvent] {
        var events: [ContractEvent] = []
        for log in logs.sorted(by: ContractEvent.isBefore) {
            guard range.contains(log.block.number), matches(log) else { throw .notAskedFor }
            guard let last = events.last, last.block.number == log.block.number else {
                events.append(log)
                continue
            }
            guard last.block == log.block else { throw .twoBlocks }
            if last.index != log.index {
                events.append(log)
            } else if last != log {
                throw .twoEvents
            }
        }
        return events
    }
}

/// Why logs cannot be an honest answer.
enum LogContradiction: String, Error {
    case notAskedFor = "an event that was not asked for"
    case twoBlocks = "events of two blocks at one height"
    case twoEvents = "two events at one place"
}

/// The digest that identifies a ``LogFilter``.
package struct FilterID: Hashable, Sendable {
    package let hash: Bytes32

    package init(hash: Bytes32) { self.hash = hash }
}
