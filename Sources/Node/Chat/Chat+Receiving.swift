import Client
import Concurrency
import Foundation
import Gossip
import Keys
import Logging
import Market
import Metrics
import Storage

/// Collects mail from the homes, opens it, and queues receipts.
extension Chat {
    /// The result of looking at an envelope.
    private enum Disposition {
        case filed
        /// It stays where it is and is looked at again.
        case left
        case dropped(MailDropReason)
    }

    /// Collects the mail that waits at the account's other homes, from each home when it is due.
    func collect(_ account: Address) async throws {
        let unlocked = try await unlocked(account)
        let due = try homeLeases(of: account).filter { lease in
            lease.peer != exchange.localPeer
                && collectAt[Pair(account, lease.peer)].map { $0 <= now } ?? true
        }
        for lease in due {
            collectAt[Pair(account, lease.peer)] = now.advanced(by: settings.collectInterval)
        }
        await each(due) { lease in
            do {
                try await self.collect(unlocked, from: lease)
            } catch {
                self.logger.debug(
                    "nothing collected",
                    metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
                )
            }
        }
    }

    func collect(_ unlocked: UnlockedAccount, from lease: HomeLease) async throws {
        let (account, device, slot) = (unlocked.account, unlocked.device, unlocked.slot)
        try await asking(lease, own: true, within: settings.collectionTimeMax) {
            [exchange, mailStore, clock] in
            _ = try await exchange.collect(account, device: device, from: lease.peer) { entry in
                let header = entry.envelope.header
                guard header.recipient == account, header.device == slot else { return false }
                guard try await self.prekey(header.prekey, unlocked) != nil else {
                    // Mail that no key opens takes no room here, not even for a moment.
                    await self.count(.unopened, of: account)
                    return true
                }
                let from = MailOrigin.name(of: lease.peer)
                let refusal = try await mailStore.deposit(
                    entry.envelope,
                    as: entry.origin == nil ? .contact(grant: from) : .stranger,
                    from: entry.origin ?? from,
                    at: Timestamp(clock.now)
                )
                return refusal == nil || refusal == .wrongExpiry
            }
        }
    }

    private func count(_ reason: MailDropReason, of account: Address) {
        drops.add(reason, of: account)
        Counter(label: "stoa_mail_dropped", dimensions: [("reason", reason.rawValue)]).increment()
    }

    /// Opens the mail that waits here for the account's device.
    func open(_ account: Address) async throws {
        let unlocked = try await unlocked(account)
        var last: UInt64 = 0
        while true {
            let keys = try store.read {
                try $0.envelopeKeys(
                    for: account,
                    device: unlocked.slot,
                    after: last,
                    limit: settings.batchMax
                )
            }
            guard let end = keys.last?.number else { break }
            last = end
            var done: [EnvelopeKey] = []
            for key in keys {
                await attempt("open a message") {
                    guard try self.isDue(key, unlocked),
                        // The envelope may have been removed since the keys were read.
                        let stored = try self.store.read({ try $0.envelope(at: key) }),
                        case .dropped(let reason) = try await self.open(key, stored, unlocked)
                    else { return }
                    self.count(reason, of: account)
                    done.append(key)
                }
            }
            if done.isEmpty { continue }
            try await store.write { [done, slot = unlocked.slot] in
                _ = try $0.acknowledge(done, by: account, device: slot)
            }
        }
        try await reportDrops(to: account)
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
    /// that somebody is there, and would make this node connect to the homes that the stranger
    /// names.
    func queueReceipts(_ account: Address) async throws {
        let unlocked = try await unlocked(account)
        let due = try store.read {
            try $0.keys(ReceiptsDue.self, .prefix(account), limit: settings.batchMax).map(\.second)
        }
        let (network, date) = (settings.network, clock.now)
        for id in due {
            let isQueued = try await store.write { transaction in
                try transaction.remove(ReceiptsDue.self, Pair(account, id))
                guard var kept = try transaction.conversation(id, of: unlocked),
                    kept.receiptInOutbox == nil,
                    try transaction.isAccepted(kept, by: unlocked),
                    let marks = kept.takeMarks()
                else { return false }
                _ = try transaction.queue(
                    .receipt(marks),
                    shownAs: nil,
                    in: id,
                    &kept,
                    network: network,
                    of: unlocked,
                    at: date
                )
                return true
            }
            if isQueued { hasMailToSend() }
        }
    }

    /// Returns whether an envelope is to be opened now, judged without opening it.
    private func isDue(_ key: EnvelopeKey, _ unlocked: UnlockedAccount) throws -> Bool {
        if let doubt = doubts[key] { return doubt.next <= now }
        guard let waiting = postponed[key] else { return true }
        if waiting.next > now { return false }
        let capacity = ConversationCapacity(settings)
        let isFull = try store.read { try $0.isStillFull(for: waiting, of: unlocked, capacity) }
        if isFull { postponed[key]?.next = now.advanced(by: settings.noRoomInterval) }
        return !isFull
    }

    private func open(
        _ key: EnvelopeKey,
        _ stored: StoredEnvelope,
        _ unlocked: UnlockedAccount
    ) async throws -> Disposition {
        let message: MailMessage
        do {
            let envelope = try MailEnvelope(stored.bytes)
            guard let prekey = try prekey(envelope.header.prekey, unlocked) else {
                return .dropped(.unopened)
            }
            message = try envelope.opened(with: prekey)
                .verified(for: unlocked.account, network: settings.network)
        } catch let fault as MailFault {
            return .dropped(fault == .notOpened ? .unopened : .malformed)
        }
        guard try isCertified(message.device, of: message.sender) else {
            return doubt(key, message) ? .left : .dropped(.uncertified)
        }
        doubts[key] = nil
        let date = clock.now
        let mail = ProvedMail(message, from: stored.source, to: unlocked.account)
        let conversations = ConversationCapacity(settings)
        let filing = try await store.write { transaction in
            let filing = try transaction.file(
                mail,
                unlocked,
                at: date,
                capacity: conversations
            )
            if case .filed = filing {
                _ = try transaction.acknowledge([key], by: key.recipient, device: key.device)
            }
            return filing
        }
        switch filing {
        case .noRoom:
            if postponed.count >= 10_000 { postponed = [:] }
            postponed[key] = PostponedMail(
                conversation: mail.conversation,
                other: mail.other,
                next: now.advanced(by: settings.noRoomInterval)
            )
            return .left
        case .dropped(let reason): return .dropped(reason)
        case .filed(let arrival):
            postponed[key] = nil
            try await tell(arrival, to: unlocked.account)
            return .filed
        }
    }

    private func tell(_ arrival: MailArrival, to account: Address) async throws {
        if let (message, name, kept) = arrival.shown,
            !arrival.isRequest || tellsRequest(of: account)
        {
            try await tell(message, name, kept, to: account)
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

    /// Returns whether one more request-box message is reported as an event, and counts it.
    ///
    /// Strangers must not push events about the account's own affairs out of the log.
    private func tellsRequest(of account: Address) -> Bool {
        var told = requestsTold[account] ?? (0, now.advanced(by: settings.requestEventsInterval))
        if told.until <= now { told = (0, now.advanced(by: settings.requestEventsInterval)) }
        told.count += 1
        requestsTold[account] = told
        return told.count <= settings.requestEventsMax
    }
}
