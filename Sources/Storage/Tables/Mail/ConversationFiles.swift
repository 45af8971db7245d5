package import Keys

/// Encrypted files that belong to conversations, such as pictures of notes, with their lengths.
///
/// They count against the room of their account's conversations, and go with their conversation.
/// The account and the conversation, then the file.
enum ConversationFiles: Table {
    typealias Key = CompositeKey<CompositeKey<Address, Bytes32>, Bytes32>
    typealias Value = UInt64
    static let name = "conversation-files"
}

extension ReadableTransaction where Self: ~Copyable {
    /// Whether a file belongs to a conversation of an account.
    package func isFiled(_ id: Bytes32, in conversation: Bytes32, of account: Address) throws
        -> Bool
    {
        try contains(ConversationFiles.self, CompositeKey(CompositeKey(account, conversation), id))
    }

    /// Whether a file belongs to any conversation of an account.
    func isFiled(_ id: Bytes32, of account: Address) throws -> Bool {
        var isFiled = false
        try scanKeys(ConversationFiles.self, .prefix(account)) { key in
            isFiled = key.second == id
            return !isFiled
        }
        return isFiled
    }
}

extension WriteTransaction {
    /// Files an encrypted file, which is pinned for the account, under a conversation; from then on
    /// peers can have it.
    ///
    /// A digital work of the account is not filed, so that it stays if the conversation goes.
    package mutating func file(
        _ id: Bytes32,
        byteCount: UInt64,
        in conversation: Bytes32,
        of account: Address
    ) throws {
        // The account may have been removed in the meantime, and the conversation deleted.
        guard try !isWorkFile(id, of: account), try !isFiled(id, in: conversation, of: account),
            try contains(Conversations.self, CompositeKey(account, conversation))
        else { return }
        let key = CompositeKey(CompositeKey(account, conversation), id)
        try put(ConversationFiles.self, key, byteCount)
        try put(SealedFiles.self, CompositeKey(id, account), EmptyValue())
        try countConversationBytes(adding: BlobLimits.room(for: byteCount), of: account)
    }

    /// Takes a file out of all conversations of an account, as it has become a digital work.
    mutating func unfile(_ id: Bytes32, of account: Address) throws {
        for (key, byteCount) in try entries(ConversationFiles.self, .prefix(account))
        where key.second == id {
            try remove(ConversationFiles.self, key)
            try countConversationBytes(removing: BlobLimits.room(for: byteCount), of: account)
        }
    }

    /// Releases the files of a conversation, except those that another one has too.
    mutating func removeFiles(in conversation: Bytes32, of account: Address) throws {
        let files = try entries(
            ConversationFiles.self,
            .prefix(CompositeKey(account, conversation))
        )
        for (key, byteCount) in files {
            try remove(ConversationFiles.self, key)
            try countConversationBytes(removing: BlobLimits.room(for: byteCount), of: account)
            guard try !isFiled(key.second, of: account) else { continue }
            try remove(SealedFiles.self, CompositeKey(key.second, account))
            try unpin(key.second, for: account)
        }
    }
}
