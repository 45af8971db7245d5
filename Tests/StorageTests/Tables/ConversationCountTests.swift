import Keys
import Market
import Storage
import Support
import Testing

struct ConversationCountTests {
    private let ana = SampleRecords.key(1).address
    private let bo = SampleRecords.key(2).address

    private func id(_ number: UInt8) -> Bytes32 { Bytes32(repeating: number) }

    @Test func `counts each of an account's conversations once`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        func count(_ account: Address) throws -> Int {
            try store.read { try $0.conversationCount(of: account) }
        }
        try await store.write { transaction in
            for number in [1, 2, 2, 3] as [UInt8] {
                try transaction.putConversation([number], id(number), of: ana)
            }
            try transaction.putConversation([1], id(1), of: bo)
        }
        #expect(try count(ana) == 3 && count(bo) == 1)
        try await store.write { transaction in
            try transaction.removeConversationRow(id(2), of: ana)
            try transaction.removeConversation(id(2), of: ana)
            try transaction.removeConversation(id(3), of: ana)
        }
        #expect(try count(ana) == 1 && count(bo) == 1)
        try await store.write { try $0.removeAccount(ana) }
        #expect(try count(ana) == 0 && count(bo) == 1)
    }

    @Test func `counts the conversations of a store that lacks the count`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        try await store.write { transaction in
            for number in 1...3 as ClosedRange<UInt8> {
                try transaction.put(Conversations.self, CompositeKey(ana, id(number)), [number])
            }
        }
        #expect(try store.read { try $0.conversationCount(of: ana) } == 3)
        try await store.write { try $0.putConversation([4], id(4), of: ana) }
        #expect(try store.read { try $0.conversationCount(of: ana) } == 4)
        try await store.write { try $0.removeConversationRow(id(1), of: ana) }
        #expect(try store.read { try $0.conversationCount(of: ana) } == 3)
    }
}
