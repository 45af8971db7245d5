package import Keys

/// Conversations of this node's accounts; the bytes are the account's own, sealed by it.
package enum Conversations: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "conversations"
}

extension WriteTransaction {
    /// Keeps a conversation as its account has sealed it.
    package mutating func putConversation(
        _ bytes: [UInt8],
        _ id: Bytes32,
        of account: Address
    ) throws {
        let key = CompositeKey(account, id)
        if try !contains(Conversations.self, key) { try countConversations(1, of: account) }
        try put(Conversations.self, key, bytes)
    }

    /// Removes a conversation's own row, and nothing else that is filed under it.
    package mutating func removeConversationRow(_ id: Bytes32, of account: Address) throws {
        let key = CompositeKey(account, id)
        guard try contains(Conversations.self, key) else { return }
        try countConversations(-1, of: account)
        try remove(Conversations.self, key)
    }

    /// Removes all conversations of an account, and nothing else that is filed under them.
    mutating func removeConversationRows(of account: Address) throws {
        try remove(Conversations.self, .prefix(account))
        try remove(Counters.self, Counters.conversations(of: account))
    }

    private mutating func countConversations(_ difference: Int, of account: Address) throws {
        let count = try conversationCount(of: account) + difference
        let name = Counters.conversations(of: account)
        try put(Counters.self, name, UInt64(clamping: count))
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// How many conversations an account has, its request box included.
    package func conversationCount(of account: Address) throws -> Int {
        if let count = try get(Counters.self, Counters.conversations(of: account)) {
            return Int(clamping: count)
        }
        // Of a store in which they were not counted yet.
        return try keys(Conversations.self, .prefix(account)).count
    }

    /// How many of them are in its request box.
    package func requestCount(of account: Address) throws -> Int {
        try keys(MailRequests.self, .prefix(account)).count
    }
}
