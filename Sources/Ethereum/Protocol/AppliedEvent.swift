package import Keys
package import Market

/// An event of the followed chain, with the time of its block.
package struct AppliedEvent: Hashable, Sendable {
    package let log: ContractEvent
    /// The timestamp of its block.
    package let time: ChainTime

    package init(log: ContractEvent, time: ChainTime) { (self.log, self.time) = (log, time) }

    /// The event's position, as sales use it.
    package var position: EventPosition {
        EventPosition(
            blockNumber: log.block.number,
            blockHash: log.block.hash,
            logIndex: log.index,
            time: time,
            transaction: log.transaction
        )
    }
}

extension AppliedEvent: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(time.seconds)
        writer.write(log)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        time = ChainTime(seconds: try reader.number())
        log = try ContractEvent(from: &reader)
    }
}
