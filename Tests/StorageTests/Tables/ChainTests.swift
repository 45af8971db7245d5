import Keys
import Market
import Storage
import Support
import Testing

struct ChainTests {
    private let chain = ChainID(31_337)
    private let account = SampleRecords.key(1).address

    private func sale(_ number: UInt8) -> ChainSubject {
        ChainSubject(chain: chain, contract: account, id: Bytes32(repeating: number))
    }

    private func event(
        _ height: UInt64,
        _ index: UInt32,
        fork: UInt8 = 0
    ) -> (key: ChainEventKey, bytes: [UInt8]) {
        let block = Bytes32(words: height, UInt64(fork), 0, 0)
        let key = ChainEventKey(chain: chain, height: height, logIndex: index, block: block)
        return (key, [UInt8(height), UInt8(index), fork])
    }

    private func events(in store: Store) throws -> [[UInt8]] {
        try store.read { try $0.events(of: chain, limit: 10).map(\.bytes) }
    }

    @Test func `counts each event once and lists events in the chain's order`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let events = [event(2, 1), event(1, 0), event(2, 0)]

        try await store.write { try $0.applyEvents(events, checkpoint: [2], of: chain) }
        try await store.write { try $0.applyEvents(events, checkpoint: [3], of: chain) }

        #expect(try self.events(in: store) == [[1, 0, 0], [2, 0, 0], [2, 1, 0]])
        let inRange = try store.read { try $0.events(of: chain, in: 2...2) }
        #expect(inRange == [[2, 0, 0], [2, 1, 0]])
        #expect(try store.read { try $0.checkpoint(of: chain) } == [3])
        #expect(try store.read { try $0.checkpoint(of: ChainID(1)) } == nil)
    }

    @Test func `a rollback removes only events above the fork`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let other = ChainID(1)
        try await store.write { transaction in
            let events = [event(1, 0), event(2, 0), event(3, 0)]
            try transaction.applyEvents(events, checkpoint: [3], of: chain)
            let key = ChainEventKey(chain: other, height: 9, logIndex: 0, block: .zero)
            try transaction.applyEvents([(key, [9])], checkpoint: [9], of: other)
            try transaction.noteNotified(upTo: 3, of: chain)
            try transaction.noteNotified(upTo: 9, of: other)
        }

        try await store.write { try $0.rollBackEvents(above: 1, checkpoint: [1], of: chain) }

        #expect(try events(in: store) == [[1, 0, 0]])
        #expect(try store.read { try $0.events(of: other, limit: 10).map(\.bytes) } == [[9]])
        #expect(try store.read { try $0.checkpoint(of: chain) } == [1])
        #expect(try store.read { try $0.checkpoint(of: other) } == [9])
        #expect(try store.read { try $0.notifiedHeight(of: chain) } == 1)
        #expect(try store.read { try $0.notifiedHeight(of: other) } == 9)

        try await store.write {
            try $0.applyEvents([event(2, 0, fork: 1)], checkpoint: [2], of: chain)
        }
        #expect(try events(in: store) == [[1, 0, 0], [2, 0, 1]])
        try await store.write { try $0.rollBackEvents(above: nil, checkpoint: [0], of: chain) }
        #expect(try events(in: store).isEmpty)
    }

    @Test func `reports each event of a sale once when seen, and once when final`() async throws {
        let folder = try TemporaryFolder()
        var answers: [Bool] = []
        for _ in 0..<2 {
            let store = try Store(folder: folder.path)
            answers += try await store.write { transaction in
                let told = try [
                    (7, 0, false), (7, 1, false), (7, 0, true), (8, 0, false), (7, 1, true),
                ].map { try note(UInt64($0), $1, isFinal: $2, in: &transaction) }
                try transaction.noteNotified(upTo: 8, of: chain)
                return told
            }
        }
        #expect(answers == Array(repeating: true, count: 5) + Array(repeating: false, count: 5))
    }

    @Test func `does not report events from before a sale was first recorded`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let answers = try await store.write { transaction in
            try transaction.noteNotified(upTo: 10, of: chain)
            return try [(10, 0, false), (8, 9, true), (9, 0, true), (11, 0, false)]
                .map { try note(UInt64($0), $1, isFinal: $2, in: &transaction) }
        }
        // With 3 confirmations, blocks up to 8 were final when block 10 was the newest.
        #expect(answers == [false, false, true, true])
    }

    @Test func `reports events above a rollback as new ones`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let answers = try await store.write { transaction in
            var told = try [note(12, 3, isFinal: false, in: &transaction)]
            try transaction.noteNotified(upTo: 12, of: chain)
            try transaction.rollBackEvents(above: 10, checkpoint: [1], of: chain)
            for (height, index) in [(10, 0), (11, 0), (12, 3)] as [(UInt64, UInt64)] {
                told.append(try note(height, index, isFinal: false, in: &transaction))
            }
            return told
        }
        #expect(answers == [true, false, true, true])
    }

    private func note(
        _ height: UInt64,
        _ index: UInt64,
        isFinal: Bool,
        in transaction: inout WriteTransaction
    ) throws -> Bool {
        try transaction.noteNotified(
            of: ChainEventPlace(height: height, logIndex: index),
            isFinal: isFinal,
            in: sale(1),
            confirmations: 3
        )
    }

    @Test func `the journal is append-only and keeps its intents over a restart`() async throws {
        let folder = try TemporaryFolder()
        let intents = (1...3).map {
            IntentKey(account: account, chain: chain, intent: Bytes32(repeating: $0))
        }
        do {
            let store = try Store(folder: folder.path)
            let steps = try await store.write { transaction in
                try [
                    transaction.journal([1], of: intents[0]),
                    transaction.journal([2], of: intents[0]),
                    transaction.journal([3], of: intents[1]),
                    transaction.journal([4], of: intents[0]),
                    transaction.journal([5], of: intents[2]),
                ]
            }
            #expect(steps == [0, 1, 0, 2, 0])
        }

        let store = try Store(folder: folder.path)
        #expect(try store.read { try $0.journal(of: intents[0]) } == [[1], [2], [4]])
        #expect(try store.read { try $0.intents(of: account, on: chain) } == intents)
        #expect(try store.read { try $0.intents(of: account, on: ChainID(1)).isEmpty })
    }
}
