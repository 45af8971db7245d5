import Foundation
import Keys
import Market
import Storage

/// What a filed message changed, as its account is to be told.
struct MailArrival: Sendable {
    var shown: (message: StoredMessage, name: MessageName, kept: StoredConversation)?
    var receipt: (conversation: Bytes32, state: String)?
}

/// What became of an opened message whose sender is proved.
enum MailFiling: Sendable {
    case filed(MailArrival)
    /// Not now: a known sender's, for which there is no room. It stays in the mailbox.
    case noRoom
    case dropped(MailDropReason)
}

extension WriteTransaction {
    /// Files an opened message whose sender is proved.
    ///
    /// A stranger's text goes to the request box; its cost does not grow with what is there.
    mutating func file(
        _ message: MailMessage,
        from source: MailSource,
        _ holder: Chat.Holder,
        at date: Date,
        conversationsMax: Int,
        limits: Limits
    ) throws -> MailFiling {
        let isMine = message.sender == holder.account
        let other = isMine ? message.recipient : message.sender
        var contact = try contact(other, of: holder) ?? StoredContact(with: other)
        if isMine {
            // Written on another node of this account's.
            if !contact.isBlocked { try accept(&contact, of: holder) }
        } else {
            if contact.isBlocked { return .dropped(.blocked) }
            contact.hasAccepted = true
            if let grant = message.grant { contact.grant = Data(grant.bytes) }
        }
        let filing: MailFiling
        switch message.body {
        case .text(let text):
            filing = try file(
                text,
                of: message,
                from: source,
                &contact,
                holder,
                at: date,
                conversationsMax: conversationsMax,
                limits: limits
            )
        case .receipt(let marks):
            filing = .filed(isMine ? MailArrival() : try note(marks, message, holder))
        }
        if case .filed = filing { try putContact(contact, of: holder) }
        return filing
    }

    private mutating func file(
        _ text: String,
        of message: MailMessage,
        from source: MailSource,
        _ contact: inout StoredContact,
        _ holder: Chat.Holder,
        at date: Date,
        conversationsMax: Int,
        limits: Limits
    ) throws -> MailFiling {
        let id = message.conversation.hash
        let slot = DeviceCertificate.slot(of: message.device)
        let name = MessageNumberKey(
            account: holder.account,
            conversation: id,
            device: slot,
            number: message.number
        )
        if try place(of: name) != nil { return .filed(MailArrival()) }
        let isMine = message.sender == holder.account
        let known = try conversation(id, of: holder)
        if contact.isAccepted || isMine {
            if known?.isDeleted ?? true, try isFull(of: holder, conversationsMax) { return .noRoom }
        } else {
            let byteCount = text.utf8.count
            guard contact.received.admit(id.text, bytes: byteCount) else {
                return .dropped(.overLimits)
            }
            let evicted = try fileRequest(
                id,
                of: holder.account,
                from: source.origin,
                bytes: UInt64(byteCount),
                at: Timestamp(date),
                limits: limits
            )
            if evicted.contains(id) { contact.received.conversations.remove(id.text) }
            try putContact(contact, of: holder)
            try removeRequests(evicted, of: holder)
            if evicted.contains(id) { return .dropped(.overLimits) }
        }
        let other = isMine ? message.recipient : message.sender
        var kept = known ?? StoredConversation(with: other, slot: message.listing, at: date)
        let stored = StoredMessage(
            sender: message.sender.text,
            device: slot.text,
            number: message.number,
            text: text,
            sentAt: message.sentAt.date,
            state: isMine ? .sent : .received
        )
        guard let key = try append(stored, to: id, from: slot, of: holder) else {
            return .filed(MailArrival())
        }
        kept.changedAt = date
        kept.isDeleted = false
        if !isMine { kept.owe(message.number, to: slot) }
        try putConversation(kept, id, of: holder)
        if contact.isAccepted { try noteReceiptDue(kept, id, of: holder) }
        let shown = (stored, MessageName(conversation: id, place: key.place), kept)
        return .filed(MailArrival(shown: shown))
    }

    /// Puts a conversation among those with a receipt due, if one is and none is on its way.
    mutating func noteReceiptDue(
        _ kept: StoredConversation,
        _ id: Bytes32,
        of holder: Chat.Holder
    ) throws {
        guard kept.receiptInOutbox == nil, kept.owed.values.contains(where: \.isDue),
            try isAccepted(kept, by: holder)
        else { return }
        try put(ReceiptsDue.self, Pair(holder.account, id), Nothing())
    }

    /// Writes down what the other side says of this device's messages.
    private mutating func note(
        _ marks: [MailMark],
        _ message: MailMessage,
        _ holder: Chat.Holder
    ) throws -> MailArrival {
        let id = message.conversation.hash
        var arrival = MailArrival()
        guard var kept = try conversation(id, of: holder) else { return arrival }
        let readBefore = kept.readByThem
        for mark in marks where mark.device == holder.slot {
            guard try note(mark, in: id, &kept, holder) else { continue }
            arrival.receipt = (id, kept.readByThem > readBefore ? "read" : "delivered")
        }
        try putConversation(kept, id, of: holder)
        return arrival
    }

    /// Each number is dealt with once, whatever ranges the other side names and how often.
    private mutating func note(
        _ mark: MailMark,
        in id: Bytes32,
        _ kept: inout StoredConversation,
        _ holder: Chat.Holder
    ) throws -> Bool {
        var isNews = false
        for number in kept.take(mark.delivered) {
            try removeOutbox(
                of: holder.account,
                id: OutgoingMail.id(id, holder.slot, number)
            )
            let name = MessageNumberKey(
                account: holder.account,
                conversation: id,
                device: holder.slot,
                number: number
            )
            guard let key = try place(of: name),
                var message = try message(at: key, of: holder),
                message.state == .queued || message.state == .sent
            else { continue }
            message.state = .delivered
            message.problem = nil
            try replaceMessage(message, at: key, of: holder)
            isNews = true
        }
        let readByThem = min(mark.readThrough, kept.lastNumber)
        if readByThem > kept.readByThem {
            kept.readByThem = readByThem
            isNews = true
        }
        return isNews
    }
}

extension Reading where Self: ~Copyable {
    /// Whether the account has accepted the other side of a conversation.
    func isAccepted(_ kept: StoredConversation, by holder: Chat.Holder) throws -> Bool {
        let contact = try contact(Address(text: kept.with), of: holder)
        return contact.map { $0.isAccepted && !$0.isBlocked } ?? false
    }

    /// Whether the account has as many conversations as it may, its request box aside.
    fileprivate func isFull(of holder: Chat.Holder, _ max: Int) throws -> Bool {
        var count = -(try requests(of: holder.account).count)
        try scanKeys(Conversations.self, .prefix(holder.account)) { _ in
            count += 1
            return count < max
        }
        return count >= max
    }
}

extension MailSource {
    /// What eviction from the request box goes by.
    fileprivate var origin: Bytes32 {
        switch self {
        case .contact(let name), .stranger(let name): name
        }
    }
}

extension StoredConversation {
    /// Marks a device's message as opened, which its sender is to hear.
    mutating func owe(_ number: UInt64, to device: Bytes32) {
        unread += 1
        guard owed[device.text] != nil || owed.count < Self.devicesMax else { return }
        var owed = owed[device.text] ?? Owed()
        owed.delivered.insert(number)
        owed.last = max(owed.last, number)
        self.owed[device.text] = owed
    }

    /// Takes out what one receipt can tell; `nil` if nothing is owed.
    mutating func takeMarks() -> [MailMark]? {
        var marks: [MailMark] = []
        for (text, due) in owed where due.isDue && marks.count < MailMark.marksMax {
            guard let device = Bytes32(hex: text) else { continue }
            marks.append(
                MailMark(
                    device: device,
                    delivered: due.delivered,
                    readThrough: due.readThrough
                )
            )
            owed[text]?.delivered = NumberRanges()
            owed[text]?.readTold = due.readThrough
        }
        return marks.isEmpty ? nil : marks
    }

    /// Numbers of this device, used and not known to be opened before, that are opened now.
    fileprivate mutating func take(_ delivered: NumberRanges) -> [UInt64] {
        // Below the lowest range, if there are as many as can be, all were dealt with.
        let isFull = opened.ranges.count == NumberRanges.rangesMax
        let floor = isFull ? opened.ranges.first?.lowerBound ?? 1 : 1
        var fresh: [UInt64] = []
        for range in delivered.ranges where range.lowerBound <= lastNumber {
            let numbers = max(floor, range.lowerBound)
            guard numbers <= min(lastNumber, range.upperBound) else { continue }
            for number in numbers...min(lastNumber, range.upperBound)
            where !opened.contains(number) {
                opened.insert(number)
                fresh.append(number)
            }
        }
        return fresh
    }
}
