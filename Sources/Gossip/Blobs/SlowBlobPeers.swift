import Concurrency
import Market
import Synchronization

/// Remembers the peers that were too slow with chunks of blobs.
///
/// They are asked last and have less time, so that peers which answer nothing cost little once they
/// are known. A peer that answers is no longer one of them. When the table is full, those that were
/// noted first are forgotten.
final class SlowBlobPeers: Sendable {
    private let limits: BlobExchangeLimits
    private let peers = Mutex<[PeerID: Moment]>([:])
    private let clock = SystemMonotonicClock()

    init(limits: BlobExchangeLimits) { self.limits = limits }

    private var now: Moment { Moment(sinceStart: clock.uptime) }

    func wasSlow(_ peer: PeerID) {
        peers.withLock { peers in
            if peers[peer] == nil, peers.count >= limits.slowPeersMax,
                let first = peers.min(by: { $0.value < $1.value })
            {
                peers[first.key] = nil
            }
            peers[peer] = now
        }
    }

    func answered(_ peer: PeerID) { peers.withLock { $0[peer] = nil } }

    func isSlow(_ peer: PeerID) -> Bool {
        peers.withLock { $0[peer].map { now < $0 + limits.slownessMax } ?? false }
    }

    /// Returns the peers with the slow ones last.
    func last(of peers: [PeerID]) -> [PeerID] {
        peers.filter { !isSlow($0) } + peers.filter(isSlow)
    }

    /// How long a peer has for opening a stream, and for the next chunk.
    func chunkMax(of peer: PeerID) -> Duration {
        isSlow(peer) ? limits.slowChunkMax : limits.chunkMax
    }
}
