package import Client
import Concurrency
import Foundation
package import Keys
import Market
import Storage

/// Opens, lists, reads and writes conversations.
extension Chat {
    /// Opens a conversation with another account, or returns the existing one.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `unknown_recipient`, `unknown_listing`.
    package func open(
        _ opening: ConversationOpening,
        by account: Address
    ) async throws -> Conversation {
        let unlocked = try await services.unlockedAccount(account)
        let other = try other(opening.with, than: account)
        let slot = try opening.listing.map { try listingSlot($0, between: account, other) }
        if try !isKnown(other) { await client.lookUp(other) }
        guard try isKnown(other) else {
            throw Refusal(
                .unknownRecipient,
                "Neither this node nor the peers it asked know a profile of \(other). Check the "
                    + "address, or try again when the node has been connected for a while.",
                field: "with"
            )
        }
        let id = ConversationID(account, other, listing: slot).hash
        let fresh = StoredConversation(with: other, slot: slot, at: clock.now)
        let capacity = ConversationCapacity(settings)
        let kept = try await store.write { transaction in
            var kept = try transaction.conversation(id, of: unlocked) ?? fresh
            let isOpen = try transaction.contains(Conversations.self, CompositeKey(account, id))
            if isOpen { return kept }
            if let bound = try transaction.fullBound(with: other, of: unlocked, capacity) {
                throw bound.refusal(capacity)
            }
            kept.isDeleted = false
            kept.changedAt = fresh.changedAt
            try transaction.putConversation(kept, id, of: unlocked)
            return kept
        }
        return try shown(kept, id, unlocked)
    }

    /// Returns one page of the account's conversations, most recently changed first.
    ///
    /// With `requests`, those that strangers began and that are not answered; without, all others.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` if `after` is not the cursor of an earlier
    ///   page.
    package func conversations(
        of account: Address,
        requests: Bool = false,
        after: String? = nil,
        limit: Int
    ) async throws -> Page<Conversation> {
        let unlocked = try await services.unlockedAccount(account)
        let place = try after.map { try PageCursor(entered: $0) }
        let found = try store.read { try $0.conversations(of: unlocked, requests: requests) }
        let page = found.page(after: place, limit: limit) {
            PageCursor(Timestamp($0.kept.changedAt).milliseconds, id: $0.id)
        }
        return Page(
            items: try page.items.map { try shown($0.kept, $0.id, unlocked) },
            next: page.next?.text
        )
    }

    /// Returns the last `limit` messages of a conversation before the one named, oldest first.
    ///
    /// - Throws: ``Refusal`` with `unknown_conversation`, `malformed_value`.
    package func messages(
        in conversation: String,
        of account: Address,
        before message: String? = nil,
        limit: Int
    ) async throws -> [Message] {
        let unlocked = try await services.unlockedAccount(account)
        let id = try Self.id(conversation)
        let before = try message.map { text in
            guard let place = MessageName.place(text, in: id) else {
                throw Refusal(
                    .malformedValue,
                    "\(text.quoted) is not a message of this conversation.",
                    field: "before"
                )
            }
            return place
        }
        return try store.read { transaction in
            guard let kept = try transaction.conversation(id, of: unlocked) else {
                throw Self.unknown(conversation)
            }
            return try transaction.messages(
                account: account,
                conversation: id,
                before: before,
                limit: limit
            )
            .reversed()
            .map { key, bytes in
                try unlocked.seal.open(StoredMessage.self, bytes, for: .message(in: id))
                    .shown(at: MessageName(conversation: id, place: key.place), in: kept)
            }
        }
    }

    /// Writes a message, which is `queued` until a home of the recipient holds it.
    ///
    /// - Parameters:
    ///   - draft: The text.
    ///   - conversation: The conversation's id.
    ///   - account: The sender.
    ///   - key: The caller's idempotency key.
    /// - Returns: The message. If the call repeats an earlier one, the message that the earlier
    ///   call wrote, in its present state.
    /// - Throws: ``Refusal`` with `unknown_conversation`, `message_too_long`, `malformed_value`,
    ///   `idempotency_key_reused`.
    package func write(
        _ draft: MessageDraft,
        in conversation: String,
        by account: Address,
        key: String
    ) async throws -> Message {
        try Self.check(draft.text)
        return try await write(
            .text(draft.text),
            asking: Array(draft.text.utf8),
            in: conversation,
            by: account,
            key: key
        )
    }

    /// Writes a text or a report, as ``write(_:in:by:key:)`` does.
    ///
    /// Under the same idempotency key, `content` tells the message from another one.
    func write(
        _ body: MailMessage.Body,
        asking content: [UInt8],
        in conversation: String,
        by account: Address,
        key: String
    ) async throws -> Message {
        let unlocked = try await services.unlockedAccount(account)
        let id = try Self.id(conversation)
        let (network, date) = (settings.network, clock.now)
        let asked = unlocked.seal.digest(content, for: .message(in: id))
        let call = KeyedCall(key, by: account, asking: asked)
        let (message, isNew) = try await store.write { [events] transaction in
            guard var kept = try transaction.conversation(id, of: unlocked) else {
                throw Self.unknown(conversation)
            }
            let time = Timestamp(date)
            if let known = try transaction.answer(to: call, at: time),
                let first = try transaction.message(named: known, in: id, kept, of: unlocked)
            {
                return (first, false)
            }
            let message = try transaction.write(
                body,
                in: id,
                &kept,
                network: network,
                of: unlocked,
                at: date
            )
            try transaction.putAnswer(Array(message.id.utf8), to: call, at: time)
            try events.note(
                "message",
                subject: message.conversation,
                data: message.eventData,
                for: account,
                in: &transaction
            )
            return (message, true)
        }
        guard isNew else { return message }
        events.signal()
        mailStore.arrivals.send()
        return message
    }

    /// Marks all messages that are in a conversation now as read by the account.
    package func read(_ conversation: String, by account: Address) async throws {
        let unlocked = try await services.unlockedAccount(account)
        let id = try Self.id(conversation)
        let isNews = try await store.write { transaction in
            guard var kept = try transaction.conversation(id, of: unlocked) else {
                throw Self.unknown(conversation)
            }
            let last = try transaction.messages(account: account, conversation: id, limit: 1)
            guard let place = last.first?.key.place, kept.markRead(through: place) else {
                return false
            }
            try transaction.putConversation(kept, id, of: unlocked)
            try transaction.noteReceiptDue(kept, id, of: unlocked)
            return true
        }
        guard isNews else { return }
        await follower.noteRead(id, by: account)
        mailStore.arrivals.send()
    }

    private func shown(
        _ kept: StoredConversation,
        _ id: Bytes32,
        _ unlocked: UnlockedAccount
    ) throws -> Conversation {
        try store.read { transaction in
            let last = try transaction.messages(
                account: unlocked.account,
                conversation: id,
                limit: 1
            )
            let message = try last.first.map { key, bytes in
                try unlocked.seal.open(StoredMessage.self, bytes, for: .message(in: id))
                    .shown(at: MessageName(conversation: id, place: key.place), in: kept)
            }
            return Conversation(
                id: id.hex,
                with: kept.with,
                listing: try transaction.listingText(kept, with: unlocked.account),
                title: try transaction.listingTitle(kept, with: unlocked.account),
                lastMessage: message,
                unread: kept.unread,
                isRequest: try transaction.contains(
                    MailRequests.self,
                    CompositeKey(unlocked.account, id)
                )
            )
        }
    }

    private func isKnown(_ account: Address) throws -> Bool {
        try store.read { transaction in
            try transaction.profile(of: account) != nil
                || !transaction.devices(of: account).isEmpty
                || transaction.contains(AccountEntries.self, account)
        }
    }

    func other(
        _ text: String,
        than account: Address,
        field: String = "with"
    ) throws(Refusal) -> Address {
        let other: Address
        do {
            other = try Address(text: text)
        } catch {
            throw Refusal(
                .badAddress,
                error == .checksum
                    ? "A letter of the address is mistyped: its checksum is wrong."
                    : "An address is 0x and 40 hexadecimal digits.",
                field: field
            )
        }
        guard other != account, other != .zero else {
            throw Refusal(.badAddress, "Enter an account other than your own.", field: field)
        }
        return other
    }

    /// Returns the slot of a listing whose author must be one of the two accounts.
    private func listingSlot(
        _ text: String,
        between account: Address,
        _ other: Address
    ) throws -> Bytes32 {
        let listing = try ListingID(text)
        guard [account, other].contains(listing.author) else {
            throw Refusal(
                .unknownListing,
                "\(text.quoted) is not a listing of either of you.",
                field: "listing"
            )
        }
        return listing.slot
    }

    private static func check(_ text: String) throws {
        guard PlainText.isSeen(text) else {
            throw Refusal(
                .malformedValue,
                "The message is empty or blank: write something that can be seen.",
                field: "text"
            )
        }
        guard text.utf8.count <= MailMessage.textByteCountMax else {
            throw Refusal(
                .messageTooLong,
                "A message can have at most \(MailMessage.textByteCountMax) bytes; this one has "
                    + "\(text.utf8.count). Send it in parts.",
                field: "text"
            )
        }
    }

    static func id(_ text: String) throws -> Bytes32 {
        guard let id = Bytes32(hex: text) else { throw unknown(text) }
        return id
    }

    static func unknown(_ text: String) -> Refusal {
        Refusal(
            .unknownConversation,
            "This account has no conversation \(text.quoted). Open one with the other side's "
                + "address first."
        )
    }
}

extension ConversationCapacity.Bound {
    fileprivate func refusal(_ capacity: ConversationCapacity) -> Refusal {
        switch self {
        case .all:
            Refusal(
                .notAllowed,
                "An account can have at most \(capacity.max) conversations. Delete one first."
            )
        case .withOne:
            Refusal(
                .notAllowed,
                "An account can have at most \(capacity.withOneMax) conversations with one other. Delete one "
                    + "of them first."
            )
        }
    }
}
