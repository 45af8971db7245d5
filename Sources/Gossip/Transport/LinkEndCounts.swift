import GossipProtocol
import Metrics
import Synchronization

/// Counts of ended links by reason, for operators and metrics.
final class LinkEndCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    var all: [String: Int] { counts.withLock { $0 } }

    func count(_ end: LinkEnd) {
        counts.withLock { $0[end.label, default: 0] += 1 }
        Counter(label: "stoa_links_ended", dimensions: [("reason", end.label)]).increment()
    }
}
