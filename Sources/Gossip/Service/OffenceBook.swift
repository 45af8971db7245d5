import GossipProtocol
import Market
import Synchronization

/// Offences of peers that are not charged yet.
///
/// Noting an offence never waits: the task that found it may have been cancelled with its stream,
/// and the inbox may be full. Bounded, since each offence is found by a stream that ends with it.
final class OffenceBook: Sendable {
    private static let countMax = 4_096
    private let noted = Mutex<[(peer: PeerID, offence: PeerOffence)]>([])

    func note(_ offence: PeerOffence, by peer: PeerID) {
        noted.withLock { noted in
            if noted.count < Self.countMax { noted.append((peer, offence)) }
        }
    }

    func takeAll() -> [(peer: PeerID, offence: PeerOffence)] {
        noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
    }
}
