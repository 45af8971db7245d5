import Concurrency
import NIOCore
import NIOWebSocket
import Synchronization

/// Decides when to ping the client of a WebSocket, and when to drop it.
///
/// Source: RFC 6455, sections 5.5.2 and 5.5.3; Docs/limits.md, section 3.1.
struct SocketLiveness: Sendable {
    enum Step: Equatable, Sendable {
        case wait(Duration)
        case ping
        case close
    }

    /// After so long without a frame the client is sent a ping, which it must answer.
    static let pingAfter = Duration.seconds(30)
    /// After so long without a frame the connection is closed.
    static let silenceMax = Duration.seconds(75)

    private var heard: Duration
    private var pinged: Duration?

    init(at now: Duration) { heard = now }

    /// Records that a frame arrived.
    mutating func hear(at now: Duration) {
        heard = now
        pinged = nil
    }

    mutating func next(at now: Duration) -> Step {
        guard now - heard < Self.silenceMax else { return .close }
        let due = (pinged ?? heard) + Self.pingAfter
        guard now < due else {
            pinged = now
            return .ping
        }
        return .wait(min(due, heard + Self.silenceMax) - now)
    }
}

/// The liveness of one WebSocket, which its reader and its watcher share.
final class SocketWatch: Sendable {
    private let liveness: Mutex<SocketLiveness>
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) {
        self.clock = clock
        liveness = Mutex(SocketLiveness(at: clock.uptime))
    }

    /// Records that a frame arrived.
    func hear() { liveness.withLock { $0.hear(at: clock.uptime) } }

    /// Sends pings while the client is silent; returns when it has been silent for too long.
    func run(_ send: (WebSocketFrame) async throws -> Void) async throws {
        while true {
            switch liveness.withLock({ $0.next(at: clock.uptime) }) {
            case .wait(let time): try await clock.wait(time)
            case .ping: try await send(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
            case .close: return
            }
        }
    }
}
