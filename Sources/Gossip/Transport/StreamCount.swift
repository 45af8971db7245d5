import Market
import Synchronization

/// Counts the streams of one protocol that peers have open here, and refuses the excess.
///
/// A peer's first stream always finds a place, so that a few who hold all places keep nobody out:
/// there are never more than `allMax` and one for each linked peer.
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

    /// Runs `body` as one of them.
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
