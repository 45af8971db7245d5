import Market
import Synchronization

/// Peers that asked or answered a question since the last heartbeat.
///
/// Noting one never waits, and costs the service nothing: a peer asks hundreds of questions a
/// second. Bounded.
final class UseBook: Sendable {
    private static let countMax = 4_096
    private let noted = Mutex<Set<PeerID>>([])

    func note(_ peer: PeerID) {
        noted.withLock { noted in
            if noted.count < Self.countMax { noted.insert(peer) }
        }
    }

    func takeAll() -> Set<PeerID> {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }
}
