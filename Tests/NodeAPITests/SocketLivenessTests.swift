import NIOWebSocket
import Support
import Synchronization
import Testing

@testable import NodeAPI

/// When a silent WebSocket is asked and closed is no part of what NodeAPI offers, hence the testable
/// import.
struct SocketLivenessTests {
    @Test func `pings a client after 30 s of silence and drops it after 75 s`() {
        var liveness = SocketLiveness(at: .seconds(100))
        #expect(liveness.next(at: .seconds(100)) == .wait(.seconds(30)))
        #expect(liveness.next(at: .seconds(129)) == .wait(.seconds(1)))
        #expect(liveness.next(at: .seconds(130)) == .ping)
        #expect(liveness.next(at: .seconds(131)) == .wait(.seconds(29)))
        #expect(liveness.next(at: .seconds(160)) == .ping)
        #expect(liveness.next(at: .seconds(160)) == .wait(.seconds(15)))
        #expect(liveness.next(at: .seconds(175)) == .close)
    }

    @Test func `any frame restarts the silence`() {
        var liveness = SocketLiveness(at: .zero)
        #expect(liveness.next(at: .seconds(30)) == .ping)
        liveness.hear(at: .seconds(31))
        #expect(liveness.next(at: .seconds(60)) == .wait(.seconds(1)))
        #expect(liveness.next(at: .seconds(105)) == .ping)
        #expect(liveness.next(at: .seconds(106)) == .close)
    }

    @Test func `a silent client gets two pings before its connection ends`() async throws {
        let clock = ManualClock()
        let sent = Mutex<[WebSocketOpcode]>([])
        try await SocketWatch(clock: clock).run { frame in
            sent.withLock { $0.append(frame.opcode) }
        }
        #expect(sent.withLock { $0 } == [.ping, .ping])
        #expect(clock.uptime == .seconds(75))
    }
}
