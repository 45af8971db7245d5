import Client
import Foundation
import Keys
import Market
import Storage

/// How conversations and messages lie in the store: sealed by the account they belong to.
extension Reading where Self: ~Copyable {
    func conversation(_ id: Bytes32, of holder: Chat.Holder) throws -> StoredConversation? {
        let key = Pair(holder.account, id)
        let bytes = try get(Conversations.self, key) ?? get(DeletedConversations.self, key)
        return try bytes.map {
            try holder.seal.open(StoredConversation.self, $0, for: .conversation(id))
        }
    }

    func message(at key: MessageKey, of holder: Chat.Holder) throws -> StoredMessage? {
        try message(at: key).map {
            try holder.seal.open(StoredMessage.self, $0, for: .message(in: key.conversation))
        }
    }

    /// The message of a conversation with that name, as a caller was answered it.
    func message(
        named name: [UInt8],
        in id: Bytes32,
        _ kept: StoredConversation,
        of holder: Chat.Holder
    ) throws -> Message? {
        guard let place = MessageName.place(String(decoding: name, as: UTF8.self), in: id) else {
            return nil
        }
        let key = MessageKey(account: holder.account, conversation: id, place: place)
        return try message(at: key, of: holder)?
            .shown(at: MessageName(conversation: id, place: place), in: kept)
    }

    /// The API's name of the listing a conversation is about.
    ///
    /// Mail names the slot alone: the author is whichever of the two has a listing there.
    func listingText(_ kept: StoredConversation, with account: Address) throws -> String? {
        guard let text = kept.slot, let slot = Bytes32(hex: text) else { return nil }
        let other = try Address(text: kept.with)
        let place = RecordKey(author: account, kind: .listing, slot: slot)
        let author = try record(in: place) == nil ? other : account
        return ListingID(author: author, slot: slot).description
    }
}

extension Reading where Self: ~Copyable {
    /// What keeps the account from one more conversation with another; `nil` if nothing does.
    ///
    /// Its request box counts in neither bound.
    func fullBound(
        with other: Address,
        of holder: Chat.Holder,
        _ room: ConversationRoom
    ) throws -> ConversationRoom.Bound? {
        let account = holder.account
        let all = try conversationCount(of: account) - requestCount(of: account)
        if all >= room.max { return .all }
        var count = 0
        try scanKeys(
            ConversationsWith.self,
            .prefix(Pair(account, holder.name(of: other)))
        ) { key in
            if try !contains(MailRequests.self, Pair(account, key.second)) { count += 1 }
            return count < room.withOneMax
        }
        return count >= room.withOneMax ? .withOne : nil
    }
}

extension Reading where Self: ~Copyable {
    /// Whether a known sender's text that waited for room has to wait on.
    func isStillFull(
        for waiting: PostponedMail,
        of holder: Chat.Holder,
        _ room: ConversationRoom
    ) throws -> Bool {
        let place = Pair(holder.account, waiting.conversation)
        if try contains(Conversations.self, place) { return false }
        if try contact(waiting.other, of: holder)?.isBlocked == true { return false }
        return try fullBound(with: waiting.other, of: holder, room) != nil
    }
}

extension Chat.Holder {
    /// Where a conversation lies among those with one contact.
    fileprivate func place(of id: Bytes32, with other: Address) -> ConversationsWith.Key {
        Pair(Pair(account, name(of: other)), id)
    }
}

extension WriteTransaction {
    mutating func putConversation(
        _ kept: StoredConversation,
        _ id: Bytes32,
        of holder: Chat.Holder
    ) throws {
        var kept = kept
        let forgottenAt = kept.forgottenAt.map { Timestamp($0) }
        if !kept.isDeleted { kept.forgottenAt = nil }
        let bytes = try holder.seal.seal(kept, for: .conversation(id))
        let key = Pair(holder.account, id)
        let place = try holder.place(of: id, with: Address(text: kept.with))
        if kept.isDeleted {
            try removeConversationRow(id, of: holder.account)
            try remove(ConversationsWith.self, place)
            try put(DeletedConversations.self, key, bytes)
            if let forgottenAt {
                try forgetDeleted(id, of: holder.account, at: forgottenAt)
            }
        } else {
            if let forgottenAt {
                try keepDeleted(id, of: holder.account, at: forgottenAt)
            }
            try remove(DeletedConversations.self, key)
            try put(ConversationsWith.self, place, Nothing())
            try putConversation(bytes, id, of: holder.account)
        }
    }

    /// Removes a conversation with all its messages and whatever else is filed under it.
    mutating func removeConversation(
        _ id: Bytes32,
        with other: Address,
        of holder: Chat.Holder
    ) throws {
        try remove(ConversationsWith.self, holder.place(of: id, with: other))
        try removeConversation(id, of: holder.account)
    }

    mutating func replaceMessage(
        _ message: StoredMessage,
        at key: MessageKey,
        of holder: Chat.Holder
    ) throws {
        let place = LocalSeal.Place.message(in: key.conversation)
        try replaceMessage(try holder.seal.seal(message, for: place), at: key)
    }

    /// Adds a message to its conversation; `nil` if it is there already.
    mutating func append(
        _ message: StoredMessage,
        to conversation: Bytes32,
        from device: Bytes32,
        of holder: Chat.Holder
    ) throws -> MessageKey? {
        let number = MessageNumberKey(
            account: holder.account,
            conversation: conversation,
            device: device,
            number: message.number
        )
        let bytes = try holder.seal.seal(message, for: .message(in: conversation))
        return try appendMessage(bytes, as: number)
    }

    /// Writes a text into its conversation and the outbox.
    mutating func write(
        _ text: String,
        in id: Bytes32,
        _ kept: inout StoredConversation,
        network: String,
        of holder: Chat.Holder,
        at date: Date
    ) throws -> Message {
        try admit(text, in: id, with: Address(text: kept.with), of: holder)
        kept.changedAt = date
        kept.isDeleted = false
        let message = StoredMessage(
            sender: holder.account.text,
            device: holder.slot.text,
            number: kept.lastNumber + 1,
            text: text,
            sentAt: date,
            state: .queued
        )
        let key = try queue(
            .text(text),
            shownAs: message,
            in: id,
            &kept,
            network: network,
            of: holder,
            at: date
        )
        return message.shown(
            at: MessageName(conversation: id, place: key?.place ?? 0),
            in: kept
        )
    }

    /// Accepts the one written to, and counts what it gets before it has accepted the writer.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` if it is blocked, or has as much already.
    private mutating func admit(
        _ text: String,
        in id: Bytes32,
        with other: Address,
        of holder: Chat.Holder
    ) throws {
        var contact = try contact(other, of: holder) ?? StoredContact(with: other)
        if contact.isBlocked {
            throw Refusal(.notAllowed, "You have blocked \(other). Unblock the account first.")
        }
        try accept(&contact, of: holder)
        if !contact.hasAccepted, !contact.sent.admit(id.text, bytes: text.utf8.count) {
            throw Refusal(
                .notAllowed,
                "\(other) has not answered yet. Until then you can send \(StoredContact.messagesMax)"
                    + " messages of together \(StoredContact.bytesMax) bytes in "
                    + "\(StoredContact.conversationsMax) conversations."
            )
        }
        try putContact(contact, of: holder)
    }

    /// Signs the device's next message of a conversation and puts it into the outbox.
    ///
    /// `message` is what is shown of it, at the place answered; receipts are not shown.
    mutating func queue(
        _ body: MailMessage.Body,
        shownAs message: StoredMessage?,
        in id: Bytes32,
        _ kept: inout StoredConversation,
        network: String,
        of holder: Chat.Holder,
        at date: Date
    ) throws -> MessageKey? {
        let recipient = try Address(text: kept.with)
        kept.lastNumber += 1
        let mail = try MailMessage(
            network: network,
            sender: holder.account,
            device: holder.device.publicKey,
            recipient: recipient,
            listing: kept.slot.flatMap { Bytes32(hex: $0) },
            number: kept.lastNumber,
            sentAt: Timestamp(date),
            body: body,
            grant: holder.grant(for: recipient)
        ).signed(by: holder.device)
        let name = OutgoingMail.id(id, holder.slot, kept.lastNumber)
        let key = try message.flatMap {
            try append($0, to: id, from: holder.slot, of: holder)
        }
        let outgoing = OutgoingMail(
            conversation: id,
            recipient: recipient,
            device: holder.slot,
            number: kept.lastNumber,
            place: key?.place,
            mail: try holder.seal.seal(mail.bytes, for: .outgoing(name))
        )
        let entry = OutboxEntry(
            nextAttemptAt: Timestamp(date),
            expiresAt: Timestamp(date).advanced(by: MailEnvelope.lifetimeMax),
            bytes: try outgoing.bytes()
        )
        try putOutbox(entry, of: holder.account, id: name)
        if message == nil { kept.receiptInOutbox = name.text }
        try putConversation(kept, id, of: holder)
        return key
    }
}
