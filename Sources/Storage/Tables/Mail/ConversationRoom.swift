package import Keys

/// Whether conversations may grow.
///
/// Half of the room for all accounts is first come, first served. The rest is divided into one
/// guaranteed share for each account that the node may have, so that no accounts leave another one
/// without room.
package enum ConversationRoom: Sendable {
    case free
    /// The account has used up its room.
    case accountFull
    /// All accounts together have used up theirs, and this one its share.
    case allFull
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns whether an account's conversations have room for a message of this size.
    package func conversationRoom(
        for byteCount: Int,
        of account: Address
    ) throws -> ConversationRoom {
        let own = try conversationBytes(of: account) + ConversationWeight.ofMessage(byteCount)
        if own > limits.conversationBytesMax { return .accountFull }
        let common = limits.allConversationBytesMax / 2
        if try counter(Counters.allConversationBytes) <= common { return .free }
        let share = (limits.allConversationBytesMax - common) / UInt64(max(1, limits.accountsMax))
        return own <= share ? .free : .allFull
    }

    /// The bytes of an account's conversations and outbox.
    package func conversationBytes(of account: Address) throws -> UInt64 {
        let name = Counters.conversationBytes(of: account)
        if let counted = try get(Counters.self, name) { return counted }
        // Of a store in which they were not counted yet.
        let messages = try weight(Messages.self, .prefix(account))
        return try messages + weight(Outbox.self, .prefix(account))
    }

    /// The bytes of a scan's rows.
    func weight<T: Table>(_ table: T.Type, _ scan: Scan<T.Key>) throws -> UInt64 {
        var sum: UInt64 = 0
        try scanStored(table, scan) { _, value in
            sum += ConversationWeight.of(value.remaining)
            return true
        }
        return sum
    }
}

extension WriteTransaction {
    /// Counts what is about to be added to an account's conversations and outbox, and removed from
    /// them.
    mutating func countConversationBytes(
        adding added: UInt64 = 0,
        removing removed: UInt64 = 0,
        of account: Address
    ) throws {
        if added == removed { return }
        let name = Counters.conversationBytes(of: account)
        let isCounted = try contains(Counters.self, name)
        let before = try conversationBytes(of: account)
        let after = before + added - min(before + added, removed)
        try put(Counters.self, name, after)
        let all = try counter(Counters.allConversationBytes) + (isCounted ? 0 : before) + after
        try put(Counters.self, Counters.allConversationBytes, all - min(all, before))
    }

    /// Forgets what the conversations and outbox of an account took.
    mutating func forgetConversationBytes(of account: Address) throws {
        let name = Counters.conversationBytes(of: account)
        guard let counted = try get(Counters.self, name) else { return }
        let all = try counter(Counters.allConversationBytes)
        try put(Counters.self, Counters.allConversationBytes, all - min(all, counted))
        try remove(Counters.self, name)
    }
}

/// The bytes that a row of a conversation or of the outbox takes in the store.
enum ConversationWeight {
    private static let pageByteCount = 4_096
    /// The bytes of a row that begins on a page of its own.
    private static let largeByteCount = 2_000

    /// A large row takes whole pages; small ones share pages that are about half full.
    static func of(_ byteCount: Int) -> UInt64 {
        let row = byteCount + 256
        guard row > largeByteCount else { return UInt64(2 * row) }
        return UInt64((row + pageByteCount - 1) / pageByteCount * pageByteCount)
    }

    /// A message with its envelope in the outbox, before it is sealed.
    static func ofMessage(_ byteCount: Int) -> UInt64 { 2 * of(byteCount + 512) }
}
