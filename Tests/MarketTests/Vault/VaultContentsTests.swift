import Keys
import Market
import Support
import Testing

extension VaultEntry {
    /// An entry with few different names, times and devices, so that many meet.
    static func sample(using random: inout SeededRandom, names: Int = 6) throws -> VaultEntry {
        let section = [VaultSection.favourites, .cart, VaultSection(rawValue: 900)]
            .randomElement(using: &random)
        return try VaultEntry(
            section: try #require(section),
            name: Array("name \(Int.random(in: 0..<names, using: &random))".utf8),
            value: Bool.random(using: &random) ? nil : [UInt8(random.next() % 3)],
            time: Timestamp(milliseconds: random.next() % 5),
            device: Bytes32(repeating: UInt8(random.next() % 3))
        )
    }
}

struct VaultContentsTests {
    @Test(arguments: 0..<32 as Range<UInt64>)
    func `merges to the same contents in any order, grouping and repetition`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let entries = try (0..<60).map { _ in try VaultEntry.sample(using: &random) }
        let expected = VaultContents(entries)
        for _ in 0..<10 {
            let shuffled = entries.shuffled(using: &random)
            let (one, two) = (shuffled.prefix(25), shuffled.dropFirst(20))
            var contents = VaultContents(one)
            contents.merge(VaultContents(two))
            contents.merge(contents)
            #expect(contents == expected, "seed \(seed)")
            var other = VaultContents(two)
            other.merge(VaultContents(one))
            #expect(other == expected, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a section drops its earliest names beyond its room, in any order`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let entries = try (0..<200).map { _ in
            try VaultEntry.sample(using: &random, names: 150)
        }
        let expected = VaultContents(entries)
        let late = VaultSection(rawValue: 900)
        #expect(expected.entries { $0.section == late }.count <= late.entriesMax)
        for _ in 0..<5 {
            let parts = stride(from: 0, to: entries.count, by: 40).map { start in
                VaultContents(entries.shuffled(using: &random)[start..<start + 40])
            }
            var contents = VaultContents(entries)
            for part in parts.shuffled(using: &random) { contents.merge(part) }
            #expect(contents == expected, "seed \(seed)")
            var singly = VaultContents()
            for entry in entries.shuffled(using: &random) { singly.merge([entry]) }
            #expect(singly == expected, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `a new name never evicts one that was written again`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let section = VaultSection(rawValue: 900)
        var contents = VaultContents()
        var present: Set<[UInt8]> = []
        var clock: UInt64 = 0
        func entry(_ name: [UInt8], _ value: [UInt8]?) throws -> VaultEntry {
            clock += 1
            return try VaultEntry(
                section: section,
                name: name,
                value: value,
                time: Timestamp(milliseconds: clock),
                device: .zero
            )
        }
        for step in 0..<500 {
            let isFull = present.count >= section.entriesMax / 2
            let old = present.randomElement(using: &random)
            let name = isFull ? old ?? [] : Array("\(step)".utf8)
            let kept = contents.endangered(by: [name], in: section)
            contents.merge(try kept.map { try entry($0.name, $0.value) })
            contents.merge([try entry(name, isFull ? nil : [1])])
            if isFull { present.remove(name) } else { present.insert(name) }
            #expect(Set(contents.present(in: section).map(\.name)) == present, "step \(step)")
        }
        #expect(contents.count == section.entriesMax)
    }

    @Test
    func `a new name evicts the earliest from a full section permanently`() throws {
        let section = VaultSection(rawValue: 900)
        let entries = try (0...section.entriesMax).map { number in
            try VaultEntry(
                section: section,
                name: Array("\(number)".utf8),
                value: number == 1 ? nil : [],
                time: Timestamp(milliseconds: UInt64(number)),
                device: Bytes32(repeating: 1)
            )
        }
        var contents = VaultContents(entries.dropLast())
        let names = entries.suffix(1).map(\.name)
        // One was removed, so that the one before it can stay.
        #expect(contents.endangered(by: Set(names), in: section).map(\.name) == [entries[0].name])
        let two = Set(names + [[7]])
        #expect(contents.endangered(by: two, in: section).isEmpty)
        contents.merge(entries.suffix(1))
        #expect(contents.value(entries[0].name, in: section) == nil)
        #expect(contents.endangered(by: [[7]], in: section).isEmpty)
    }

    @Test func `the later write wins, and a removal counts as a write`() throws {
        let name = Array("red bicycle".utf8)
        func entry(_ value: [UInt8]?, at time: UInt64, by device: UInt8 = 1) throws -> VaultEntry {
            try VaultEntry(
                section: .favourites,
                name: name,
                value: value,
                time: Timestamp(milliseconds: time),
                device: Bytes32(repeating: device)
            )
        }
        var contents = VaultContents([try entry([1], at: 10)])
        contents.merge([try entry(nil, at: 20)])
        #expect(contents.value(name, in: .favourites) == nil)
        #expect(contents.present(in: .favourites).isEmpty && contents.count == 1)
        contents.merge([try entry([2], at: 15)])
        #expect(contents.value(name, in: .favourites) == nil)
        contents.merge([try entry([3], at: 20, by: 2)])
        #expect(contents.value(name, in: .favourites) == [3])
        contents.merge([try entry([2], at: 20, by: 2), try entry([4], at: 20, by: 2)])
        #expect(contents.value(name, in: .favourites) == [4])
        let now = Timestamp(milliseconds: 5)
        #expect(contents.time(of: name, in: .favourites, at: now).milliseconds == 21)
        #expect(contents.time(of: [9], in: .favourites, at: now) == now)
    }

    @Test func `refuses names and values beyond their bounds`() throws {
        let entry = { (name: Int, value: Int) throws in
            try VaultEntry(
                section: .cart,
                name: [UInt8](repeating: 1, count: name),
                value: [UInt8](repeating: 1, count: value),
                time: Timestamp(milliseconds: 1),
                device: .zero
            )
        }
        _ = try entry(1, 0)
        _ = try entry(128, 512)
        #expect(throws: VaultFault.nameLength(0)) { try entry(0, 1) }
        #expect(throws: VaultFault.nameLength(129)) { try entry(129, 1) }
        #expect(throws: VaultFault.valueLength(513, countMax: 512)) { try entry(1, 513) }
    }

    /// A merge that compared each entry with each other would take longer than the limit.
    @Test(.timeLimit(.minutes(1)))
    func `merges two vaults of thousands of entries quickly`() throws {
        var random = SeededRandom(seed: 7)
        let sections: [VaultSection] = [.favourites, .contacts, .blocks, .readMarks]
        let entries = try (0..<10_000).map { index in
            try VaultEntry(
                section: sections[index % 4],
                name: random.bytes(count: 52),
                value: random.bytes(count: 40),
                time: Timestamp(milliseconds: random.next() % 1_000),
                device: Bytes32(repeating: UInt8(index % 3))
            )
        }
        let (one, two) = (VaultContents(entries.prefix(6_000)), entries.suffix(10_000))
        var contents = one
        contents.merge(two)
        #expect(contents.count > 7_000)
    }
}
