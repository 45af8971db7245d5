import GossipProtocol
import Market
import Synchronization

/// Limits the streams of one protocol that peers have open here.
///
/// A peer's first stream is always admitted, so that peers that use all slots do not keep the
/// others out: there are never more than `allMax` streams plus one per linked peer.
final class StreamCount: Sendable {
    private struct Count {
        var all = 0
        var byPeer: [PeerID: Int] = [:]
    }

    private let perPeerMax: Int
    private let allMax: Int
    private let count = Mutex(Count())

    init(perPeerMax: Int, allMax: Int = .max) {
        (self.perPeerMax, self.allMax) = (perPeerMax, allMax)
    }

    /// Runs `body` as one stream of `peer`.
    ///
    /// - Throws: ``LinkError/full(_:)``, and what `body` throws.
    func with(_ peer: PeerID, _ body: () async throws -> Void) async throws {
        let isFree = count.withLock { count in
            let already = count.byPeer[peer] ?? 0
            guard already < perPeerMax, already == 0 || count.all < allMax else { return false }
            count.byPeer[peer] = already + 1
            count.all += 1
            return true
        }
        guard isFree else { throw LinkError.full(.streams) }
        defer {
            count.withLock { count in
                let already = count.byPeer[peer] ?? 1
                count.byPeer[peer] = already > 1 ? already - 1 : nil
                count.all -= 1
            }
        }
        try await body()
    }
}
