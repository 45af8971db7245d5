import Market
import Synchronization

/// Counts the streams of one protocol that peers have open here, and refuses the excess.
final class StreamCount: Sendable {
    private let perPeerMax: Int
    private let allMax: Int
    private let counts = Mutex<[PeerID: Int]>([:])

    init(perPeerMax: Int, allMax: Int = .max) {
        (self.perPeerMax, self.allMax) = (perPeerMax, allMax)
    }

    /// Runs `body` as one of them.
    ///
    /// - Throws: ``LinkError/full(_:)``, and what `body` throws.
    func with(_ peer: PeerID, _ body: () async throws -> Void) async throws {
        let isFree = counts.withLock { counts in
            let count = counts[peer] ?? 0
            guard count < perPeerMax, counts.values.reduce(0, +) < allMax else { return false }
            counts[peer] = count + 1
            return true
        }
        guard isFree else { throw LinkError.full(.streams) }
        defer {
            counts.withLock { counts in
                let count = (counts[peer] ?? 1) - 1
                counts[peer] = count == 0 ? nil : count
            }
        }
        try await body()
    }
}
