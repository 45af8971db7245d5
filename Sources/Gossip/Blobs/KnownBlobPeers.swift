import Concurrency
import Market
import Synchronization

/// Remembers the peers that were too slow with chunks of blobs, and those that gave some.
///
/// Slow ones are asked last and have less time, so that peers which answer nothing cost little once
/// they are known. Those that gave something come first, so that however many others are linked, or
/// come back under new names, they are asked. A peer is one or the other, as it was last. When a table
/// is full, those that were noted first are forgotten.
final class KnownBlobPeers: Sendable {
    private struct State {
        var slow: [PeerID: Moment] = [:]
        var giving: [PeerID: Moment] = [:]
    }

    private let limits: BlobExchangeLimits
    private let state = Mutex(State())
    private let clock = SystemMonotonicClock()

    init(limits: BlobExchangeLimits) { self.limits = limits }

    private var now: Moment { Moment(sinceStart: clock.uptime) }

    func wasSlow(_ peer: PeerID) {
        state.withLock { state in
            state.giving[peer] = nil
            note(peer, in: &state.slow)
        }
    }

    func answered(_ peer: PeerID) {
        state.withLock { state in
            state.slow[peer] = nil
            note(peer, in: &state.giving)
        }
    }

    private func note(_ peer: PeerID, in table: inout [PeerID: Moment]) {
        if table[peer] == nil, table.count >= limits.slowPeersMax,
            let first = table.min(by: { $0.value < $1.value })
        {
            table[first.key] = nil
        }
        table[peer] = now
    }

    func isSlow(_ peer: PeerID) -> Bool {
        state.withLock { $0.slow[peer].map { now < $0 + limits.slownessMax } ?? false }
    }

    /// Returns the peers, those that gave something first and the slow ones last.
    func ordered(_ peers: [PeerID]) -> [PeerID] {
        let giving = state.withLock { $0.giving }
        let quick = peers.filter { !isSlow($0) }
        return quick.filter { giving[$0] != nil } + quick.filter { giving[$0] == nil }
            + peers.filter(isSlow)
    }

    /// How long a peer has for opening a stream, and for the next chunk.
    func chunkMax(of peer: PeerID) -> Duration {
        isSlow(peer) ? limits.slowChunkMax : limits.chunkMax
    }
}
