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

/// Up to which event the accounts of this node were notified, for each sale.
enum NotifiedSales: Table {
    typealias Key = ChainSubject
    typealias Value = NotifiedSale
    static let name = "notified-sales"
}

/// Where an event is among all events of its chain.
package struct ChainEventPlace: Comparable, Sendable {
    package let height: UInt64
    package let logIndex: UInt64

    package init(height: UInt64, logIndex: UInt64) {
        (self.height, self.logIndex) = (height, logIndex)
    }

    /// The last position at a height.
    static func end(of height: UInt64) -> ChainEventPlace {
        ChainEventPlace(height: height, logIndex: .max)
    }

    package static func < (left: ChainEventPlace, right: ChainEventPlace) -> Bool {
        (left.height, left.logIndex) < (right.height, right.logIndex)
    }
}

/// The last event of a sale that the local accounts were notified of, and the last as final.
struct NotifiedSale: TableValue, Equatable {
    var seen: ChainEventPlace
    var final: ChainEventPlace

    init(seen: ChainEventPlace, final: ChainEventPlace) {
        (self.seen, self.final) = (seen, final)
    }

    var storedByteCount: Int { 32 }

    func write(to writer: inout ByteWriter) {
        writer.write(seen.height, seen.logIndex, final.height, final.logIndex)
    }

    init(from reader: inout ByteReader) throws(FormError) {
        seen = ChainEventPlace(height: try reader.read(), logIndex: try reader.read())
        final = ChainEventPlace(height: try reader.read(), logIndex: try reader.read())
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

    package func write(to writer: inout ByteWriter) { writer.write(chain, contract, id) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (chain, contract, id) = try (reader.read(), reader.read(), reader.read())
    }
}

/// An event's position: heights are reused in a reorganisation, so the block's hash is part of it.
package struct ChainEventKey: TableKey, Hashable {
    package let chain: ChainID
    package let height: UInt64
    package let logIndex: UInt32
    package let block: Bytes32

    package init(chain: ChainID, height: UInt64, logIndex: UInt32, block: Bytes32) {
        (self.chain, self.height) = (chain, height)
        (self.logIndex, self.block) = (logIndex, block)
    }

    package func write(to writer: inout ByteWriter) { writer.write(chain, height, logIndex, block) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (chain, height, logIndex) = try (reader.read(), reader.read(), reader.read())
        block = try reader.read()
    }
}

extension WriteTransaction {
    /// Adds events and moves the checkpoint, in one transaction; an event that is already stored is
    /// skipped, so that each counts once.
    package mutating func applyEvents(
        _ events: [(key: ChainEventKey, bytes: [UInt8])],
        checkpoint: [UInt8],
        of chain: ChainID
    ) throws {
        for (key, bytes) in events { _ = try insert(ChainEvents.self, key, bytes) }
        try put(ChainCheckpoints.self, chain, checkpoint)
    }

    /// Records that the local accounts were notified of all events up to `height`.
    ///
    /// Call it in the transaction that stores the notifications, so that a crash loses none.
    package mutating func noteNotified(upTo height: UInt64, of chain: ChainID) throws {
        try put(NotifiedHeights.self, chain, height)
    }

    /// Records that the local accounts are notified of an event of a sale, in the transaction that
    /// stores the notifications.
    ///
    /// A sale's events are reported in order, once when seen and once when final, even if they are
    /// read again. Heights above ``notifiedHeight(of:)`` repeat after a reorganisation, with other
    /// events.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isFinal: Whether it is reported as final.
    ///   - sale: The sale.
    ///   - confirmations: The number of blocks, its own included, after which an event is final.
    /// - Returns: Whether they were not reported so before.
    /// - Throws: `StorageError`
    package mutating func noteNotified(
        of event: ChainEventPlace,
        isFinal: Bool,
        in sale: ChainSubject,
        confirmations: UInt64
    ) throws -> Bool {
        let height = try notifiedHeight(of: sale.chain)
        let finalHeight = height < confirmations ? 0 : height + 1 - confirmations
        var told =
            try get(NotifiedSales.self, sale)
            ?? NotifiedSale(seen: .end(of: height), final: .end(of: finalHeight))
        if !isFinal { told.seen = min(told.seen, .end(of: height)) }
        told.final = min(told.final, .end(of: height))
        guard (isFinal ? told.final : told.seen) < event else { return false }
        if isFinal { told.final = event }
        told.seen = max(told.seen, event)
        try put(NotifiedSales.self, sale, told)
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
        // Heights repeat, with other events.
        try noteNotified(upTo: min(try notifiedHeight(of: chain), height ?? 0), of: chain)
        try put(ChainCheckpoints.self, chain, checkpoint)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The checkpoint last committed for a chain.
    package func checkpoint(of chain: ChainID) throws -> [UInt8]? {
        try get(ChainCheckpoints.self, chain)
    }

    /// The height up to which the local accounts were notified of a chain's events.
    package func notifiedHeight(of chain: ChainID) throws -> UInt64 {
        try get(NotifiedHeights.self, chain) ?? 0
    }

    /// A chain's events after `key`, in chain order, at most `limit`.
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
        let first = ChainEventKey(chain: chain, height: range.lowerBound, logIndex: 0, block: .zero)
        let scan = Scan<ChainEventKey>.prefix(chain).from(first)
        let events = try entries(ChainEvents.self, scan) { key, _ in key.height <= range.upperBound
        }
        return events.map(\.value)
    }
}
