import AccountAccess
import Answers
import Concurrency
import Foundation
import Keys
import Logging
import Market
import Metrics
import Storage

/// Opens the mail that waits here, files it, and queues receipts.
actor MailReceiver {
    /// The result of opening an envelope.
    private enum Disposition {
        case filed
        /// It stays in the mailbox and is opened again.
        case left
        case dropped(MailDropReason)
    }

    private let store: Store
    private let accounts: Accounts
    private let events: AccountEventLog
    private let view: any ChainView & Sendable
    private let keyring: Keyring
    private let client: MailClient
    private let settings: ChatSettings
    private let clock: any WallClock
    private let logger: Logger
    private let errors: LoopErrors
    private let signals: MailSignals
    private let keys: DeviceKeys
    private var waiting: WaitingMail
    private var requestEvents: RequestEvents
    private var drops = MailDrops()
    /// The accounts whose messages of unknown kinds were read again since the start.
    private var readAgain: Set<Address> = []

    private nonisolated var now: Timestamp { clock.timestamp }

    init(_ context: MailContext, client: MailClient) {
        (store, accounts, events) = (context.store, context.accounts, context.events)
        (view, keyring) = (context.view, context.keyring)
        (self.client, signals) = (client, context.signals)
        (settings, clock) = (context.settings, context.clock)
        (logger, errors) = (context.logger, context.errors)
        keys = DeviceKeys(context)
        waiting = WaitingMail(context.settings)
        requestEvents = RequestEvents(context.settings)
    }

    /// Opens the mail of each signed-in account, and queues receipts for it; asks no other node.
    func runPass() async {
        for account in await accounts.unlocked {
            await errors.item("read again") { try await self.readAgain(account) }
            await errors.item("open") { try await self.open(account) }
            await errors.item("receipts") { try await self.queueReceipts(account) }
        }
    }

    /// Reads the account's messages of unknown kinds, once after the start: this may be a newer
    /// version than the one that stored them.
    ///
    /// Source: Docs/protocol.md, section 10.15.
    private func readAgain(_ account: Address) async throws {
        if readAgain.contains(account) { return }
        let unlocked = try await keyring.unlockedAccount(account)
        var last: MessageKey?
        repeat {
            let keys = try store.read {
                try $0.keys(
                    UnknownMessages.self,
                    .prefix(account).beyond(last),
                    limit: settings.batchMax
                )
            }
            for key in keys {
                await errors.item("read a message again") {
                    let arrival = try await self.store.write { try $0.readAgain(key, unlocked) }
                    if let arrival { try await self.report(arrival, to: account) }
                }
            }
            last = keys.last
        } while last != nil
        readAgain.insert(account)
    }

    /// Looks up the unknown senders of unproved envelopes at other nodes.
    ///
    /// The sources of the mail take turns, since some are too late for the peers that can be asked
    /// now.
    func findSenders() async {
        await forEach(waiting.takeSenders(), atOnce: settings.concurrentMax) { sender, envelopes in
            let isAnswered = await self.client.lookUp(sender)
            await self.errors.item("prove a sender") {
                try await self.recordLookup(of: envelopes, isAnswered: isAnswered)
            }
        }
    }

    /// Counts mail that was dropped.
    func count(_ reason: MailDropReason, of account: Address) {
        drops.add(reason, of: account)
        Counter(label: "stoa_mail_dropped", dimensions: [("reason", reason.rawValue)]).increment()
    }

    /// Opens the mail that waits here for the account's devices.
    func open(_ account: Address) async throws {
        let unlocked = try await keyring.unlockedAccount(account)
        for reader in unlocked.readers { try await open(unlocked, for: reader) }
        try await reportDrops(to: account)
    }

    /// Opens the mail that waits here for one of the account's devices.
    private func open(_ unlocked: UnlockedAccount, for reader: UnlockedAccount) async throws {
        let account = unlocked.account
        var last: UInt64 = 0
        while true {
            let keys = try store.read {
                try $0.envelopeKeys(
                    for: account,
                    device: reader.slot,
                    after: last,
                    limit: settings.batchMax
                )
            }
            guard let end = keys.last?.number else { break }
            last = end
            var done: [EnvelopeKey] = []
            // While the store is full, the rest would fail as well: it waits for the next pass.
            var isFull = false
            for key in keys where !isFull {
                await errors.item("open a message") {
                    do {
                        guard let reason = try await self.openIfDue(key, unlocked, reader) else {
                            return
                        }
                        self.waiting.remove(key)
                        self.count(reason, of: account)
                        done.append(key)
                    } catch let error as StorageError where error.isLackOfRoom {
                        isFull = true
                        throw error
                    }
                }
            }
            if !done.isEmpty {
                try await store.write { [done, slot = reader.slot] in
                    _ = try $0.acknowledge(done, by: account, device: slot)
                }
            }
            if isFull { break }
        }
    }

    /// Returns why a message is dropped, if it is due and is.
    private func openIfDue(
        _ key: EnvelopeKey,
        _ unlocked: UnlockedAccount,
        _ reader: UnlockedAccount
    ) async throws -> MailDropReason? {
        guard try isDue(key, unlocked),
            // The envelope may have been removed since the keys were read.
            let stored = try store.read({ try $0.envelope(at: key) }),
            case .dropped(let reason) = try await open(key, stored, unlocked, reader)
        else { return nil }
        return reason
    }

    /// Reports to the account how much mail was dropped since the last report, and why.
    private func reportDrops(to account: Address) async throws {
        let found = drops.report(to: account, at: now, interval: settings.dropReportInterval)
        guard let found else { return }
        let counts = Dictionary(
            uniqueKeysWithValues: found.map { ($0.key.rawValue, String($0.value)) }
        )
        logger.notice("sealed mail dropped", metadata: counts.mapValues { "\($0)" })
        try await events.record("mail_dropped", subject: account.text, data: counts, for: account)
    }

    /// Signs and queues the receipts that are owed, at most one per conversation at a time.
    ///
    /// Only accounts that this one has accepted get receipts. A receipt to a stranger would show
    /// that the account is active, and would make this node connect to the homes that the stranger
    /// names.
    private func queueReceipts(_ account: Address) async throws {
        let unlocked = try await keyring.unlockedAccount(account)
        let due = try store.read {
            try $0.keys(ReceiptsDue.self, .prefix(account), limit: settings.batchMax).map(\.second)
        }
        let (network, date) = (settings.network, clock.now)
        for id in due {
            let isQueued = try await store.write { transaction in
                try transaction.remove(ReceiptsDue.self, CompositeKey(account, id))
                guard var kept = try transaction.conversation(id, of: unlocked),
                    kept.receiptInOutbox == nil,
                    try transaction.isAccepted(kept, by: unlocked),
                    let marks = kept.takeMarks()
                else { return false }
                _ = try unlocked.queue(
                    .receipt(marks),
                    shownAs: nil,
                    to: id,
                    &kept,
                    network: network,
                    at: date,
                    in: &transaction
                )
                return true
            }
            if isQueued { signals.outgoing.send() }
        }
    }

    /// Returns whether an envelope is to be opened now, validated without opening it.
    private func isDue(_ key: EnvelopeKey, _ unlocked: UnlockedAccount) throws -> Bool {
        switch waiting.status(of: key, at: now) {
        case .due: return true
        case .notDue: return false
        case .dueIfRoom(let id, let other):
            let capacity = ConversationCapacity(settings)
            let isFull = try store.read {
                try $0.isStillFull(for: id, with: other, of: unlocked, capacity)
            }
            if isFull { waiting.keep(key, untilRoomFor: id, with: other, at: now) }
            return !isFull
        }
    }

    /// Records a lookup of the sender of some envelopes.
    private func recordLookup(of envelopes: Set<EnvelopeKey>, isAnswered: Bool) throws {
        var isDue = false
        for envelope in envelopes {
            guard let (sender, device) = waiting.device(of: envelope) else { continue }
            let isProved = try isCertified(device, of: sender)
            let isNow = waiting.lookedUp(
                envelope,
                isProved: isProved,
                isAnswered: isAnswered,
                at: now
            )
            isDue = isDue || isNow
        }
        if isDue { signals.incoming.send() }
    }

    /// Returns whether the account certified the device, as far as this node knows.
    private func isCertified(_ device: PublicKey, of account: Address) throws -> Bool {
        let slot = DeviceCertificate.slot(of: device)
        return try store.read { try $0.deviceKey(slot, of: account) } == device
    }

    /// Returns whether the sender's account certified the device, as this node or the message
    /// shows.
    ///
    /// A message counts only if nothing of the device is here: so a revocation does.
    private func isProved(_ message: MailMessage) throws -> Bool {
        if try isCertified(message.device, of: message.sender) { return true }
        let slot = DeviceCertificate.slot(of: message.device)
        guard try store.read({ try $0.isUnknownDevice(slot, of: message.sender) }) else {
            return false
        }
        return message.provesDevice(at: now)
    }

    private func open(
        _ key: EnvelopeKey,
        _ stored: StoredEnvelope,
        _ unlocked: UnlockedAccount,
        _ reader: UnlockedAccount
    ) async throws -> Disposition {
        let signed: SignedMail
        let message: MailMessage
        do {
            let envelope = try MailEnvelope(stored.bytes)
            guard let prekey = try keys.prekey(envelope.header.prekey, reader) else {
                return .dropped(.unopened)
            }
            signed = try envelope.opened(with: prekey)
            message = try signed.verified(for: unlocked.account, network: settings.network)
        } catch let fault as MailFault {
            return .dropped(fault == .notOpened ? .unopened : .malformed)
        }
        guard try isProved(message) else {
            let isKept = waiting.keep(
                key,
                untilProved: message.sender,
                device: message.device,
                source: stored.source,
                at: now
            )
            guard isKept else { return .dropped(.uncertified) }
            signals.homes.send()
            try await setAside(key, of: unlocked.account)
            return .left
        }
        return try await file(
            ProvedMail(signed, from: stored.source, to: unlocked.account),
            key,
            unlocked
        )
    }

    /// Files a message in its conversation, or keeps it until there is room.
    private func file(
        _ mail: ProvedMail,
        _ key: EnvelopeKey,
        _ unlocked: UnlockedAccount
    ) async throws -> Disposition {
        let date = clock.now
        let conversations = ConversationCapacity(settings)
        let relation = SaleRelation(of: mail.message, in: view)
        let offer = mail.isMine ? nil : OfferRelation(of: mail.message, in: view, at: now)
        if offer == .void { return .dropped(.malformed) }
        let filing = try await store.add { transaction in
            let filing = try transaction.file(
                mail,
                unlocked,
                at: date,
                relation: relation,
                offer: offer,
                capacity: conversations
            )
            if case .filed = filing {
                _ = try transaction.acknowledge([key], by: key.recipient, device: key.device)
            }
            return filing
        }
        switch filing {
        case .noRoom:
            // The chain may show its move by then, which gives it room.
            if mail.message.body.sale != nil {
                waiting.keep(key, at: now)
            } else {
                waiting.keep(key, untilRoomFor: mail.conversation, with: mail.other, at: now)
            }
            return .left
        case .dropped(let reason): return .dropped(reason)
        case .filed(let arrival):
            waiting.remove(key)
            try await report(arrival, to: unlocked.account)
            return .filed
        }
    }

    /// Makes room for other strangers' mail while the sender of this envelope is looked up.
    private func setAside(_ key: EnvelopeKey, of account: Address) async throws {
        for gone in try await store.write({ try $0.setAsideUnproved(key) }) {
            waiting.remove(gone)
            count(.uncertified, of: account)
        }
    }

    private func report(_ arrival: MailArrival, to account: Address) async throws {
        if let (message, name, kept) = arrival.shown,
            !arrival.isRequest || requestEvents.takeNext(of: account, at: now)
        {
            try await events.report(message, name, kept, to: account)
        }
        if let (conversation, state) = arrival.receipt {
            try await events.record(
                "receipt",
                subject: conversation.hex,
                data: ["state": state],
                for: account
            )
        }
    }
}
