import Concurrency
import GossipProtocol
import Market
import Synchronization

/// Limits the blob streams that this node has open to each peer, as an asker.
///
/// A peer refuses streams beyond ``BlobExchangeLimits/streamsPerPeerMax``, and a fetch would
/// conclude that the peer has nothing. Fetches wait for a stream in turn, separately for each peer.
final class OwnBlobStreams: Sendable {
    private struct Askers {
        let turns: AsyncSemaphore
        var count = 0
    }

    private let perPeerMax: Int
    private let askers = Mutex<[PeerID: Askers]>([:])

    init(limits: BlobExchangeLimits) { perPeerMax = limits.ownStreamsPerPeerMax }

    /// Runs `body`, which opens and ends one stream to `peer`, once there may be one more.
    ///
    /// - Throws: `CancellationError`, and what `body` throws.
    func with(_ peer: PeerID, _ body: () async throws -> Void) async throws {
        let turns = join(peer)
        defer { leave(peer) }
        let turn = try await turns.wait()
        defer { withExtendedLifetime(turn) {} }
        try await body()
    }

    private func join(_ peer: PeerID) -> AsyncSemaphore {
        askers.withLock { [perPeerMax] askers in
            var found = askers[peer] ?? Askers(turns: AsyncSemaphore(unitsMax: perPeerMax))
            found.count += 1
            askers[peer] = found
            return found.turns
        }
    }

    private func leave(_ peer: PeerID) {
        askers.withLock { askers in
            askers[peer]?.count -= 1
            if askers[peer]?.count == 0 { askers[peer] = nil }
        }
    }
}
