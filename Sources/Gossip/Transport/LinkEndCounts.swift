import Metrics
import Synchronization

/// Counts the ends of links by their reason, for people and for metrics.
final class LinkEndCounts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    var all: [String: Int] { counts.withLock { $0 } }

    func count(_ end: LinkEnd) {
        counts.withLock { $0[end.label, default: 0] += 1 }
        Counter(label: "stoa_links_ended", dimensions: [("reason", end.label)]).increment()
    }
}
