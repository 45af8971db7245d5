import Market
import Support
import Testing

struct ExpiringTableTests {
    private static func time(_ seconds: UInt64) -> Timestamp {
        Timestamp(milliseconds: 1_763_700_000_000 + seconds * 1_000)
    }

    @Test func `finds an entry until it expires`() {
        var table = ExpiringTable<Int, String>(entriesMax: 4)
        table.put("one", for: 1, until: Self.time(10), at: Self.time(0))
        #expect(table.value(of: 1, at: Self.time(9)) == "one")
        #expect(table.value(of: 1, at: Self.time(10)) == nil)
        table.put("two", for: 1, until: Self.time(30), at: Self.time(20))
        #expect(table.value(of: 1, at: Self.time(20)) == "two")
        table.remove(1)
        #expect(table.value(of: 1, at: Self.time(20)) == nil)
    }

    @Test func `a full table removes expired entries first, then the next to expire`() {
        var table = ExpiringTable<Int, Void>(entriesMax: 2)
        table.insert(1, until: Self.time(5), at: Self.time(0))
        table.insert(2, until: Self.time(90), at: Self.time(0))
        #expect(!table.hasRoom(at: Self.time(4)))
        #expect(table.hasRoom(at: Self.time(5)))

        table.insert(3, until: Self.time(80), at: Self.time(5))
        #expect(table.contains(2, at: Self.time(5)))
        #expect(table.contains(3, at: Self.time(5)))
        // One that is there already needs no room.
        table.insert(3, until: Self.time(85), at: Self.time(6))
        #expect(table.contains(2, at: Self.time(6)))

        table.insert(4, until: Self.time(99), at: Self.time(6))
        let found = (1...4).filter { table.contains($0, at: Self.time(6)) }
        #expect(found == [2, 4])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `holds the latest entries and never exceeds its size`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = ExpiringTable<Int, Int>(entriesMax: 8)
        var newest: [Int: (value: Int, until: Timestamp)] = [:]
        for step in 0..<500 as Range<UInt64> {
            let now = Self.time(step)
            let key = Int.random(in: 0..<32, using: &random)
            let until = Self.time(step + UInt64.random(in: 0..<40, using: &random))
            newest[key] = (Int(step), until)
            table.put(Int(step), for: key, until: until, at: now)
            if until > now { #expect(table.value(of: key, at: now) == Int(step)) }
            let found = (0..<32).filter { table.value(of: $0, at: now) != nil }
            #expect(found.count <= 8, "seed \(seed)")
            for key in found {
                #expect(table.value(of: key, at: now) == newest[key]?.value)
                #expect(newest[key].map { $0.until > now } == true, "seed \(seed)")
            }
        }
    }
}
