import Keys
import Market
import Storage
import Support
import Testing

/// The room that conversations have in the store.
struct ConversationRoomTests {
    private static let account = testKey(1).address
    private static let talk = Bytes32(repeating: 1)

    private static func number(_ number: Int) -> MessageNumberKey {
        MessageNumberKey(
            account: account,
            conversation: talk,
            device: .zero,
            number: UInt64(number)
        )
    }

    @Test func `counts what conversations and the outbox take`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        func bytes() throws -> UInt64 {
            try store.read { try $0.conversationBytes(of: Self.account) }
        }
        let entry = OutboxEntry(
            nextAttemptAt: .sample(),
            expiresAt: .sample(),
            destination: OutboxDestination(recipient: Self.account, isOfSale: false),
            bytes: [UInt8](repeating: 1, count: 5_000)
        )
        try await store.write { transaction in
            try transaction.put(AccountEntries.self, Self.account, [1])
            for number in 1...3 {
                let text = [UInt8](repeating: 7, count: 10_000)
                _ = try transaction.appendMessage(text, as: Self.number(number))
            }
        }
        #expect(try bytes() == 3 * 12_288)
        try await store.write { transaction in
            let key = MessageKey(account: Self.account, conversation: Self.talk, place: 1)
            try transaction.replaceMessage([1], at: key)
            for _ in 1...2 { try transaction.putOutbox(entry, of: Self.account, id: .zero) }
        }
        #expect(try bytes() == 2 * 12_288 + 514 + 8_192)
        try await store.write { transaction in
            try transaction.removeOutbox(of: Self.account, id: .zero)
            try transaction.removeConversation(Self.talk, of: Self.account)
        }
        #expect(try bytes() == 0)
        try await store.write { transaction in
            _ = try transaction.appendMessage([1], as: Self.number(1))
            try transaction.removeAccount(Self.account)
        }
        #expect(try bytes() == 0)
    }

    @Test func `some accounts that fill the room leave others their shares`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.conversationBytesMax = 44_000
        (limits.allConversationBytesMax, limits.accountsMax) = (120_000, 3)
        let store = try Store(folder: folder.path, limits: limits)
        func room(_ account: UInt8) throws -> ConversationRoom {
            try store.read { try $0.conversationRoom(for: 4_000, of: testKey(account).address) }
        }
        func fill(_ account: UInt8, to bytes: Int) async throws {
            let number = MessageNumberKey(
                account: testKey(account).address,
                conversation: Self.talk,
                device: .zero,
                number: 1
            )
            try await store.write {
                _ = try $0.appendMessage([UInt8](repeating: 1, count: bytes), as: number)
            }
        }
        #expect(try room(1) == .free)
        try await fill(1, to: 32_000)
        #expect(try room(1) == .accountFull)
        try await fill(2, to: 24_000)
        #expect(try room(2) == .free)
        try await fill(3, to: 6_000)
        // The common half is used up, and each but the fourth has used up its share.
        #expect(try room(2) == .allFull && room(3) == .allFull && room(4) == .free)
    }
}
