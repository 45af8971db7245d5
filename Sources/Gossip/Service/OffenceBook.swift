import Market
import Synchronization

/// What peers did wrong and were not charged with yet.
///
/// Who finds an offence never waits to write it down: its task may have been cancelled with the
/// stream, and the inbox be full. Bounded: each is found by a stream, which ends with it.
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
