import Concurrency
import Logging
import Metrics
import NIOCore
import Synchronization

/// Admits connections as ``ConnectionBook`` decides, and warns in the log if there are too many.
final class ConnectionAdmission: Sendable {
    private static let silence = Duration.seconds(60)

    private struct State {
        var book: ConnectionBook
        var channels: [UInt64: any Channel] = [:]
    }

    let limits: ConnectionLimits
    private let state: Mutex<State>
    private let reportedAt = Mutex<Duration?>(nil)
    private let refused = Counter(label: "stoa_api_connections_refused")
    private let displaced = Counter(label: "stoa_api_connections_displaced")
    private let clock: any MonotonicClock
    private let logger: Logger

    init(limits: ConnectionLimits, clock: any MonotonicClock, logger: Logger) {
        self.limits = limits
        (self.clock, self.logger) = (clock, logger)
        state = Mutex(State(book: ConnectionBook(limits: limits)))
    }

    /// Takes a slot for one more connection, and closes the connection that had it; returns `nil`
    /// if there is none.
    func enter(_ network: Network?, _ channel: any Channel) -> ConnectionPlace? {
        let (number, victim, count): (UInt64?, (any Channel)?, Int) = state.withLock { state in
            guard case .admitted(let number, let closing) = state.book.enter(network) else {
                return (nil, nil, state.book.count)
            }
            state.channels[number] = channel
            let victim = closing.flatMap { state.channels.removeValue(forKey: $0) }
            return (number, victim, state.book.count)
        }
        guard let number else {
            refused.increment()
            tell("too many connections to the API; more are refused", of: network, count)
            return nil
        }
        if let victim {
            displaced.increment()
            tell("too many connections to the API; idle ones are closed", of: network, count)
            victim.close(promise: nil)
        }
        return ConnectionPlace(number: number, admission: self)
    }

    /// Releases a slot.
    func leave(_ number: UInt64) {
        state.withLock { state in
            state.book.leave(number)
            state.channels[number] = nil
        }
    }

    func change(_ body: (inout ConnectionBook) -> Void) { state.withLock { body(&$0.book) } }

    private func tell(_ what: String, of network: Network?, _ count: Int) {
        let now = clock.uptime
        let isDue = reportedAt.withLock { last in
            if let last, now < last + Self.silence { return false }
            last = now
            return true
        }
        guard isDue else { return }
        logger.warning(
            "\(what)",
            metadata: ["open": "\(count)", "network": "\(network?.name ?? "unknown")"]
        )
    }
}
