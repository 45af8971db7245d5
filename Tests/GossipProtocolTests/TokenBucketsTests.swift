import GossipProtocol
import Testing

struct TokenBucketsTests {
    private var buckets = TokenBuckets<Int>(.init(burst: 2, every: .seconds(10)), countMax: 3)

    private mutating func take(_ key: Int, _ now: Moment = .start) -> Bool {
        buckets.take(of: key, at: now)
    }

    private func at(_ seconds: Int) -> Moment { .start + .seconds(seconds) }

    @Test mutating func `a bucket allows its burst, then its refill rate`() {
        #expect((0..<3).map { _ in take(1) } == [true, true, false])
        #expect(take(1, at(9)) == false)
        #expect((0..<2).map { _ in take(1, at(19)) } == [true, false])
        #expect(take(2, at(19)) == true)
    }

    @Test mutating func `a full table forgets the buckets that are nearest to full`() {
        #expect((0..<2).map { _ in take(1) } == [true, true])
        for key in 2...40 { #expect(take(key) == true) }
        #expect(buckets.count <= 3)
        // What was used up stays so, however many others come.
        #expect(take(1) == false)
        // By now all are full again, and give their places to others.
        #expect(buckets.level(of: 1, at: at(20)) == 2)
        for key in 41...44 { #expect(take(key, at(20)) == true) }
        #expect(buckets.count <= 3)
    }

    @Test mutating func `draining takes at most the tokens in the bucket`() {
        buckets.drain(5, of: 1, at: .start)
        #expect(buckets.level(of: 1, at: .start) == 0)
        #expect(buckets.level(of: 1, at: at(5)) == 0.5)
    }
}
