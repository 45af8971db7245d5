import Storage
import Support
import Testing

struct ScanTests {
    private typealias Key = CompositeKey<UInt8, UInt64>

    /// Steps, with entries of other tables on both sides.
    private func filled(_ folder: TemporaryFolder, _ form: SampleForm) throws -> Environment {
        let environment = try Sample.environment(folder.path, form: form)
        try environment.write { transaction in
            for word in ["", "a", "z"] { try transaction.put(Words.self, word, [1]) }
            for mark in [0, .max] as [UInt64] {
                try transaction.put(Marks.self, mark, EmptyValue())
            }
            for group in [0, 1, 2, 0xFF] as [UInt8] {
                for step in stride(from: 10, through: 50, by: 10) as StrideThrough<UInt64> {
                    try transaction.put(Steps.self, CompositeKey(group, step), step)
                }
            }
        }
        return environment
    }

    private func keys(
        _ scan: Scan<Key>,
        in environment: Environment,
        limit: Int = .max
    ) throws -> [Key] {
        try environment.read { transaction in
            var found: [Key] = []
            try transaction.scanKeys(Steps.self, scan) { key in
                found.append(key)
                return found.count < limit
            }
            return found
        }
    }

    @Test(arguments: SampleForm.allCases)
    func `agrees with a sorted array for every start, prefix and direction`(
        _ form: SampleForm
    ) throws {
        let folder = try TemporaryFolder()
        let environment = try filled(folder, form)
        let all = try keys(.all(), in: environment)
        #expect(all.count == 20)
        #expect(try keys(.all(.descending), in: environment) == all.reversed())

        var cases = 0
        for group in [0, 1, 2, 3, 0xFE, 0xFF] as [UInt8] {
            let within = all.filter { $0.first == group }
            #expect(try keys(.prefix(group), in: environment) == within)
            #expect(try keys(.prefix(group, .descending), in: environment) == within.reversed())
            for step in [5, 10, 15, 30, 50, 55] as [UInt64] {
                let key = Key(group, step)
                let from = within.filter { $0.second >= step }
                let beyond = within.filter { $0.second > step }
                let downFrom = Array(within.filter { $0.second <= step }.reversed())
                let downBeyond = Array(within.filter { $0.second < step }.reversed())
                let down = Scan<Key>.prefix(group, .descending)
                #expect(try keys(.prefix(group).from(key), in: environment) == from)
                #expect(try keys(.prefix(group).beyond(key), in: environment) == beyond)
                #expect(try keys(down.from(key), in: environment) == downFrom)
                #expect(try keys(down.beyond(key), in: environment) == downBeyond)
                cases += 4
            }
        }
        #expect(cases == 144)
    }

    @Test(arguments: SampleForm.allCases)
    func `stops when asked to`(_ form: SampleForm) throws {
        let folder = try TemporaryFolder()
        let environment = try filled(folder, form)

        #expect(
            try keys(.prefix(1 as UInt8), in: environment, limit: 2) == [Key(1, 10), Key(1, 20)]
        )
        let first = try environment.read { try $0.first(Steps.self, .prefix(2 as UInt8)) }
        #expect(first?.value == 10)
        let none = try environment.read { try $0.first(Steps.self, .prefix(3 as UInt8)) }
        #expect(none == nil)
    }

    @Test(arguments: SampleForm.allCases)
    func `removes the entries that it visits, up to a limit`(_ form: SampleForm) throws {
        let folder = try TemporaryFolder()
        let environment = try filled(folder, form)

        let removed = try environment.write { transaction in
            (
                try transaction.remove(Steps.self, .prefix(1 as UInt8)),
                try transaction.remove(Steps.self, .prefix(2 as UInt8, .descending), max: 2)
            )
        }

        #expect(removed == (5, 2))
        #expect(try keys(.prefix(1 as UInt8), in: environment).isEmpty)
        #expect(try keys(.prefix(2 as UInt8), in: environment).map(\.second) == [10, 20, 30])
        #expect(try environment.stepCount() == 13)
        let others = try environment.read { try ($0.count(Words.self), $0.count(Marks.self)) }
        #expect(others == (3, 2))
    }
}
