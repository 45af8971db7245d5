import GossipProtocol
import Market
import Support
import Testing

/// Numbers are in no subnet.
extension Int: SubnetKey {}

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

    @Test func `a key may use its allowance at once and regains it at its rate`() {
        var budget = FairBudget<Int>(limits: Self.limits())
        #expect(Self.drain(&budget, 1, at: .start) == 1_000)
        #expect(Self.drain(&budget, 1, at: Self.moment(4)) == 200)
        #expect(Self.drain(&budget, 1, at: Self.moment(5)) == 50)
        #expect(Self.drain(&budget, 1, at: Self.moment(1_000)) == 1_000)
        #expect(!Self.take(1_001, &budget, 2, at: Self.moment(1_000)))
        #expect(Self.take(1_000, &budget, 2, at: Self.moment(1_000)))
    }

    @Test func `many keys share the rate equally; a modest user keeps its allowance`() {
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

    @Test func `newcomers share a pool and leave some of it to later ones`() {
        var limits = Self.limits()
        limits.firstBytes = 300
        limits.newcomersBytes = 1_000
        limits.newcomersBytesPerSecond = 10
        limits.keysMax = 1_000
        var budget = FairBudget<Int>(limits: limits)
        let first = (1...5).map { Self.drain(&budget, $0, at: .start) }
        #expect(first.first == 300)
        #expect(first.allSatisfy { $0 > 0 } && first.reduce(0, +) <= 1_000)
        let late = (100...200).map { Self.drain(&budget, $0, at: Self.moment(1)) }
        let all = first + late
        #expect(all.reduce(0, +) <= 1_110)
        // A key from before the flood of new ones has its allowance, and its share.
        var other = FairBudget<Int>(limits: limits)
        #expect(Self.take(1, &other, 7, at: .start))
        for key in 100..<400 { _ = Self.drain(&other, key, at: Self.moment(100)) }
        #expect(Self.drain(&other, 7, at: Self.moment(100)) == 1_000)
    }

    /// - From peers: many new addresses, so that the rate is divided among them → they get what the
    ///   others leave
    @Test func `newcomers take nothing from earlier users, however much they use`() {
        var limits = Self.limits()
        limits.firstBytes = 300
        limits.keysMax = 1_000
        var budget = FairBudget<Int>(limits: limits)
        #expect(Self.take(1, &budget, 1, at: .start))
        let joined = Self.moment(100)
        #expect(Self.drain(&budget, 1, at: joined) == 1_000)
        for key in 100..<600 { #expect(Self.drain(&budget, key, at: joined) == 300) }
        #expect(Self.drain(&budget, 1, at: Self.moment(120)) > 700)
        // They have the whole allowance once no other key needs the rate.
        #expect(Self.drain(&budget, 100, at: Self.moment(10_000)) == 1_000)
    }

    @Test func `bounds the table and forgets the keys that used least`() {
        var budget = FairBudget<Int>(limits: Self.limits())
        #expect(Self.drain(&budget, 3, at: .start) == 1_000)
        for key in 100..<300 { #expect(Self.take(500, &budget, key, at: .start)) }
        #expect(budget.subnetCount <= 16)
        // There is a place for everybody, and what was used up stays so.
        #expect(Self.take(1, &budget, 500, at: .start))
        #expect(!Self.take(1, &budget, 3, at: .start))
    }

    @Test func `an idle newcomer regains its allowance while others use the full rate`() {
        var limits = Self.limits()
        (limits.bytesPerSecond, limits.shareBytesPerSecond) = (100, 100)
        (limits.firstBytes, limits.keysMax) = (300, 1_000)
        var budget = FairBudget<Int>(limits: limits)
        #expect(Self.take(1, &budget, 1, at: .start))
        func flood(_ seconds: Range<Int>) {
            for second in seconds { _ = Self.drain(&budget, 1, at: Self.moment(Double(second))) }
        }
        flood(100..<110)
        #expect(Self.drain(&budget, 2, at: Self.moment(110)) == 300)
        flood(110..<120)
        #expect(Self.drain(&budget, 2, at: Self.moment(120)) < 40)
        flood(120..<1_800)
        #expect(Self.drain(&budget, 2, at: Self.moment(1_800)) >= 299)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `bounds admission by rate and allowances in any order of requests`(seed: UInt64) {
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

    /// An address in a subnet.
    private struct Key: SubnetKey {
        let network: Int
        let host: Int

        var wholeSubnet: Key { Key(network: network, host: -1) }

        static func < (left: Key, right: Key) -> Bool {
            (left.network, left.host) < (right.network, right.host)
        }
    }

    private static func addresses(_ hosts: Range<Int>, of network: Int) -> [Key] {
        hosts.map { Key(network: network, host: $0) }
    }

    private static func drain(_ budget: inout FairBudget<Key>, _ key: Key, at now: Moment) -> Int {
        var taken = 0
        while budget.admit(1, of: key, at: now) { taken += 1 }
        return taken
    }

    @Test func `a subnet gets twice an address's share, and each address some of it`() {
        var budget = FairBudget<Key>(limits: Self.limits())
        let keys = Self.addresses(1..<9, of: 7)
        let first = keys.map { Self.drain(&budget, $0, at: .start) }
        #expect(first.first == 1_000 && first.reduce(0, +) <= 2_000)
        #expect(first.prefix(5).allSatisfy { $0 > 0 })
        // What comes back to the subnet is divided equally between the addresses that used something.
        let later = keys.prefix(2).map { Self.drain(&budget, $0, at: Self.moment(16)) }
        #expect(later.reduce(0, +) > 0)
        // Another subnet has all of its own.
        #expect(Self.drain(&budget, Key(network: 8, host: 1), at: .start) == 1_000)
    }

    @Test(arguments: [1, 60, 5_000])
    func `an address finds room beside a flood from its subnet`(hosts: Int) {
        var limits = Self.limits()
        (limits.firstBytes, limits.keysMax) = (300, 256)
        var budget = FairBudget<Key>(limits: limits)
        let neighbour = Key(network: 1, host: 0)
        let other = Key(network: 2, host: 1)
        var (ofNeighbour, ofOther) = (0, 0)
        var flood = 0
        for tick in 0..<6_000 {
            let now = Self.moment(Double(tick) / 10)
            for _ in 0..<20 {
                let host = Key(network: 1, host: 1 + flood % hosts)
                flood += 1
                _ = budget.admit(4, of: host, at: now)
            }
            guard tick % 200 == 199 else { continue }
            if budget.admit(4, of: neighbour, at: now) { ofNeighbour += 1 }
            if budget.admit(60, of: other, at: now) { ofOther += 1 }
        }
        #expect(ofOther == 30)
        // More addresses than are remembered leave a neighbour nothing.
        #expect(hosts == 5_000 || ofNeighbour == 30, "\(ofNeighbour) of 30")
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `no subnet exceeds its share by using more addresses`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var limits = Self.limits()
        limits.firstBytes = 200
        limits.newcomersBytes = 4_000
        limits.newcomersBytesPerSecond = 10
        var budget = FairBudget<Key>(limits: limits)
        var ofSubnet: [Int: Int] = [:]
        var seconds = 0.0
        for _ in 0..<20_000 {
            seconds += Double.random(in: 0...0.02, using: &random)
            let network = Int.random(in: 0..<6, using: &random)
            let key = Key(network: network, host: Int.random(in: 1..<500, using: &random))
            let byteCount = Int.random(in: 1...80, using: &random)
            let room = budget.hasRoom(for: byteCount, of: key, at: Self.moment(seconds))
            let isAdmitted = budget.admit(byteCount, of: key, at: Self.moment(seconds))
            #expect(room == isAdmitted)
            if isAdmitted { ofSubnet[network, default: 0] += byteCount }
            #expect(budget.subnetCount <= 16)
        }
        let all: Int = ofSubnet.values.reduce(0, +)
        let (allMax, oneMax) = (16_000 + Int(seconds * 110) + 1, 2_400 + Int(seconds * 60) + 1)
        #expect(all <= allMax, "seed \(seed)")
        for (_, bytes) in ofSubnet { #expect(bytes <= oneMax) }
    }
}
