import Concurrency
import Support
import Synchronization
import Testing

struct LoopErrorsTests {
    private struct Broken: Error {}

    /// A clock on which no wait takes any time.
    private struct HastyClock: MonotonicClock {
        let uptime = Duration.zero
        func wait(_ duration: Duration) async throws { try Task.checkCancellation() }
    }

    @Test func `counts and logs an item's error and continues with the others`() async {
        let lines = LogLines()
        let errors = LoopErrors("test", logger: lines.logger)
        var done: [Int] = []
        for number in 0..<4 {
            await errors.item("item") {
                guard number.isMultiple(of: 2) else { throw Broken() }
                done.append(number)
            }
        }
        #expect(done == [0, 2])
        #expect(errors.count == 2)
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.contains("loop=test") == true)
        #expect(errors.value("another") { throw Broken() } as Int? == nil)
        #expect(errors.value("number") { 7 } == 7)
        #expect(lines.all.count == 2)
    }

    @Test func `logs an item's error again after an hour`() async {
        let (lines, clock) = (LogLines(), ManualClock())
        let errors = LoopErrors("test", logger: lines.logger, clock: clock)
        for pause in [Duration.zero, .seconds(3_599), .seconds(1)] {
            clock.advance(pause)
            await errors.item("item") { throw Broken() }
        }
        #expect(errors.count == 3)
        #expect(lines.all.count == 2)
    }

    @Test func `a cancellation is not an item's error`() async {
        let errors = LoopErrors("test", logger: quiet)
        #expect(await !errors.item("item") { throw CancellationError() })
        #expect(errors.count == 0)
    }

    @Test func `restarts a loop that failed, after a pause, until cancelled`() async {
        let errors = LoopErrors("test", logger: quiet, clock: HastyClock())
        var runs = 0
        try? await errors.restarting {
            runs += 1
            if runs < 3 { throw Broken() }
        }
        #expect(runs == 3)
        #expect(errors.count == 2)
    }
}
