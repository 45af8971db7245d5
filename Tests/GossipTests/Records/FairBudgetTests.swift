import Gossip
import Market
import Support
import Testing

struct FairBudgetTests {
    private static func limits() -> FairBudgetLimits {
        FairBudgetLimits(
            bytesPerSecond: 100,
            shareBytesPerSecond: 50,
            allowanceBytes: 1_000,
            firstBytes: 1_000,
            newcomersBytes: 1_000_000,
            newcomersBytesPerSecond: 1_000_000,
            keysMax: 16
        )
    }

    private static func moment(_ seconds: Double) -> Moment {
        Moment(sinceStart: .seconds(seconds))
    }

    private static func take(
        _ byteCount: Int,
        _ budget: inout FairBudget<Int>,
        _ key: Int,
        at now: Moment
    ) -> Bool {
        budget.admit(byteCount, of: key, at: now)
    }

    /// Returns the bytes admitted if a key takes as much as it can.
    private static func drain(
        _ budget: inout FairBudget<Int>,
        _ key: Int,
        at now: Moment
    ) -> Int {
        var taken = 0
        while budget.admit(1, of: key, at: now) { taken += 1 }
        return taken
    }

    @Test func `an allowance is used at once, and comes back at the rate for one`() {
        var budget = FairBudget<Int>(limits: Self.limits())
        #expect(Self.drain(&budget, 1, at: .start) == 1_000)
        #expect(Self.drain(&budget, 1, at: Self.moment(4)) == 200)
        #expect(Self.drain(&budget, 1, at: Self.moment(5)) == 50)
        #expect(Self.drain(&budget, 1, at: Self.moment(1_000)) == 1_000)
        #expect(!Self.take(1_001, &budget, 2, at: Self.moment(1_000)))
        #expect(Self.take(1_000, &budget, 2, at: Self.moment(1_000)))
    }

    @Test func `many share the rate equally, and who uses little finds its allowance whole`() {
        var budget = FairBudget<Int>(limits: Self.limits())
        for key in 1...5 { _ = Self.drain(&budget, key, at: .start) }
        #expect(Self.take(10, &budget, 9, at: .start))
        // Six keys share 100 a second until the last has its 10 back, then five.
        let after = Self.moment(10)
        let shares = (1...5).map { Self.drain(&budget, $0, at: after) }
        #expect(shares.allSatisfy { $0 == 198 }, "\(shares)")
        #expect(Self.drain(&budget, 9, at: after) == 1_000)
    }

    @Test func `a flood never keeps an honest key waiting`() {
        var budget = FairBudget<Int>(limits: Self.limits())
        var taken = 0
        for tick in 0..<10_000 {
            let now = Self.moment(Double(tick) / 10)
            for flooder in 1...8 where budget.admit(25, of: flooder, at: now) { taken += 25 }
            if tick % 100 == 99 {
                #expect(Self.take(60, &budget, 9, at: now), "at \(tick)")
                taken += 60
            }
        }
        #expect(taken <= 9 * 1_000 + 100 * 1_000)
        #expect(taken >= 100 * 1_000)
    }

    @Test func `newcomers share a pool, so that being new brings nothing`() {
        var limits = Self.limits()
        limits.firstBytes = 300
        limits.newcomersBytes = 1_000
        limits.newcomersBytesPerSecond = 10
        limits.keysMax = 1_000
        var budget = FairBudget<Int>(limits: limits)
        let first = (1...5).map { Self.drain(&budget, $0, at: .start) }
        #expect(first == [300, 300, 300, 100, 0])
        let late = (100...200).map { Self.drain(&budget, $0, at: Self.moment(1)) }
        #expect(late.reduce(0, +) <= 10)
        // A key from before the flood of new ones has its allowance, and its share.
        var other = FairBudget<Int>(limits: limits)
        #expect(Self.take(1, &other, 7, at: .start))
        for key in 100..<400 { _ = Self.drain(&other, key, at: Self.moment(100)) }
        #expect(Self.drain(&other, 7, at: Self.moment(100)) == 1_000)
    }

    @Test func `newcomers take nothing from those who were there before, whatever they use`() {
        var limits = Self.limits()
        limits.firstBytes = 300
        limits.keysMax = 1_000
        var budget = FairBudget<Int>(limits: limits)
        #expect(Self.take(1, &budget, 1, at: .start))
        let joined = Self.moment(100)
        #expect(Self.drain(&budget, 1, at: joined) == 1_000)
        for key in 100..<600 { #expect(Self.drain(&budget, key, at: joined) == 300) }
        #expect(Self.drain(&budget, 1, at: Self.moment(120)) > 700)
        // They get the rest of their allowance once no other key needs the rate.
        #expect(Self.drain(&budget, 100, at: Self.moment(6_000)) == 1_000)
    }

    @Test func `the table is bounded, and forgets those alone who have all of theirs`() {
        var budget = FairBudget<Int>(limits: Self.limits())
        for key in 0..<200 { _ = budget.admit(1_000, of: key, at: .start) }
        #expect(budget.keyCount == 17)
        // Keys with missing bytes use all places: the others share one allowance, which is used up.
        #expect(!Self.take(1, &budget, 500, at: .start))
        #expect(!Self.take(1, &budget, 3, at: .start))
        let later = Self.moment(1_000)
        #expect(Self.take(1_000, &budget, 500, at: later))
        #expect(Self.take(1_000, &budget, 501, at: later))
        #expect(budget.keyCount <= 17)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `what is admitted is bounded by rate and allowances, whatever the order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var budget = FairBudget<Int>(limits: Self.limits())
        var taken = 0
        var seconds = 0.0
        var ofKey: [Int: Int] = [:]
        for _ in 0..<4_000 {
            seconds += Double.random(in: 0...0.2, using: &random)
            let key = Int.random(in: 0..<12, using: &random)
            let byteCount = Int.random(in: 1...400, using: &random)
            guard budget.admit(byteCount, of: key, at: Self.moment(seconds)) else { continue }
            taken += byteCount
            ofKey[key, default: 0] += byteCount
        }
        #expect(Double(taken) <= 12 * 1_000 + seconds * 100 + 1, "seed \(seed)")
        for (_, bytes) in ofKey { #expect(Double(bytes) <= 1_000 + seconds * 50 + 1) }
        #expect(Double(taken) >= seconds * 90, "seed \(seed): \(taken) in \(seconds) s")
    }
}
