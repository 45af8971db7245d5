import AccountAccess
import Answers
package import Client
import Concurrency
package import Foundation
package import Keys
package import Market
import Records
import Setup
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
        try await open(opening, by: try await unlockedAccount(account))
    }

    /// Opens a conversation as ``open(_:by:)`` does, with keys at hand.
    package func open(
        _ opening: ConversationOpening,
        by unlocked: UnlockedAccount
    ) async throws -> Conversation {
        let account = unlocked.account
        let other = try other(opening.with, than: account)
        let slot = try opening.listing.map { try listingSlot($0, between: account, other) }
        if try !isKnown(other) { await client.lookUp(other) }
        guard try isKnown(other) else {
            throw Refusal(
                .unknownRecipient,
                Sentence("refusal.unknownRecipient", ["account": "\(other)"]),
                field: "with"
            )
        }
        let id = ConversationID(account, other, listing: slot).hash
        let fresh = StoredConversation(with: other, slot: slot, at: context.clock.now)
        let capacity = ConversationCapacity(context.settings)
        let kept = try await store.add { transaction in
            try unlocked.open(fresh, id, with: other, capacity, in: &transaction)
        }
        return try shown(kept, id, unlocked)
    }

    /// Writes to the other side of a sale, as ``write(_:in:by:key:)`` does, unless the sale has a
    /// note of that kind by the account already.
    ///
    /// The other side is known from the chain: its profile may arrive later.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` as long as there is no room for it, or the account
    ///   has blocked the other side.
    package func note(
        _ body: MailMessage.Body,
        on subject: Bytes32,
        to other: Address,
        about listing: Bytes32?,
        by unlocked: UnlockedAccount,
        unlessSentSince start: Date
    ) async throws {
        let (network, account) = (context.settings.network, unlocked.account)
        let date = context.clock.now
        let id = ConversationID(account, other, listing: listing).hash
        let fresh = StoredConversation(with: other, slot: listing, at: date)
        let capacity = ConversationCapacity(context.settings)
        let isNew = try await store.write { [events = context.events] transaction in
            let last = try transaction.tradeNote(on: subject, of: unlocked)
            guard last.map({ $0.sentAt < start }) ?? true else { return false }
            var kept = try unlocked.open(fresh, id, with: other, capacity, in: &transaction)
            let message = try unlocked.write(
                body,
                to: id,
                &kept,
                network: network,
                at: date,
                in: &transaction
            )
            try events.note(
                "message",
                subject: message.conversation,
                data: message.eventData,
                for: account,
                in: &transaction
            )
            return true
        }
        guard isNew else { return }
        context.events.signal()
        context.signals.outgoing.send()
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
        let unlocked = try await unlockedAccount(account)
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

    /// Returns the last `limit` messages of a conversation before the given one, oldest first.
    ///
    /// - Throws: ``Refusal`` with `unknown_conversation`, `malformed_value`.
    package func messages(
        in conversation: String,
        of account: Address,
        before message: String? = nil,
        limit: Int
    ) async throws -> [Message] {
        let unlocked = try await unlockedAccount(account)
        let id = try Self.id(conversation)
        let before = try message.map { try Self.place(of: $0, in: id, field: "before") }
        return try store.read { transaction in
            guard let kept = try transaction.conversation(id, of: unlocked) else {
                throw Self.unknown(conversation)
            }
            return try transaction.shownMessages(
                in: id,
                kept,
                before: before,
                limit: limit,
                of: unlocked
            )
        }
    }

    /// Writes a message, which is `queued` until a home of the recipient has it.
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
    /// Under the same idempotency key, `content` distinguishes the message from another one.
    package func write(
        _ body: MailMessage.Body,
        asking content: [UInt8],
        in conversation: String,
        by account: Address,
        key: String
    ) async throws -> Message {
        let unlocked = try await unlockedAccount(account)
        return try await write(body, asking: content, in: conversation, by: unlocked, key: key)
    }

    /// Writes as ``write(_:asking:in:by:key:)`` does, with keys at hand.
    package func write(
        _ body: MailMessage.Body,
        asking content: [UInt8],
        in conversation: String,
        by unlocked: UnlockedAccount,
        key: String
    ) async throws -> Message {
        let account = unlocked.account
        let id = try Self.id(conversation)
        let (network, date) = (context.settings.network, context.clock.now)
        let asked = unlocked.seal.digest(content, for: .message(in: id))
        let call = KeyedCall(key, by: account, asking: asked)
        let (message, isNew) = try await store.add { [events = context.events] transaction in
            guard var kept = try transaction.conversation(id, of: unlocked) else {
                throw Self.unknown(conversation)
            }
            let time = Timestamp(date)
            if let known = try call.answer(at: time, in: transaction),
                let first = try transaction.message(named: known, in: id, kept, of: unlocked)
            {
                return (first, false)
            }
            let message = try unlocked.write(
                body,
                to: id,
                &kept,
                network: network,
                at: date,
                in: &transaction
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
        context.events.signal()
        context.signals.outgoing.send()
        return message
    }

    /// Marks a message as read by the account, and all that arrived before it.
    ///
    /// Messages that arrive during reading stay unread: name the shown message that arrived last.
    ///
    /// - Throws: ``Refusal`` with `unknown_conversation`, `malformed_value`.
    package func read(
        _ conversation: String,
        through message: String,
        by account: Address
    ) async throws {
        let unlocked = try await unlockedAccount(account)
        let id = try Self.id(conversation)
        let named = try Self.place(of: message, in: id, field: "message")
        let isNews = try await store.write { transaction in
            guard var kept = try transaction.conversation(id, of: unlocked) else {
                throw Self.unknown(conversation)
            }
            let key = MessageKey(account: account, conversation: id, place: named)
            guard try transaction.message(at: key) != nil else {
                throw Self.noMessage(message, field: "message")
            }
            let place = max(named, kept.readPlace)
            let left = try transaction.unreadNumbers(after: place, in: id, kept, of: account)
            guard kept.markRead(through: place, leaving: left) else { return false }
            try unlocked.putConversation(kept, id, in: &transaction)
            try transaction.noteReceiptDue(kept, id, of: unlocked)
            return true
        }
        guard isNews else { return }
        await follower.noteRead(id, by: account)
        context.signals.incoming.send()
        context.signals.homes.send()
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
                picture: try transaction.listingPicture(kept, with: unlocked.account),
                profile: try transaction.summary(of: Address(text: kept.with)),
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
                    ? Sentence("refusal.addressMistyped") : Sentence("refusal.addressForm"),
                field: field
            )
        }
        guard other != account, other != .zero else {
            throw Refusal(.badAddress, Sentence("refusal.ownAccount"), field: field)
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
                Sentence("refusal.listingOfNeither", ["listing": text.quoted]),
                field: "listing"
            )
        }
        return listing.slot
    }

    private static func check(_ text: String) throws {
        guard PlainText.isSeen(text) else {
            throw Refusal(.malformedValue, Sentence("refusal.messageEmpty"), field: "text")
        }
        guard text.utf8.count <= MailMessage.textByteCountMax else {
            throw Refusal(
                .messageTooLong,
                Sentence(
                    "refusal.messageLong",
                    ["most": "\(MailMessage.textByteCountMax)", "bytes": "\(text.utf8.count)"]
                ),
                field: "text"
            )
        }
    }

    private static func place(
        of text: String,
        in conversation: Bytes32,
        field: String
    ) throws -> UInt64 {
        guard let place = MessageName.place(text, in: conversation) else {
            throw noMessage(text, field: field)
        }
        return place
    }

    private static func noMessage(_ text: String, field: String) -> Refusal {
        Refusal(
            .malformedValue,
            Sentence("refusal.noMessage", ["message": text.quoted]),
            field: field
        )
    }

    static func id(_ text: String) throws -> Bytes32 {
        guard let id = Bytes32(hex: text) else { throw unknown(text) }
        return id
    }

    static func unknown(_ text: String) -> Refusal {
        Refusal(
            .unknownConversation,
            Sentence("refusal.unknownConversation", ["conversation": text.quoted])
        )
    }
}
