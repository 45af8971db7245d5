package import Keys
import Market
import Synchronization

/// The times of blocks, as their hashes prove them or endpoints state them, and the filters of
/// their logs.
///
/// Holds at most ``ChainLimits/provenTimesMax``, ``ChainLimits/saidTimesMax`` and
/// ``ChainLimits/saidFiltersMax`` of them; beyond that it forgets all, and they are asked for
/// again.
package final class BlockTimes: Sendable {
    private struct State {
        /// The times that hashes cover.
        var proven: [Bytes32: UInt64] = [:]
        /// The times that hashes cover, or that the endpoints that confirm events told last.
        var told: [Bytes32: UInt64] = [:]
        /// The filters that an endpoint told last.
        var filters: [Bytes32: (by: EndpointName, bloom: LogBloom)] = [:]
    }

    private let limits: ChainLimits
    private let state = Mutex(State())

    package init(limits: ChainLimits = ChainLimits()) { self.limits = limits }

    /// Returns the time that a block's hash proves, if a header with that hash was read.
    package func proven(_ hash: Bytes32) -> UInt64? { state.withLock { $0.proven[hash] } }

    /// Returns the time that a block's hash proves, or else the one that an endpoint told last.
    package func told(_ hash: Bytes32) -> UInt64? {
        state.withLock { $0.proven[hash] ?? $0.told[hash] }
    }

    /// Remembers the time of a block as its hash proves it, or as an endpoint that confirms events
    /// gives it.
    package func note(_ header: BlockHeader) {
        state.withLock { state in
            if state.told.count >= limits.saidTimesMax { state.told = [:] }
            state.told[header.id.hash] = header.timestamp
        }
    }

    /// Remembers the times that the hashes of whole headers prove.
    ///
    /// - Returns: `false` if one of them has another time than its hash proves.
    package func note(_ blocks: [AnnouncedBlock]) -> Bool {
        state.withLock { state in
            if state.proven.count > limits.provenTimesMax { state.proven = [:] }
            for block in blocks {
                let (hash, time) = (block.header.id.hash, block.header.timestamp)
                if block.isProven {
                    state.proven[hash] = time
                } else if let proven = state.proven[hash], proven != time {
                    return false
                }
            }
            return true
        }
    }

    /// Remembers the filter of a block's logs as an endpoint states it.
    ///
    /// - Returns: `false` if the endpoint told another one before.
    package func note(_ header: BlockHeader, by endpoint: EndpointName) -> Bool {
        guard let bloom = header.bloom else { return true }
        let hash = header.id.hash
        return state.withLock { state in
            if let said = state.filters[hash], said.by == endpoint, said.bloom != bloom {
                state.filters[hash] = nil
                return false
            }
            if state.filters.count >= limits.saidFiltersMax { state.filters = [:] }
            state.filters[hash] = (endpoint, bloom)
            return true
        }
    }
}
