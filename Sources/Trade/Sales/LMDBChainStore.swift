package import Ethereum
import Keys
package import Market
package import Storage

/// Stores the events that a chain's follower has applied.
///
/// Each event is stored under the sale that it is about; an event without one, such as a
/// withdrawal, under zero.
package struct LMDBChainStore: ChainStore {
    private static let pageMax = 1_000

    private let store: Store

    package init(store: Store) {
        self.store = store
    }

    package func checkpoint(of chain: ChainID) async throws -> FollowerCheckpoint? {
        try store.read { try $0.checkpoint(of: chain) }
            .map { try FollowerCheckpoint(storedBytes: $0) }
    }

    package func apply(
        _ range: AppliedRange,
        _ checkpoint: FollowerCheckpoint,
        to chain: ChainID
    ) async throws {
        let events = try range.events.map { event in
            try (key(of: event, on: chain), event.storedBytes)
        }
        let bytes = checkpoint.storedBytes
        try await store.writeOnceThereIsRoom { transaction in
            try transaction.applyEvents(events, checkpoint: bytes, of: chain)
        }
    }

    package func rollBack(
        to block: BlockID?,
        _ checkpoint: FollowerCheckpoint,
        of chain: ChainID
    ) async throws {
        let bytes = checkpoint.storedBytes
        try await store.writeOnceThereIsRoom { transaction in
            try transaction.rollBackEvents(above: block?.number, checkpoint: bytes, of: chain)
        }
    }

    package func events(
        of chain: ChainID,
        in range: ClosedRange<UInt64>
    ) async throws -> [AppliedEvent] {
        let stored = try store.read { try $0.events(of: chain, in: range) }
        return try stored.map { try AppliedEvent(storedBytes: $0) }
    }

    package func sources(of chain: ChainID) async throws -> SourceLedger? {
        let name = Self.sourcesName(of: chain)
        let stored = try store.read { try $0.get(Settings.self, name) }
        return try stored.map { try SourceLedger(storedBytes: $0) }
    }

    package func keep(_ sources: SourceLedger, of chain: ChainID) async throws {
        let bytes = sources.storedBytes
        try await store.writeOnceThereIsRoom { transaction in
            try transaction.put(Settings.self, Self.sourcesName(of: chain), bytes)
        }
    }

    private static func sourcesName(of chain: ChainID) -> String {
        "chain-sources-\(chain.number)"
    }

    /// Calls `visit` with each stored event of a chain, in its order.
    package func forEachEvent(of chain: ChainID, _ visit: (AppliedEvent) -> Void) throws {
        var last: ChainEventKey?
        repeat {
            let page = try store.read {
                try $0.events(of: chain, after: last, limit: Self.pageMax)
            }
            for (_, bytes) in page { visit(try AppliedEvent(storedBytes: bytes)) }
            last = page.last?.key
        } while last != nil
    }

    private func key(of event: AppliedEvent, on chain: ChainID) throws -> ChainEventKey {
        guard let index = UInt32(exactly: event.log.index) else {
            throw AdapterError.logIndex(event.log.index)
        }
        return ChainEventKey(
            chain: chain,
            height: event.log.block.number,
            logIndex: index,
            block: event.log.block.hash
        )
    }
}

/// Why something from a chain's follower cannot be stored.
package enum AdapterError: Error, Equatable, Sendable {
    /// No block has so many logs; the endpoint lies.
    case logIndex(UInt64)
}
