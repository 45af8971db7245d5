import Testing

@testable import Ethereum

struct EndpointPaceTests {
    @Test func `allows a burst of one second's calls, then paces calls by the limit`() {
        var pace = EndpointPace(callsPerSecond: 4)
        var waits: [Duration?] = []
        for _ in 0..<8 { waits.append(pace.reserve(1, at: .zero, waitMax: .seconds(5))) }
        #expect(
            waits == [
                .zero, .zero, .zero, .zero, .zero, .milliseconds(250), .milliseconds(500),
                .milliseconds(750),
            ]
        )
        #expect(pace.reserve(1, at: .seconds(60), waitMax: .zero) == .zero)
    }

    @Test func `a batch counts as its calls; a wait that is too long reserves none`() {
        var pace = EndpointPace(callsPerSecond: 10)
        #expect(pace.reserve(100, at: .zero, waitMax: .seconds(5)) == .zero)
        #expect(pace.reserve(1, at: .zero, waitMax: .seconds(5)) == nil)
        #expect(pace.reserve(1, at: .seconds(4), waitMax: .seconds(5)) == .seconds(5))
        #expect(pace.reserve(1, at: .seconds(4), waitMax: .seconds(6)) == .milliseconds(5_100))
    }

    @Test func `sends at most as many calls as the limit in any minute`() throws {
        var pace = EndpointPace(callsPerSecond: 7)
        var (now, sent) = (Duration.zero, 0)
        while now < .seconds(60) {
            let wait = pace.reserve(3, at: now, waitMax: .seconds(60))
            now += try #require(wait) + .milliseconds(1)
            sent += 3
        }
        #expect((60 * 7 - 3...60 * 7 + 14).contains(sent))
    }

    @Test func `no call waits without a limit`() {
        var pace = EndpointPace(callsPerSecond: nil)
        #expect(pace.reserve(1_000_000, at: .zero, waitMax: .zero) == .zero)
    }

    @Test
    func `respects the pause that an endpoint requests, even the only one`() {
        let name = EndpointName("http://a")
        var pool = EndpointPool(names: [name])
        pool.verified(0)
        pool.failed(0, .busy(name, status: 429, retryAfter: .seconds(30)), at: .zero)
        #expect(pool.candidates(at: .seconds(29)).isEmpty)
        #expect(pool.candidates(at: .seconds(30)) == [0])
        // Nobody makes the node wait for ever.
        pool.failed(0, .busy(name, status: 429, retryAfter: .seconds(1 << 31)), at: .zero)
        #expect(pool.candidates(at: ChainLimits().retryAfterMax) == [0])
        // Without a pause it backs off like any other that fails.
        pool.succeeded(0, begun: ChainLimits().retryAfterMax, latency: .zero)
        pool.failed(0, .busy(name, status: 429, retryAfter: nil), at: .zero)
        #expect(pool.candidates(at: .zero) == [0])
    }

    @Test func `reads an endpoint's pause as seconds or as a date`() {
        #expect(
            RPCTransportError(status: 429, retryAfter: "7")
                == .busy(status: 429, retryAfter: .seconds(7))
        )
        #expect(
            RPCTransportError(status: 503, retryAfter: "0")
                == .busy(status: 503, retryAfter: .zero)
        )
        // A date that has passed asks for no pause.
        #expect(
            RPCTransportError(status: 429, retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT")
                == .busy(status: 429, retryAfter: .zero)
        )
        for text in ["soon", "-1", "9999999999999", ""] {
            #expect(
                RPCTransportError(status: 429, retryAfter: text)
                    == .busy(status: 429, retryAfter: nil)
            )
        }
        #expect(RPCTransportError(status: 503, retryAfter: nil) == .status(503))
        #expect(RPCTransportError(status: 500, retryAfter: "7") == .status(500))
    }

    @Test func `polls rarely only while blocks are announced and no one waits`() {
        let schedule = PollSchedule(interval: .seconds(1), limits: ChainLimits())
        #expect(schedule.due(after: .seconds(9), announcedAt: nil, isQuiet: true) == .seconds(10))
        #expect(
            schedule.due(after: .seconds(9), announcedAt: .seconds(9), isQuiet: false)
                == .seconds(10)
        )
        #expect(
            schedule.due(after: .seconds(9), announcedAt: .seconds(9), isQuiet: true)
                == .seconds(69)
        )
        #expect(
            schedule.due(after: .seconds(9), announcedAt: .seconds(120), isQuiet: true)
                == .seconds(180)
        )
        #expect(
            schedule.due(after: .seconds(9), announcedAt: .seconds(180), isQuiet: true)
                == .seconds(189)
        )
    }

    @Test func `reopens a useful connection at once, others after growing pauses`() {
        var pace = ReconnectPace(first: .seconds(1), last: .seconds(4))
        #expect(pace.reason(at: .zero) == nil)
        var pauses: [Duration] = []
        for _ in 0..<4 {
            pace.ended(.unreachable(reason: "refused"), at: .zero)
            var pause = Duration.zero
            while pace.reason(at: pause) != nil { pause += .seconds(1) }
            pauses.append(pause)
        }
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), .seconds(4)])
        #expect(pace.reason(at: .seconds(1)) == "refused; it is tried again in 3 s")
        pace.wasOfUse()
        pace.ended(.unreachable(reason: "refused"), at: .zero)
        #expect(pace.reason(at: .zero) == nil)
    }
}
