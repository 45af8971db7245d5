import Concurrency
import Logging
import Metrics
import Synchronization

/// Admits connections as ``ConnectionBook`` decides, and warns in the log if there are too many.
final class ConnectionAdmission: Sendable {
    private static let silence = Duration.seconds(60)

    let limits: ConnectionLimits
    private let book: Mutex<ConnectionBook>
    private let reportedAt = Mutex<Duration?>(nil)
    private let refused = Counter(label: "stoa_api_connections_refused")
    private let logger: Logger

    init(limits: ConnectionLimits, logger: Logger) {
        self.limits = limits
        self.logger = logger
        book = Mutex(ConnectionBook(limits: limits))
    }

    /// Takes a place for one more connection; returns `false` if there is none.
    func enter(_ network: Network?) -> Bool {
        let (isIn, count) = book.withLock { ($0.enter(network), $0.count) }
        if !isIn { tell(of: network, count) }
        return isIn
    }

    /// Gives a place back; to be called once for each connection that was admitted.
    func leave(_ network: Network?) { book.withLock { $0.leave(network) } }

    private func tell(of network: Network?, _ count: Int) {
        refused.increment()
        let now = SystemMonotonicClock().uptime
        let isDue = reportedAt.withLock { last in
            if let last, now < last + Self.silence { return false }
            last = now
            return true
        }
        guard isDue else { return }
        logger.warning(
            "too many connections to the API; more are refused",
            metadata: ["open": "\(count)", "network": "\(network?.name ?? "unknown")"]
        )
    }
}
