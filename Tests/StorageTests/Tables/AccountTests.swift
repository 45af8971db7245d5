import Keys
import Market
import Storage
import Support
import Testing

struct AccountTests {
    private let ana = SampleRecords.key(1).address
    private let bo = SampleRecords.key(2).address

    @Test func `numbers an account's events without gaps and keeps them a week`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        func add(_ time: Timestamp, to account: Address) async throws -> UInt64 {
            try await store.write {
                try $0.appendEvent(AccountEvent(time: time, bytes: [7]), for: account)
            }
        }
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(try await add(.sample(number), to: ana) == number)
        }
        #expect(try await add(.sample(), to: bo) == 1)
        let page = try store.read { try $0.events(of: ana, after: 1, limit: 9) }
        #expect(page.events.map(\.number) == [2, 3] && page.last == 3 && !page.isGap)

        let later = Timestamp.sample(10).advanced(by: .days(7))
        #expect(try await add(later, to: ana) == 4)

        let behind = try store.read { try $0.events(of: ana, after: 1, limit: 9) }
        #expect(behind.events.map(\.number) == [4] && behind.isGap)
        let ahead = try store.read { try $0.events(of: ana, after: 9, limit: 9) }
        #expect(ahead.isGap)
        #expect(try store.read { try $0.events(of: bo, after: 0, limit: 9).events.count } == 1)
    }

    @Test func `remembers an answer by account until it expires`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let (key, request) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
        try await store.write {
            try $0.putAnswer([5], request: request, key: key, of: ana, at: .sample())
        }
        func answer(_ account: Address, _ time: Timestamp) throws -> [UInt8]? {
            try store.read { try $0.answer(to: key, of: account, at: time)?.bytes }
        }

        #expect(try answer(ana, .sample()) == [5])
        #expect(try answer(bo, .sample()) == nil)
        let later = Timestamp.sample().advanced(by: .days(1))
        #expect(try answer(ana, later) == nil)
        try await store.write {
            try $0.putAnswer([6], request: request, key: request, of: bo, at: later)
        }
        #expect(try answer(ana, .sample()) == nil)
    }

    @Test func `keeps an answer that names an operation beyond its account's end`() async throws {
        let folder = try TemporaryFolder()
        let (key, other) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
        let operation = Bytes32(repeating: 3)
        let later = Timestamp.sample().advanced(by: .days(1_000))
        func answer(_ store: Store) throws -> [UInt8]? {
            try store.read { try $0.answer(to: key, of: ana, at: later)?.bytes }
        }
        do {
            let store = try Store(folder: folder.path)
            try await store.write { transaction in
                try transaction.put(Operations.self, CompositeKey(ana, operation), [1])
                for key in [key, other] {
                    // The other one answers something that is no operation.
                    let bytes = key == other ? [] : operation.bytes
                    try transaction.putAnswer(
                        bytes,
                        request: other,
                        key: key,
                        of: ana,
                        at: .sample()
                    )
                }
            }
            #expect(try answer(store) == operation.bytes)
            // A later answer has what is over swept away.
            try await store.write {
                try $0.putAnswer([6], request: other, key: other, of: bo, at: later)
            }
            #expect(try answer(store) == operation.bytes)
            let swept = try store.read { try $0.answer(to: other, of: ana, at: .sample()) }
            #expect(swept == nil)
            try await store.write { try $0.removeAccount(ana) }
        }
        let store = try Store(folder: folder.path)
        #expect(try store.read { try $0.get(Operations.self, CompositeKey(ana, operation)) } == nil)
        #expect(try answer(store) == operation.bytes)
    }

    @Test func `stores accounts and settings`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        try await store.write { transaction in
            try transaction.put(AccountEntries.self, ana, [1])
            try transaction.put(Settings.self, "peer", [2])
            try transaction.put(Operations.self, CompositeKey(ana, .zero), [3])
        }

        #expect(try store.read { try $0.get(AccountEntries.self, ana) } == [1])
        #expect(try store.read { try $0.get(Settings.self, "peer") } == [2])
        #expect(try store.read { try $0.get(Operations.self, CompositeKey(ana, .zero)) } == [3])
    }
}
