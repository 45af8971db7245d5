import Keys
import Market
import Storage
import Support
import Testing

/// Encrypted files that belong to conversations.
struct ConversationFilesTests {
    private static let account = testKey(1).address
    private static let (one, other) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
    private static let picture = Media(
        id: Bytes32(repeating: 3),
        byteCount: 5_000,
        form: .sealed
    )

    private static func store(in folder: TemporaryFolder) async throws -> Store {
        let store = try Store(folder: folder.path)
        try await store.write { transaction in
            try transaction.put(AccountEntries.self, account, [1])
            for id in [one, other] { try transaction.putConversation([1], id, of: account) }
            _ = try transaction.pin(picture, for: account, bytesMax: 1 << 20)
        }
        return store
    }

    private static func file(
        in conversations: [Bytes32],
        of transaction: inout WriteTransaction
    ) throws {
        for id in conversations {
            try transaction.file(picture.id, byteCount: picture.byteCount, in: id, of: account)
        }
    }

    /// The bytes that the account's conversations take, and whether peers can have the picture, which
    /// then is pinned.
    private static func state(of store: Store) throws -> (bytes: UInt64, isServed: Bool) {
        try store.read { transaction in
            let isServed = try transaction.isSealedFile(picture.id)
            #expect(try transaction.isMediaPinned(picture.id) == isServed)
            return (try transaction.conversationBytes(of: account), isServed)
        }
    }

    @Test func `a file counts in each conversation and is removed with the last`() async throws {
        let folder = try TemporaryFolder()
        let store = try await Self.store(in: folder)
        try await store.write { transaction in
            for _ in 1...2 { try Self.file(in: [Self.one, Self.other], of: &transaction) }
        }
        #expect(try Self.state(of: store) == (2 * 8_192, true))
        try await store.write { try $0.removeConversation(Self.one, of: Self.account) }
        #expect(try Self.state(of: store) == (8_192, true))
        try await store.write { try $0.removeConversation(Self.other, of: Self.account) }
        #expect(try Self.state(of: store) == (0, false))
    }

    @Test func `a conversation that was deleted gets no file`() async throws {
        let folder = try TemporaryFolder()
        let store = try await Self.store(in: folder)
        try await store.write { transaction in
            try transaction.removeConversation(Self.one, of: Self.account)
            try Self.file(in: [Self.one], of: &transaction)
        }
        #expect(try store.read { try !$0.isSealedFile(Self.picture.id) })
    }

    /// - From peers: a picture of a note that is a digital work of the reader → the work stays if the
    ///   conversation is deleted
    @Test func `a digital work stays if a conversation that names it goes`() async throws {
        let folder = try TemporaryFolder()
        let store = try await Self.store(in: folder)
        try await store.write { transaction in
            let (account, blob) = (Self.account, Self.picture.id)
            try transaction.putWork(blob, of: account, sealed: [1], blob: blob)
            try Self.file(in: [Self.one], of: &transaction)
            try transaction.removeConversation(Self.one, of: account)
        }
        #expect(try Self.state(of: store) == (0, true))
    }

    /// - From peers: a picture of a note that becomes a digital work of the reader → the work stays if
    ///   the conversation is deleted, and takes no room of the conversations
    @Test func `a file of a conversation that becomes a work stays`() async throws {
        let folder = try TemporaryFolder()
        let store = try await Self.store(in: folder)
        let (account, blob) = (Self.account, Self.picture.id)
        try await store.write { transaction in
            try Self.file(in: [Self.one, Self.other], of: &transaction)
        }
        #expect(try store.read { try !$0.isWorkFile(blob, of: account) })
        try await store.write { transaction in
            try transaction.putWork(blob, of: account, sealed: [1], blob: blob)
        }
        #expect(try store.read { try $0.isWorkFile(blob, of: account) })
        #expect(try Self.state(of: store) == (0, true))
        try await store.write { try $0.removeConversation(Self.one, of: account) }
        #expect(try Self.state(of: store) == (0, true))
        try await store.write { try $0.removeWork(blob, of: account, blob: blob) }
        #expect(try Self.state(of: store) == (0, false))
    }

    @Test func `a picture stays if a work that names it goes`() async throws {
        let folder = try TemporaryFolder()
        let store = try await Self.store(in: folder)
        let (account, blob) = (Self.account, Self.picture.id)
        try await store.write { transaction in
            try transaction.putWork(blob, of: account, sealed: [1], blob: nil)
            try Self.file(in: [Self.one], of: &transaction)
            try transaction.removeWork(blob, of: account, blob: blob)
        }
        #expect(try Self.state(of: store) == (8_192, true))
    }
}
