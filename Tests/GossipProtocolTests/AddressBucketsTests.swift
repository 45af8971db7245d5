import GossipProtocol
import Support
import Testing

struct AddressBucketsTests {
    private static func group(_ network: Int, _ part: Int) throws -> AddressGroup {
        let text = "2001:db8:\(String(network, radix: 16)):\(String(part, radix: 16))::1"
        return AddressGroup(try #require(IPAddress(ip6: text)))
    }

    private static func buckets(countMax: Int = 16) -> AddressBuckets {
        AddressBuckets(.init(burst: 10, every: .seconds(1)), subnetRates: 4, countMax: countMax)
    }

    @Test func `a subnet gets the share of a few addresses, an address only its own`() throws {
        var buckets = Self.buckets(countMax: 4_096)
        func taken(_ network: Int, _ part: Int, at seconds: Int) throws -> Int {
            let group = try Self.group(network, part)
            return (0..<100).count { _ in
                buckets.take(of: group, at: .start + .seconds(seconds))
            }
        }
        #expect(try (1...6).map { try taken(1, $0, at: 0) } == [10, 10, 10, 10, 0, 0])
        #expect(try taken(2, 1, at: 0) == 10)
        #expect(try (1...6).map { try taken(1, $0, at: 1) } == [1, 1, 1, 1, 0, 0])
    }

    @Test func `a table full of one /48's networks leaves a newcomer its share`() throws {
        var buckets = Self.buckets()
        for part in 1...5_000 { _ = buckets.take(of: try Self.group(1, part), at: .start) }
        let newcomer = try Self.group(2, 1)
        #expect((0..<20).count { _ in buckets.take(of: newcomer, at: .start) } == 10)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `bounds a subnet's share in any order of requests`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var buckets = Self.buckets(countMax: 4_096)
        var taken: [Int: Int] = [:]
        var milliseconds = 0
        for _ in 0..<5_000 {
            milliseconds += Int.random(in: 0...20, using: &random)
            let network = Int.random(in: 1...5, using: &random)
            let group = try Self.group(network, Int.random(in: 1...300, using: &random))
            let now = Moment.start + .milliseconds(milliseconds)
            let level = buckets.level(of: group, at: now)
            let isTaken = buckets.take(of: group, at: now)
            #expect(isTaken == (level >= 1))
            if isTaken { taken[network, default: 0] += 1 }
        }
        for (_, count) in taken { #expect(count <= 40 + 4 * (milliseconds / 1_000 + 1)) }
    }
}
