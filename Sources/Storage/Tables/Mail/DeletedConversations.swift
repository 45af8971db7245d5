package import Keys
package import Market

/// Conversations that their account has deleted; their remains prevent the reuse of numbers, and
/// keep copies of deleted messages from starting them again.
package enum DeletedConversations: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "deleted-conversations"
}

/// Deleted conversations that only late copies could restart, by the time after which no copies are
/// left.
enum DeletedConversationsByTime: Table {
    typealias Key = CompositeKey<Timestamp, CompositeKey<Address, Bytes32>>
    typealias Value = EmptyValue
    static let name = "deleted-conversations-by-time"
}

extension WriteTransaction {
    /// Forgets a deleted conversation at some time.
    package mutating func forgetDeleted(
        _ id: Bytes32,
        of account: Address,
        at time: Timestamp
    ) throws {
        try put(
            DeletedConversationsByTime.self,
            CompositeKey(time, CompositeKey(account, id)),
            EmptyValue()
        )
    }

    /// Keeps a conversation after all that was to be forgotten at that time.
    package mutating func keepDeleted(
        _ id: Bytes32,
        of account: Address,
        at time: Timestamp
    ) throws {
        try remove(DeletedConversationsByTime.self, CompositeKey(time, CompositeKey(account, id)))
    }

    /// Forgets deleted conversations whose time is over, some at a time.
    ///
    /// - Returns: How many it forgot; call again while not zero.
    package mutating func sweepDeletedConversations(
        at now: Timestamp
    ) throws -> Int {
        let due = try keys(
            DeletedConversationsByTime.self,
            .all(),
            limit: limits.sweepEntriesMax
        ) { $0.first <= now }
        for key in due {
            try remove(DeletedConversationsByTime.self, key)
            try remove(DeletedConversations.self, key.second)
        }
        return due.count
    }

    /// Forgets all that an account has deleted.
    mutating func removeDeletedConversations(of account: Address) throws {
        let times = try keys(DeletedConversationsByTime.self, .all())
        for time in times where time.second.first == account {
            try remove(DeletedConversationsByTime.self, time)
        }
        try remove(DeletedConversations.self, .prefix(account))
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The numbers of a conversation's messages that are here, by the device that gave them.
    package func messageNumbers(
        in conversation: Bytes32,
        of account: Address
    ) throws -> [Bytes32: [UInt64]] {
        var found: [Bytes32: [UInt64]] = [:]
        try scanKeys(MessagesByNumber.self, .prefix(CompositeKey(account, conversation))) { key in
            found[key.device, default: []].append(key.number)
            return true
        }
        return found
    }
}
