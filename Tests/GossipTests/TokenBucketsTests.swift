import Testing

@testable import Gossip

struct TokenBucketsTests {
    private var buckets = TokenBuckets<Int>(.init(burst: 2, every: .seconds(10)), countMax: 3)

    private mutating func take(_ key: Int, _ now: Moment = .start) -> Bool {
        buckets.take(of: key, at: now)
    }

    private func at(_ seconds: Int) -> Moment { .start + .seconds(seconds) }

    @Test mutating func `a bucket gives its burst and then what flows in`() {
        #expect((0..<3).map { _ in take(1) } == [true, true, false])
        #expect(take(1, at(9)) == false)
        #expect((0..<2).map { _ in take(1, at(19)) } == [true, false])
        #expect(take(2, at(19)) == true)
    }

    @Test mutating func `only full buckets are forgotten, and newcomers to a full table share one`()
    {
        for key in 1...3 { #expect(take(key) == true) }
        #expect((4...9).filter { take($0) } == [4, 5])
        #expect(buckets.count == 3)
        // By now all three are full again.
        #expect(take(10, at(10)) == true)
        #expect(buckets.count == 1)
    }

    @Test mutating func `what was spent already is taken as far as there is something`() {
        buckets.drain(5, of: 1, at: .start)
        #expect(buckets.level(of: 1, at: .start) == 0)
        #expect(buckets.level(of: 1, at: at(5)) == 0.5)
    }
}
