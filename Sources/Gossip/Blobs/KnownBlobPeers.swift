import Concurrency
import GossipProtocol
import Market
import Synchronization

/// Remembers the peers that were too slow with chunks of blobs, and how quick the others were.
///
/// Slow ones are asked last and have less time, so that silent peers cost little once they are
/// known. Peers that delivered something come first, the quickest before all others, so they are
/// asked however many others are linked or return under new names. A peer counts as slow or quick
/// by its last behaviour. When a table is full, the oldest entries are forgotten.
final class KnownBlobPeers: Sendable {
    private struct Giving {
        var bytesPerSecond: Double
        var at: Moment
    }

    private struct State {
        var slow: [PeerID: Moment] = [:]
        var giving: [PeerID: Giving] = [:]
    }

    private let limits: BlobExchangeLimits
    private let state = Mutex(State())
    private let clock: any MonotonicClock

    init(limits: BlobExchangeLimits, clock: any MonotonicClock) {
        (self.limits, self.clock) = (limits, clock)
    }

    private var now: Moment { Moment(sinceStart: clock.uptime) }

    func wasSlow(_ peer: PeerID) {
        let now = now
        state.withLock { state in
            state.giving[peer] = nil
            if state.slow[peer] == nil, state.slow.count >= limits.slowPeersMax,
                let first = state.slow.min(by: { $0.value < $1.value })
            {
                state.slow[first.key] = nil
            }
            state.slow[peer] = now
        }
    }

    /// Records the bytes of a peer's answer and the time that they took; its earlier rate counts
    /// half.
    func gave(_ peer: PeerID, _ byteCount: Int, in time: Duration) {
        let now = now
        let rate = Double(byteCount) / max(0.001, time / .seconds(1))
        state.withLock { state in
            state.slow[peer] = nil
            let old = state.giving[peer]
            if old == nil, state.giving.count >= limits.slowPeersMax,
                let first = state.giving.min(by: { $0.value.at < $1.value.at })
            {
                state.giving[first.key] = nil
            }
            let mean = old.map { ($0.bytesPerSecond + rate) / 2 } ?? rate
            state.giving[peer] = Giving(bytesPerSecond: mean, at: now)
        }
    }

    func isSlow(_ peer: PeerID) -> Bool {
        let now = now
        return state.withLock { $0.slow[peer].map { now < $0 + limits.slownessMax } ?? false }
    }

    /// Returns the peers: those that gave something first, the quickest before all; the slow ones
    /// last.
    func ordered(_ peers: [PeerID]) -> [PeerID] {
        let rates = state.withLock { $0.giving.mapValues(\.bytesPerSecond) }
        let quick = peers.filter { !isSlow($0) }
        let giving = quick.compactMap { peer in rates[peer].map { (rate: $0, peer: peer) } }
        return giving.sorted { ($1.rate, $0.peer) < ($0.rate, $1.peer) }.map(\.peer)
            + quick.filter { rates[$0] == nil } + peers.filter(isSlow)
    }

    /// How long a peer may take to open a stream, and to send the next chunk.
    func chunkMax(of peer: PeerID) -> Duration {
        isSlow(peer) ? limits.slowChunkMax : limits.chunkMax
    }
}
