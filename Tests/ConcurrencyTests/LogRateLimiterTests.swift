import Concurrency
import Support
import Testing

struct LogRateLimiterTests {
    @Test func `a subject has one line an hour, with the number of findings`() {
        let clock = ManualClock()
        let limiter = LogRateLimiter(clock: clock)
        #expect(limiter.note("one", count: 9_000) == 9_000)
        for _ in 0..<5 { #expect(limiter.note("one") == nil) }
        #expect(limiter.note("other") == 1)
        clock.advance(.seconds(3_599))
        #expect(limiter.note("one") == nil)
        clock.advance(.seconds(1))
        #expect(limiter.note("one") == 7)
        #expect(limiter.note("one") == nil)
    }

    @Test func `very many subjects share a line`() {
        let limiter = LogRateLimiter(clock: ManualClock())
        let lines = (0..<10_000).compactMap { limiter.note("subject \($0)") }
        #expect(lines.count == 257)
        #expect(limiter.note("subject 0") == nil)
    }

    @Test func `subjects of the past hour make room for others`() {
        let clock = ManualClock()
        let limiter = LogRateLimiter(clock: clock)
        // The second finding is counted, and nobody asks for it any more.
        for number in 0..<1_000 { for _ in 0..<2 { _ = limiter.note("subject \(number)") } }
        #expect(limiter.note("other") == nil)
        clock.advance(.seconds(3_600))
        for number in 0..<200 { #expect(limiter.note("other \(number)") == 1) }
        #expect(limiter.note("other 0") == nil)
    }
}
