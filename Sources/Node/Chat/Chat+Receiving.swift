import Client
import Foundation
import Gossip
import Keys
import Logging
import Market
import Metrics
import Storage

/// From the homes to the account: collects, opens, and owes receipts.
extension Chat {
    /// What became of an envelope that was opened.
    fileprivate struct Arrival: Sendable {
        var shown: (message: StoredMessage, name: MessageName, kept: StoredConversation)?
        var receipt: (conversation: Bytes32, state: String)?
    }

    /// Brings what waits at the account's other homes here, where it is due.
    func collect(_ account: Address) async throws {
        let holder = try await holder(account)
        let due = try homeLeases(of: account).filter { lease in
            lease.peer != exchange.localPeer
                && collectAt[Pair(account, lease.peer)].map { $0 <= now } ?? true
        }
        for lease in due {
            collectAt[Pair(account, lease.peer)] = now.advanced(by: settings.collectInterval)
        }
        await each(due) { lease in
            do {
                try await self.collect(holder, from: lease)
            } catch {
                self.logger.debug(
                    "nothing collected",
                    metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
                )
            }
        }
    }

    private func collect(_ holder: Holder, from lease: HomeLease) async throws {
        let (account, device, slot) = (holder.account, holder.device, holder.slot)
        try await asking(lease, own: true, within: settings.collectMax) {
            [exchange, room, clock] in
            _ = try await exchange.collect(account, device: device, from: lease.peer) { entry in
                let header = entry.envelope.header
                guard header.recipient == account, header.device == slot else { return false }
                let refusal = try await room.deposit(
                    entry.envelope,
                    from: lease.peer,
                    at: Timestamp(clock.now)
                )
                return refusal == nil || refusal == .wrongExpiry
            }
        }
    }

    /// Asks for those whose mail cannot be proved yet, and has it looked at again.
    func findStrangers() async {
        let senders = Array(strangers)
        strangers = []
        if senders.isEmpty { return }
        await each(senders) { await self.find($0) }
        for (hash, doubt) in doubts where senders.contains(doubt.sender) {
            doubts[hash]?.next = now
        }
        room.arrivals.ring()
    }

    /// Opens what waits here for the account's device.
    func open(_ account: Address) async throws {
        let holder = try await holder(account)
        var last: UInt64 = 0
        while true {
            let page = try store.read {
                try $0.envelopes(
                    for: account,
                    device: holder.slot,
                    after: last,
                    limit: settings.batchMax
                )
            }
            guard let end = page.last?.key.number else { return }
            last = end
            for (key, stored) in page {
                await attempt("open a message") { try await self.open(key, stored, holder) }
            }
        }
    }

    /// Signs what is owed to the other sides, one receipt a conversation at a time.
    func tellReceipts(_ account: Address) async throws {
        let holder = try await holder(account)
        var due: [Bytes32] = []
        try store.read { transaction in
            try transaction.scan(Conversations.self, .prefix(account)) { key, bytes in
                let kept = try holder.seal.open(
                    StoredConversation.self,
                    bytes,
                    for: .conversation(key.second)
                )
                if kept.receiptInOutbox == nil, kept.owed.values.contains(where: \.isDue) {
                    due.append(key.second)
                }
                return due.count < settings.batchMax
            }
        }
        let (network, date) = (settings.network, clock.now)
        for id in due {
            let isQueued = try await store.write { transaction in
                guard var kept = try transaction.conversation(id, of: holder),
                    let marks = kept.takeMarks()
                else { return false }
                _ = try transaction.queue(
                    .receipt(marks),
                    shownAs: nil,
                    in: id,
                    &kept,
                    network: network,
                    of: holder,
                    at: date
                )
                return true
            }
            if isQueued { hasMailToSend() }
        }
    }

    private func open(_ key: EnvelopeKey, _ stored: StoredEnvelope, _ holder: Holder) async throws {
        if let doubt = doubts[stored.hash], doubt.next > now { return }
        let message: MailMessage
        do {
            let envelope = try MailEnvelope(stored.bytes)
            guard let prekey = try prekey(envelope.header.prekey, holder) else {
                throw MailFault.notOpened
            }
            message = try envelope.opened(with: prekey)
                .verified(for: holder.account, network: settings.network)
        } catch let fault as MailFault {
            return try await drop(key, "\(fault)")
        }
        guard try isCertified(message) else { return try await doubt(key, stored, message) }
        doubts[stored.hash] = nil
        let date = clock.now
        let max = settings.conversationsMax
        let arrival = try await store.write { transaction in
            _ = try transaction.acknowledge([key], by: key.recipient, device: key.device)
            return try transaction.take(message, holder, at: date, max: max)
        }
        if let (message, name, kept) = arrival.shown {
            try await tell(message, name, kept, to: holder.account)
        }
        if let (conversation, state) = arrival.receipt {
            try await events.record(
                "receipt",
                subject: conversation.hex,
                data: ["state": state],
                for: holder.account
            )
        }
    }

    /// Whether the sender's account certified the device that signed, as far as is known here.
    private func isCertified(_ message: MailMessage) throws -> Bool {
        let slot = DeviceCertificate.slot(of: message.device)
        return try store.read { try $0.deviceKey(slot, of: message.sender) } == message.device
    }

    /// Leaves an envelope for later, and drops it once it has been looked at often enough.
    private func doubt(
        _ key: EnvelopeKey,
        _ stored: StoredEnvelope,
        _ message: MailMessage
    ) async throws {
        let tries = (doubts[stored.hash]?.tries ?? 0) + 1
        guard tries < settings.doubtsMax else {
            doubts[stored.hash] = nil
            return try await drop(key, "no certificate of its device")
        }
        if doubts.count >= 10_000 { doubts = [:] }
        let wait = settings.retryMin * (1 << tries)
        doubts[stored.hash] = (message.sender, tries, now.advanced(by: wait))
        if strangers.count < settings.strangersMax { strangers.insert(message.sender) }
    }

    private func drop(_ key: EnvelopeKey, _ reason: String) async throws {
        Counter(label: "stoa_mail_dropped").increment()
        logger.notice("sealed message dropped", metadata: ["reason": "\(reason)"])
        _ = try await store.write {
            try $0.acknowledge([key], by: key.recipient, device: key.device)
        }
    }
}

extension WriteTransaction {
    /// Files an opened message whose sender is proved.
    fileprivate mutating func take(
        _ message: MailMessage,
        _ holder: Chat.Holder,
        at date: Date,
        max: Int
    ) throws -> Chat.Arrival {
        let id = message.conversation.hash
        let isMine = message.sender == holder.account
        let other = isMine ? message.recipient : message.sender
        var arrival = Chat.Arrival()
        switch message.body {
        case .text(let text):
            var kept: StoredConversation
            if let known = try conversation(id, of: holder) {
                kept = known
            } else {
                kept = StoredConversation(with: other, slot: message.listing, at: date)
                do {
                    try putConversation(kept, id, of: holder, max: max)
                } catch is Refusal {
                    // Full: strangers open no more conversations, and nothing is owed to them.
                    return arrival
                }
            }
            let slot = DeviceCertificate.slot(of: message.device)
            let stored = StoredMessage(
                sender: message.sender.text,
                device: slot.text,
                number: message.number,
                text: text,
                sentAt: message.sentAt.date,
                state: isMine ? .sent : .received
            )
            guard let key = try append(stored, to: id, from: slot, of: holder) else {
                return arrival
            }
            kept.changedAt = date
            if !isMine { kept.owe(message.number, to: slot) }
            try putConversation(kept, id, of: holder)
            let name = MessageName(conversation: id, place: key.place)
            arrival.shown = (stored, name, kept)
        case .receipt(let marks):
            guard !isMine, var kept = try conversation(id, of: holder) else { return arrival }
            let readBefore = kept.readByThem
            for mark in marks where mark.device == holder.slot {
                guard try note(mark, in: id, &kept, holder) else { continue }
                arrival.receipt = (id, kept.readByThem > readBefore ? "read" : "delivered")
            }
            try putConversation(kept, id, of: holder)
        }
        return arrival
    }

    /// Writes down what the other side says of this device's messages.
    private mutating func note(
        _ mark: MailMark,
        in id: Bytes32,
        _ kept: inout StoredConversation,
        _ holder: Chat.Holder
    ) throws -> Bool {
        var isNews = false
        for number in mark.delivered {
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

extension StoredConversation {
    /// Marks a device's message as opened, which its sender is to hear.
    mutating func owe(_ number: UInt64, to device: Bytes32) {
        unread += 1
        var owed = owed[device.text] ?? Owed()
        owed.delivered.append(number)
        owed.last = max(owed.last, number)
        self.owed[device.text] = owed
    }

    /// Takes out what one receipt can tell; `nil` where nothing is owed.
    mutating func takeMarks() -> [MailMark]? {
        var marks: [MailMark] = []
        for (text, due) in owed where due.isDue && marks.count < MailMark.marksMax {
            guard let device = Bytes32(hex: text) else { continue }
            let told = due.delivered.sorted().prefix(MailMark.deliveredMax)
            marks.append(
                MailMark(device: device, delivered: Array(told), readThrough: due.readThrough)
            )
            owed[text]?.delivered.removeAll(where: told.contains)
            owed[text]?.readTold = due.readThrough
        }
        return marks.isEmpty ? nil : marks
    }
}
