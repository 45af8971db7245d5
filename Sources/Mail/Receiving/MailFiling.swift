import Answers
import Foundation
import Keys
import Market
import Metrics
import Storage

/// The changes by a filed message, for the events of its account.
struct MailArrival: Sendable {
    var shown: (message: StoredMessage, name: MessageName, kept: StoredConversation)?
    /// Whether the shown message is in the request box.
    var isRequest = false
    var receipt: (conversation: Bytes32, state: String)?
}

/// The result of filing an opened message whose sender is proved.
enum MailFiling: Sendable {
    case filed(MailArrival)
    /// Not now: the sender is known, but there is no room. It stays in the mailbox.
    case noRoom
    case dropped(MailDropReason)
}

extension WriteTransaction {
    /// Files an opened message whose sender is proved.
    ///
    /// A stranger's text goes to the request box; for that, the whole box is read, though without
    /// its texts. Of a stranger, only what belongs to a request is kept; the other side of the sale
    /// that a message is about is no stranger.
    mutating func file(
        _ mail: ProvedMail,
        _ unlocked: UnlockedAccount,
        at date: Date,
        relation: SaleRelation = .unrelated,
        offer: OfferRelation? = nil,
        capacity: ConversationCapacity
    ) throws -> MailFiling {
        var contact = try contact(mail.other, of: unlocked) ?? StoredContact(with: mail.other)
        if relation != .unrelated, !contact.isBlocked, !mail.isMine {
            try accept(&contact, of: unlocked)
        }
        let name = MessageNumberKey(
            account: unlocked.account,
            conversation: mail.conversation,
            device: mail.device,
            number: mail.message.number
        )
        let known = try conversation(mail.conversation, of: unlocked)
        let decision = try MailDecision(
            mail,
            contact: contact,
            conversation: known,
            isFiled: try place(of: name) != nil,
            isFull: try fullBound(with: mail.other, of: unlocked, capacity) != nil
                && !hasRoomBeyond(mail, relation, of: unlocked.account),
            lacksBytes: try conversationRoom(for: mail.bytes.count, of: unlocked.account) != .free
                && !hasRoomBeyond(mail, relation, of: unlocked.account)
        )
        switch decision {
        case .drop(let reason): return .dropped(reason)
        case .ignore: return .filed(MailArrival())
        case .waitForRoom: return .noRoom
        case .receipt(let marks):
            try learn(from: mail, &contact, unlocked)
            return .filed(try record(marks, known, mail.conversation, unlocked))
        case .request:
            guard try fileRequest(mail, contact, unlocked, at: date) else {
                return .dropped(.overLimits)
            }
            return .filed(try show(mail, offer, known, unlocked, at: date))
        case .show:
            try learn(from: mail, &contact, unlocked)
            return .filed(try show(mail, offer, known, unlocked, at: date))
        }
    }

    /// Whether a message is filed although conversations have no room: the first of each move, and
    /// the first address and key of a sale.
    ///
    /// Each move costs its sender a transaction, so that these are few.
    private func hasRoomBeyond(
        _ mail: ProvedMail,
        _ relation: SaleRelation,
        of account: Address
    ) throws -> Bool {
        let message = mail.message
        guard relation == .ofMove,
            let note = StoredTradeNote(message.body, from: message.sender, to: message.recipient),
            let subject = Bytes32(hex: note.subject)
        else { return false }
        return try !contains(TradeNotes.self, CompositeKey(account, subject))
    }

    /// Records from a message that a contact is accepted, or accepts the account.
    private mutating func learn(
        from mail: ProvedMail,
        _ contact: inout StoredContact,
        _ unlocked: UnlockedAccount
    ) throws {
        if mail.isMine {
            if contact.isBlocked { return }
            try accept(&contact, of: unlocked)
            if !mail.message.body.isReceipt, !contact.hasAccepted {
                // It is already sent, whatever its size; this node counts on from there.
                let byteCount = mail.message.body.byteCount
                _ = contact.sent.admit(mail.conversation.text, bytes: byteCount)
            }
        } else {
            contact.learn(from: mail.message)
        }
        try unlocked.putContact(contact, in: &self)
    }

    /// Files a stranger's message in the request box.
    ///
    /// - Returns: Whether its sender can send it and it stays there.
    private mutating func fileRequest(
        _ mail: ProvedMail,
        _ known: StoredContact,
        _ unlocked: UnlockedAccount,
        at date: Date
    ) throws -> Bool {
        var contact = known
        let (id, byteCount) = (mail.conversation, mail.message.body.byteCount)
        guard contact.received.admit(id.text, bytes: byteCount) else { return false }
        contact.learn(from: mail.message)
        var random = SystemRandomNumberGenerator()
        let evicted = try fileRequest(
            id,
            of: unlocked.account,
            from: mail.source.name,
            bytes: UInt64(byteCount),
            at: Timestamp(date),
            using: &random
        )
        if !evicted.isEmpty {
            Counter(label: "stoa_mail_requests_evicted").increment(by: evicted.count)
        }
        let stays = !evicted.contains(id)
        if stays { try unlocked.putContact(contact, in: &self) }
        // Last, because these may belong to the same contact.
        try removeRequests(evicted, of: unlocked)
        return stays
    }

    /// Adds a message to its conversation.
    private mutating func show(
        _ mail: ProvedMail,
        _ offer: OfferRelation?,
        _ known: StoredConversation?,
        _ unlocked: UnlockedAccount,
        at date: Date
    ) throws -> MailArrival {
        let (message, id, slot) = (mail.message, mail.conversation, mail.device)
        var kept = known ?? StoredConversation(with: mail.other, slot: message.listing, at: date)
        let stored = StoredMessage(mail, at: date)
        guard let key = try unlocked.append(stored, to: id, from: slot, in: &self) else {
            return MailArrival()
        }
        kept.changedAt = date
        kept.isDeleted = false
        let number = MessageNumberKey(
            account: unlocked.account,
            conversation: id,
            device: slot,
            number: message.number
        )
        let next = try places(after: number, limit: 1).first?.place
        kept.order.note(message.number, at: key.place, next: next)
        if stored.mail != nil { try put(UnknownMessages.self, key, EmptyValue()) }
        try listReport(stored, at: key, filedAt: date)
        try listTradeNote(stored, at: key, of: unlocked, offer)
        if !mail.isMine {
            kept.owe(message.number, to: slot, isUnderstood: stored.mail == nil)
        }
        try unlocked.putConversation(kept, id, in: &self)
        try noteReceiptDue(kept, id, of: unlocked)
        return MailArrival(
            shown: (stored, MessageName(conversation: id, place: key.place), kept),
            isRequest: try contains(MailRequests.self, CompositeKey(unlocked.account, id))
        )
    }

    /// Adds a message to the list of reports if it is one.
    mutating func listReport(
        _ stored: StoredMessage,
        at key: MessageKey,
        filedAt date: Date
    ) throws {
        guard stored.report != nil else { return }
        let isOwn = try Address(text: stored.sender) == key.account
        let report = ReportKey(isOwn: isOwn, filedAt: Timestamp(date), message: key)
        try put(ReportMessages.self, report, EmptyValue())
    }

    /// Marks a conversation's receipt as due, if one is owed and none is in transit.
    mutating func noteReceiptDue(
        _ kept: StoredConversation,
        _ id: Bytes32,
        of unlocked: UnlockedAccount
    ) throws {
        guard kept.receiptInOutbox == nil, kept.owed.values.contains(where: \.isDue),
            try isAccepted(kept, by: unlocked)
        else { return }
        try put(ReceiptsDue.self, CompositeKey(unlocked.account, id), EmptyValue())
    }

    /// Reads a message whose kind was unknown on arrival.
    ///
    /// - Returns: The message, if this version knows its kind; its sender is then due a receipt.
    mutating func readAgain(
        _ key: MessageKey,
        _ unlocked: UnlockedAccount
    ) throws -> MailArrival? {
        guard var stored = try message(at: key, of: unlocked),
            var kept = try conversation(key.conversation, of: unlocked),
            try stored.readAgain()
        else { return nil }
        try remove(UnknownMessages.self, key)
        try listReport(stored, at: key, filedAt: kept.changedAt)
        try listTradeNote(stored, at: key, of: unlocked, .ofUnknownSale)
        try unlocked.replaceMessage(stored, at: key, in: &self)
        if stored.state == .received, let device = Bytes32(hex: stored.device) {
            kept.understand(stored.number, of: device)
            try unlocked.putConversation(kept, key.conversation, in: &self)
            try noteReceiptDue(kept, key.conversation, of: unlocked)
        }
        let id = key.conversation
        return MailArrival(
            shown: (stored, MessageName(conversation: id, place: key.place), kept),
            isRequest: try contains(MailRequests.self, CompositeKey(unlocked.account, id))
        )
    }

    /// Records the contents of the other side's receipt for this device's messages.
    private mutating func record(
        _ marks: [MailMark],
        _ known: StoredConversation?,
        _ id: Bytes32,
        _ unlocked: UnlockedAccount
    ) throws -> MailArrival {
        var arrival = MailArrival()
        guard !marks.isEmpty, var kept = known else { return arrival }
        let former = Set(unlocked.readers.dropFirst().map(\.slot))
        for mark in marks {
            let state: String?
            if mark.device == unlocked.slot {
                state = try record(mark, in: id, &kept, unlocked)
            } else {
                guard former.contains(mark.device) else { continue }
                state = try record(ofFormer: mark, in: id, kept, unlocked)
            }
            if let state { arrival.receipt = (id, state) }
        }
        try unlocked.putConversation(kept, id, in: &self)
        return arrival
    }

    /// Records one mark; each number is handled once, however often the other side names it, and
    /// once more if it was not understood and now is.
    ///
    /// - Returns: The furthest state that it reports of a message, if that is new.
    private mutating func record(
        _ mark: MailMark,
        in id: Bytes32,
        _ kept: inout StoredConversation,
        _ unlocked: UnlockedAccount
    ) throws -> String? {
        var news: String?
        let (delivered, understood) = kept.take(mark)
        for number in delivered.joined() {
            try removeOutbox(of: unlocked.account, id: OutgoingMail.id(id, unlocked.slot, number))
            let isUnderstood = !mark.notUnderstood.contains(number)
            let isNew = try change(number, of: unlocked.slot, in: id, unlocked) {
                $0.delivered(isUnderstood: isUnderstood)
            }
            if isNew, news != "delivered" { news = isUnderstood ? "delivered" : "not_understood" }
        }
        for number in understood.joined()
        where try change(number, of: unlocked.slot, in: id, unlocked, { $0.understood() }) {
            news = "delivered"
        }
        let readByThem = min(mark.readThrough, kept.lastNumber)
        if readByThem > kept.readByThem {
            kept.readByThem = readByThem
            news = "read"
        }
        return news
    }

    /// Records which of a former device's last messages have arrived, so that they are not sent
    /// again.
    ///
    /// That one was read is not recorded: the device has sent other messages under the same
    /// numbers, if they are later than the backup.
    private mutating func record(
        ofFormer mark: MailMark,
        in id: Bytes32,
        _ kept: StoredConversation,
        _ unlocked: UnlockedAccount
    ) throws -> String? {
        var news: String?
        let first = kept.lastNumber - min(kept.lastNumber, Self.formerMessagesMax)
        for number in first...kept.lastNumber where mark.delivered.contains(number) {
            try removeOutbox(of: unlocked.account, id: OutgoingMail.id(id, mark.device, number))
            let isUnderstood = !mark.notUnderstood.contains(number)
            let isNew = try change(number, of: mark.device, in: id, unlocked) {
                $0.delivered(isUnderstood: isUnderstood)
            }
            if isNew { news = "delivered" }
        }
        return news
    }

    /// Messages of a former device whose arrival is recorded; earlier ones have arrived, or are
    /// resent until they expire.
    private static var formerMessagesMax: UInt64 { 64 }

    /// Changes a message of one of this node's devices, if it is shown and `body` returns true.
    private mutating func change(
        _ number: UInt64,
        of device: Bytes32,
        in id: Bytes32,
        _ unlocked: UnlockedAccount,
        _ body: (inout StoredMessage) -> Bool
    ) throws -> Bool {
        let name = MessageNumberKey(
            account: unlocked.account,
            conversation: id,
            device: device,
            number: number
        )
        guard let key = try place(of: name), var message = try message(at: key, of: unlocked),
            body(&message)
        else { return false }
        try unlocked.replaceMessage(message, at: key, in: &self)
        return true
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns whether the account has accepted the other side of a conversation.
    func isAccepted(_ kept: StoredConversation, by unlocked: UnlockedAccount) throws -> Bool {
        let contact = try contact(Address(text: kept.with), of: unlocked)
        return contact.map { $0.isAccepted && !$0.isBlocked } ?? false
    }
}

extension MailMessage.Body {
    fileprivate var isReceipt: Bool {
        if case .receipt = self { true } else { false }
    }
}

extension StoredMessage {
    /// Makes the stored form of a text, or of a message of an unknown kind.
    fileprivate init(_ mail: ProvedMail, at date: Date) {
        let message = mail.message
        let text = message.body.shownText
        self.init(
            sender: message.sender.text,
            device: mail.device.text,
            number: message.number,
            text: text ?? "",
            report: StoredReport(message.body),
            note: StoredTradeNote(message.body, from: message.sender, to: message.recipient),
            sentAt: Self.sentAt(message.sentAt, arrivedAt: date),
            arrivedAt: date,
            state: mail.isMine ? .sent : .received
        )
        if text == nil { self.mail = Data(mail.bytes) }
    }
}
