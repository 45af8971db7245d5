package import Ethereum
import Keys
package import Market
import Synchronization

/// A ``ChainStore`` in memory that keeps bytes as a real one does, and can crash.
///
/// A crash strikes one commit, either before it, which then leaves nothing, or after it, so that
/// everything is kept although the caller never heard.
package final class MemoryChainStore: ChainStore {
    /// When the process is made to die.
    package enum Crash: Sendable {
        case beforeCommit(Int)
        case afterCommit(Int)
    }

    /// What a caller sees of a crash.
    package struct Crashed: Error {}

    private struct Kept {
        var checkpoints: [ChainID: [UInt8]] = [:]
        var events: [ChainID: [[UInt8]: [UInt8]]] = [:]
        var sources: [ChainID: [UInt8]] = [:]
        var commits = 0
        var crash: Crash?
    }

    private let kept = Mutex(Kept())

    package init() {}

    package var commits: Int { kept.withLock { $0.commits } }

    package func plan(_ crash: Crash?) { kept.withLock { $0.crash = crash } }

    /// The events kept of a chain, in order.
    package func events(of chain: ChainID) throws -> [AppliedEvent] {
        let stored = kept.withLock { $0.events[chain] ?? [:] }
        return try stored.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { try AppliedEvent(storedBytes: $0.value) }
    }

    package func events(
        of chain: ChainID,
        in range: ClosedRange<UInt64>
    ) async throws -> [AppliedEvent] {
        try events(of: chain).filter { range.contains($0.log.block.number) }
    }

    package func sources(of chain: ChainID) async throws -> SourceLedger? {
        try kept.withLock { $0.sources[chain] }.map { try SourceLedger(storedBytes: $0) }
    }

    package func keep(_ sources: SourceLedger, of chain: ChainID) async throws {
        kept.withLock { $0.sources[chain] = sources.storedBytes }
    }

    package func checkpoint(of chain: ChainID) async throws -> FollowerCheckpoint? {
        try kept.withLock { $0.checkpoints[chain] }.map { try FollowerCheckpoint(storedBytes: $0) }
    }

    package func apply(
        _ range: AppliedRange,
        _ checkpoint: FollowerCheckpoint,
        to chain: ChainID
    ) async throws {
        try commit { kept in
            for event in range.events {
                let key = event.log.storedKey
                precondition(kept.events[chain]?[key] == nil, "an event is applied once")
                kept.events[chain, default: [:]][key] = event.storedBytes
            }
            kept.checkpoints[chain] = checkpoint.storedBytes
        }
    }

    package func rollBack(
        to block: BlockID?,
        _ checkpoint: FollowerCheckpoint,
        of chain: ChainID
    ) async throws {
        var limit = StoredWriter()
        if let block { limit.write(block.number + 1) }
        let first = limit.bytes
        try commit { kept in
            kept.events[chain] = kept.events[chain]?
                .filter { block != nil && $0.key.lexicographicallyPrecedes(first) }
            kept.checkpoints[chain] = checkpoint.storedBytes
        }
    }

    private func commit(_ body: (inout Kept) -> Void) throws {
        try kept.withLock { kept in
            kept.commits += 1
            if case .beforeCommit(kept.commits) = kept.crash { throw Crashed() }
            body(&kept)
            if case .afterCommit(kept.commits) = kept.crash { throw Crashed() }
        }
    }
}
