package import Keys
package import Market

/// Events of the market's contracts, as the follower applied them and in the form it gave them.
enum ChainEvents: Table {
    typealias Key = ChainEventKey
    typealias Value = [UInt8]
    static let name = "chain-events"
}

/// Where the follower stands on each chain, its window of block hashes included.
enum ChainCheckpoints: Table {
    typealias Key = ChainID
    typealias Value = [UInt8]
    static let name = "chain-checkpoints"
}

/// Up to which height the accounts of this node were notified of each chain's events.
enum NotifiedHeights: Table {
    typealias Key = ChainID
    typealias Value = UInt64
    static let name = "notified-heights"
}

/// What the accounts of this node were last notified of for a sale.
enum NotifiedSales: Table {
    typealias Key = ChainSubject
    typealias Value = NotifiedSale
    static let name = "notified-sales"
}

/// What a sale's news said: its last event, and whether that was final.
package struct NotifiedSale: TableValue, Equatable {
    package let block: Bytes32
    package let logIndex: UInt64
    package let isFinal: Bool

    package init(block: Bytes32, logIndex: UInt64, isFinal: Bool) {
        (self.block, self.logIndex, self.isFinal) = (block, logIndex, isFinal)
    }

    package var storedByteCount: Int { 41 }

    package func write(to writer: inout ByteWriter) {
        writer.append(block)
        writer.append(logIndex)
        writer.append((isFinal ? 1 : 0) as UInt8)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        block = try reader.readBytes32()
        logIndex = try reader.read()
        let flag: UInt8 = try reader.read()
        isFinal = flag == 1
    }
}

/// A sale of a contract.
package struct ChainSubject: TableKey, Hashable {
    package let chain: ChainID
    package let contract: Address
    package let id: Bytes32

    package init(chain: ChainID, contract: Address, id: Bytes32) {
        (self.chain, self.contract, self.id) = (chain, contract, id)
    }

    package func write(to writer: inout ByteWriter) {
        writer.append(chain.number)
        writer.append(contract)
        writer.append(id)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        chain = ChainID(try reader.read())
        contract = try reader.readAddress()
        id = try reader.readBytes32()
    }
}

/// An event's place: heights are reused in a reorganisation, so the block's hash is part of it.
package struct ChainEventKey: TableKey, Hashable {
    package let chain: ChainID
    package let height: UInt64
    package let logIndex: UInt32
    package let block: Bytes32

    package init(chain: ChainID, height: UInt64, logIndex: UInt32, block: Bytes32) {
        (self.chain, self.height) = (chain, height)
        (self.logIndex, self.block) = (logIndex, block)
    }

    package func write(to writer: inout ByteWriter) {
        writer.append(chain.number)
        writer.append(height)
        writer.append(logIndex)
        writer.append(block)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        chain = ChainID(try reader.read())
        height = try reader.read()
        logIndex = try reader.read()
        block = try reader.readBytes32()
    }
}

extension WriteTransaction {
    /// Adds events and moves the checkpoint, in one transaction; an event that is here already is
    /// passed over, so that each counts once.
    package mutating func applyEvents(
        _ events: [(key: ChainEventKey, bytes: [UInt8])],
        checkpoint: [UInt8],
        of chain: ChainID
    ) throws {
        for (key, bytes) in events { _ = try insert(ChainEvents.self, key, bytes) }
        try put(ChainCheckpoints.self, chain, checkpoint)
    }

    /// Notes that the accounts of this node were told of all events up to `height`.
    ///
    /// In the transaction that tells them, so that a crash leaves nobody out.
    package mutating func noteNotified(upTo height: UInt64, of chain: ChainID) throws {
        try put(NotifiedHeights.self, chain, height)
    }

    /// Notes what the accounts of this node are told of a sale, in the same transaction.
    ///
    /// - Returns: Whether it is news: the same is told once, also when the events are read again.
    package mutating func noteNotified(_ news: NotifiedSale, of sale: ChainSubject) throws -> Bool {
        guard try get(NotifiedSales.self, sale) != news else { return false }
        try put(NotifiedSales.self, sale, news)
        return true
    }

    /// Removes every event above `height`, all for `nil`, and moves the checkpoint.
    package mutating func rollBackEvents(
        above height: UInt64?,
        checkpoint: [UInt8],
        of chain: ChainID
    ) throws {
        let removed = try keys(ChainEvents.self, .prefix(chain, .descending)) { key in
            height.map { $0 < key.height } ?? true
        }
        for key in removed { try remove(ChainEvents.self, key) }
        // Heights come again, with other events.
        try noteNotified(upTo: min(try notifiedHeight(of: chain), height ?? 0), of: chain)
        try put(ChainCheckpoints.self, chain, checkpoint)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The checkpoint last committed for a chain.
    package func checkpoint(of chain: ChainID) throws -> [UInt8]? {
        try get(ChainCheckpoints.self, chain)
    }

    /// Up to which height the accounts of this node were told of a chain's events.
    package func notifiedHeight(of chain: ChainID) throws -> UInt64 {
        try get(NotifiedHeights.self, chain) ?? 0
    }

    /// Every event of a chain behind `key`, in the order of the chain, at most `limit`.
    package func events(
        of chain: ChainID,
        after key: ChainEventKey? = nil,
        limit: Int
    ) throws -> [(key: ChainEventKey, bytes: [UInt8])] {
        try entries(ChainEvents.self, .prefix(chain).beyond(key), limit: limit)
            .map { ($0.key, $0.value) }
    }

    /// The events of some blocks of a chain, in its order.
    package func events(
        of chain: ChainID,
        in range: ClosedRange<UInt64>
    ) throws -> [[UInt8]] {
        let first = ChainEventKey(
            chain: chain,
            height: range.lowerBound,
            logIndex: 0,
            block: .zero
        )
        let scan = Scan<ChainEventKey>.prefix(chain).from(first)
        let events = try entries(ChainEvents.self, scan) { key, _ in key.height <= range.upperBound
        }
        return events.map(\.value)
    }
}
