import AccountAccess
import Answers
import Client
import Foundation
import Keys
import Market
import MediaFiles
import Records
import Storage

/// Conversations and messages in the store, sealed by the account they belong to.
extension ReadableTransaction where Self: ~Copyable {
    func conversation(_ id: Bytes32, of unlocked: UnlockedAccount) throws
        -> StoredConversation?
    {
        let key = CompositeKey(unlocked.account, id)
        let bytes = try get(Conversations.self, key) ?? get(DeletedConversations.self, key)
        return try bytes.map {
            try unlocked.seal.open(StoredConversation.self, $0, for: .conversation(id))
        }
    }

    func message(at key: MessageKey, of unlocked: UnlockedAccount) throws -> StoredMessage? {
        try message(at: key).map {
            try unlocked.seal.open(StoredMessage.self, $0, for: .message(in: key.conversation))
        }
    }

    /// Returns the message of a conversation by the name that an earlier call returned.
    func message(
        named name: [UInt8],
        in id: Bytes32,
        _ kept: StoredConversation,
        of unlocked: UnlockedAccount
    ) throws -> Message? {
        guard let place = MessageName.place(String(decoding: name, as: UTF8.self), in: id) else {
            return nil
        }
        let key = MessageKey(account: unlocked.account, conversation: id, place: place)
        return try message(at: key, of: unlocked)?
            .shown(at: MessageName(conversation: id, place: place), in: kept)
    }

    /// Returns the API's id of the listing that a conversation is about.
    ///
    /// Mail names the slot alone: the author is this account if it has a listing there, otherwise
    /// the other side.
    func listingText(_ kept: StoredConversation, with account: Address) throws -> String? {
        try listingID(kept, with: account)?.description
    }

    /// Returns the title of that listing, also of one with a sale that was withdrawn.
    func listingTitle(_ kept: StoredConversation, with account: Address) throws -> String? {
        try listingID(kept, with: account).flatMap { try record(in: $0.key)?.listingTitle }
    }

    /// Returns the first picture of that listing; `nil` if this node does not have the listing.
    func listingPicture(
        _ kept: StoredConversation,
        with account: Address
    ) throws -> ListingMedia? {
        guard let id = try listingID(kept, with: account),
            case .listing(let listing)? = try record(in: id.key)?.readable()?.content
        else { return nil }
        return listing.media.first { $0.form.isImage }.map(ListingMedia.init)
    }

    func listingID(
        _ kept: StoredConversation,
        with account: Address
    ) throws -> ListingID? {
        guard let text = kept.slot, let slot = Bytes32(hex: text) else { return nil }
        let other = try Address(text: kept.with)
        let place = RecordKey(author: account, kind: .listing, slot: slot)
        let author = try record(in: place) == nil ? other : account
        return ListingID(author: author, slot: slot)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the limit that keeps the account from one more conversation with another, or `nil`.
    ///
    /// Conversations in the request box count towards neither limit.
    func fullBound(
        with other: Address,
        of unlocked: UnlockedAccount,
        _ capacity: ConversationCapacity
    ) throws -> ConversationCapacity.Bound? {
        let account = unlocked.account
        let all = try conversationCount(of: account) - requestCount(of: account)
        if all >= capacity.max { return .all }
        var count = 0
        try scanKeys(
            ConversationsWith.self,
            .prefix(CompositeKey(account, unlocked.name(of: other)))
        ) { key in
            if try !contains(MailRequests.self, CompositeKey(account, key.second)) { count += 1 }
            return count < capacity.withOneMax
        }
        return count >= capacity.withOneMax ? .withOne : nil
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns whether a known sender's text that waited for room must keep waiting.
    func isStillFull(
        for conversation: Bytes32,
        with other: Address,
        of unlocked: UnlockedAccount,
        _ capacity: ConversationCapacity
    ) throws -> Bool {
        if try contact(other, of: unlocked)?.isBlocked == true { return false }
        if try conversationRoom(for: 0, of: unlocked.account) != .free { return true }
        if try contains(Conversations.self, CompositeKey(unlocked.account, conversation)) {
            return false
        }
        return try fullBound(with: other, of: unlocked, capacity) != nil
    }
}

extension UnlockedAccount {
    /// Returns the key of a conversation among those with one contact.
    fileprivate func place(of id: Bytes32, with other: Address) -> ConversationsWith.Key {
        CompositeKey(CompositeKey(account, name(of: other)), id)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns messages of a conversation in the order in which they are shown, at most the last
    /// `limit` before a position.
    func shownMessages(
        in id: Bytes32,
        _ kept: StoredConversation,
        before place: UInt64?,
        limit: Int,
        of unlocked: UnlockedAccount
    ) throws -> [Message] {
        let account = unlocked.account
        let page = try kept.order.page(before: place, limit: limit) { below, limit in
            try messages(account: account, conversation: id, before: below, limit: limit)
                .map(\.key.place)
        }
        return try page.reversed().compactMap { place in
            let key = MessageKey(account: account, conversation: id, place: place)
            return try message(at: key, of: unlocked)?
                .shown(at: MessageName(conversation: id, place: place), in: kept)
        }
    }

    /// Returns the numbers of received messages that arrived after a position and are unread, by
    /// device.
    func unreadNumbers(
        after place: UInt64,
        in id: Bytes32,
        _ kept: StoredConversation,
        of account: Address
    ) throws -> [String: [UInt64]] {
        var unread: [String: [UInt64]] = [:]
        for (text, due) in kept.owed {
            guard let device = Bytes32(hex: text) else { continue }
            let read = MessageNumberKey(
                account: account,
                conversation: id,
                device: device,
                number: due.readThrough
            )
            let numbers = try places(after: read)
                .filter { $0.place > place && !kept.isRead($0.number, of: text) }
            if !numbers.isEmpty { unread[text] = numbers.map(\.number) }
        }
        return unread
    }
}

extension WriteTransaction {
    /// Removes a conversation's waiting messages from the outbox.
    ///
    /// The keys of works stay: their buyers have paid for them.
    mutating func stopSending(
        _ numbers: [Bytes32: [UInt64]],
        in id: Bytes32,
        _ kept: inout StoredConversation,
        of unlocked: UnlockedAccount
    ) throws {
        let account = unlocked.account
        for device in unlocked.readers.map(\.slot) {
            for number in numbers[device] ?? [] {
                let name = OutgoingMail.id(id, device, number)
                guard try outboxEntry(of: account, id: name) != nil else { continue }
                let key = MessageNumberKey(
                    account: account,
                    conversation: id,
                    device: device,
                    number: number
                )
                if let there = try place(of: key),
                    try message(at: there, of: unlocked)?.note?.kind == .work
                {
                    continue
                }
                try removeOutbox(of: account, id: name)
            }
        }
        guard let receipt = kept.receiptInOutbox.flatMap({ Bytes32(hex: $0) }) else { return }
        try removeOutbox(of: account, id: receipt)
        kept.receiptInOutbox = nil
    }

    /// Removes a conversation with all its messages and everything else stored under it.
    mutating func removeConversation(
        _ id: Bytes32,
        with other: Address,
        of unlocked: UnlockedAccount
    ) throws {
        try remove(ConversationsWith.self, unlocked.place(of: id, with: other))
        try removeConversation(id, of: unlocked.account)
    }
}

/// Conversations and messages as the account seals them: a transaction gets bytes.
extension UnlockedAccount {
    func putConversation(
        _ kept: StoredConversation,
        _ id: Bytes32,
        in transaction: inout WriteTransaction
    ) throws {
        var kept = kept
        let forgottenAt = kept.forgottenAt.map { Timestamp($0) }
        if !kept.isDeleted { kept.forgottenAt = nil }
        let bytes = try seal.seal(kept, for: .conversation(id))
        let place = try place(of: id, with: Address(text: kept.with))
        if kept.isDeleted {
            try transaction.removeConversationRow(id, of: account)
            try transaction.remove(ConversationsWith.self, place)
            try transaction.put(DeletedConversations.self, CompositeKey(account, id), bytes)
            if let forgottenAt { try transaction.forgetDeleted(id, of: account, at: forgottenAt) }
        } else {
            if let forgottenAt { try transaction.keepDeleted(id, of: account, at: forgottenAt) }
            try transaction.remove(DeletedConversations.self, CompositeKey(account, id))
            try transaction.put(ConversationsWith.self, place, EmptyValue())
            try transaction.putConversation(bytes, id, of: account)
        }
    }

    func replaceMessage(
        _ message: StoredMessage,
        at key: MessageKey,
        in transaction: inout WriteTransaction
    ) throws {
        let bytes = try seal.seal(message, for: .message(in: key.conversation))
        try transaction.replaceMessage(bytes, at: key)
    }

    /// Adds a message to its conversation; returns `nil` if it is there already.
    func append(
        _ message: StoredMessage,
        to conversation: Bytes32,
        from device: Bytes32,
        in transaction: inout WriteTransaction
    ) throws -> MessageKey? {
        let number = MessageNumberKey(
            account: account,
            conversation: conversation,
            device: device,
            number: message.number
        )
        let bytes = try seal.seal(message, for: .message(in: conversation))
        return try transaction.appendMessage(bytes, as: number)
    }
}
