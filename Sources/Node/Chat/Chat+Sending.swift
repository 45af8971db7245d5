import Client
import Concurrency
import Foundation
import Gossip
import Keys
import Logging
import Market
import Storage

/// Sends mail from the outbox to the recipients' homes.
extension Chat {
    /// Envelopes for one home, each with the index of its copy in the message.
    private struct HomeDeposit: Sendable {
        let lease: HomeLease
        /// Whether it is a home of the sender, for the sender's other devices.
        let isOwn: Bool
        let grant: MailGrant?
        let envelopes: [(copy: Int, envelope: MailEnvelope)]
    }

    /// Signals that the outbox has mail to send.
    func hasMailToSend() { mailStore.arrivals.send() }

    /// Seals and deposits the mail that is due; one failure does not stop the rest.
    func send() async throws {
        let due = try store.read {
            try $0.outboxDue(
                at: isAllDue ? Timestamp(milliseconds: .max) : now,
                limit: settings.batchMax
            )
        }
        isAllDue = false
        // In the order they were written, so that they arrive in that order.
        let mail = try due.map { (item: $0, outgoing: try OutgoingMail(stored: $0.entry.bytes)) }
            .sorted { $0.outgoing.number < $1.outgoing.number }
        let lines = Dictionary(grouping: mail, by: \.outgoing.recipient).values
        await each(Array(lines)) { line in
            for (item, outgoing) in line {
                await self.attempt("send a message") { try await self.send(item, outgoing) }
            }
        }
    }

    private func send(_ item: OutboxItem, _ mail: OutgoingMail) async throws {
        var outgoing = mail
        let unlocked = await unlockedAccount(item.account)
        outgoing.problem = nil
        if outgoing.copies.isEmpty, let unlocked {
            outgoing.copies = try await copies(of: outgoing, item, unlocked)
        }
        if !outgoing.copies.isEmpty { await deposit(&outgoing) }
        let isOver = item.entry.expiresAt <= now
        var isNoted = true
        if outgoing.heldBy > outgoing.heldNoted || isOver || outgoing.problem != nil {
            isNoted = unlocked != nil
            if let unlocked { try await note(&outgoing, isOver: isOver, unlocked) }
        }
        if isNoted, try isOver || isDone(outgoing) {
            try await finish(item, outgoing, unlocked)
        } else {
            try await postpone(item, outgoing)
        }
    }

    private func unlockedAccount(_ account: Address) async -> UnlockedAccount? {
        // A locked account's mail is sent on as far as that needs no key.
        try? await unlocked(account)
    }

    /// Seals one envelope for every device that receives the message; none until keys are known.
    private func copies(
        of outgoing: OutgoingMail,
        _ item: OutboxItem,
        _ unlocked: UnlockedAccount
    ) async throws -> [OutgoingMail.Copy] {
        let recipient = try Address(text: outgoing.recipient)
        let bytes = try unlocked.seal.open([UInt8](outgoing.mail), for: .outgoing(item.id))
        let mail = try SignedMail(bytes)
        var copies: [OutgoingMail.Copy] = []
        for account in [recipient, unlocked.account] {
            let isOwn = account == unlocked.account
            let grant =
                isOwn
                ? .some(Data(unlocked.grant(for: account).bytes))
                : try store.read { try $0.contact(account, of: unlocked)?.grant }
            for bundle in try await bundles(of: account) where bundle.device != mail.message.device
            {
                guard let key = bundle.key(at: now) else { continue }
                let header = MailEnvelope.Header(
                    recipient: account,
                    device: DeviceCertificate.slot(of: bundle.device),
                    prekey: key.id,
                    expiresAt: item.entry.expiresAt
                )
                let envelope = try MailEnvelope.seal(mail, under: header, to: key.key)
                copies.append(
                    OutgoingMail.Copy(
                        account: account.text,
                        envelope: Data(envelope.bytes),
                        grant: grant
                    )
                )
            }
            // Nothing is sent to the sender's own devices alone.
            if copies.isEmpty { return [] }
        }
        return copies
    }

    /// Returns the prekey bundles of the account's devices, from here or from its homes.
    private func bundles(of account: Address) async throws -> [PrekeyBundle] {
        let kept = try store.read { try $0.prekeyBundles(of: account) }
        if !kept.isEmpty { return try certified(kept.map(\.bytes), of: account) }
        if let known = foreignKeys[account], known.until > now { return known.bundles }
        var homes = try homeLeases(of: account).filter { $0.peer != exchange.localPeer }
        if homes.isEmpty {
            await find(account)
            homes = try homeLeases(of: account).filter { $0.peer != exchange.localPeer }
        }
        let found = await withTaskGroup(of: [PrekeyBundle].self) { group in
            for lease in homes {
                group.addTask { await self.bundles(of: account, from: lease) }
            }
            for await bundles in group where !bundles.isEmpty {
                group.cancelAll()
                return bundles
            }
            return []
        }
        if found.isEmpty { return [] }
        if foreignKeys.count >= 1_000 { foreignKeys = [:] }
        foreignKeys[account] = (found, now.advanced(by: settings.bundleCacheTime))
        return found
    }

    private func bundles(of account: Address, from lease: HomeLease) async -> [PrekeyBundle] {
        do {
            let found = try await asking(lease, own: false, within: settings.requestTimeMax) {
                [exchange] in try await exchange.keys(of: account, from: lease.peer)
            }
            await take(found.records, of: account, from: lease.peer)
            return try certified(found.bundles, of: account)
        } catch {
            logger.debug(
                "home gives no keys",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
            return []
        }
    }

    /// Returns the bundles that belong to the account's certified devices on this network.
    private func certified(_ bundles: [[UInt8]], of account: Address) throws -> [PrekeyBundle] {
        let devices = Set(try store.read { try $0.devices(of: account) }.map(\.key))
        // A bundle that a home made up counts as missing.
        return bundles.compactMap { try? PrekeyBundle($0) }.filter {
            $0.account == account && $0.network == settings.network && devices.contains($0.device)
        }
    }

    /// Offers the envelopes to every home that does not hold them yet, all at once.
    private func deposit(_ outgoing: inout OutgoingMail) async {
        let handovers = handovers(of: outgoing)
        let answers = await withTaskGroup(of: (index: Int, DepositAnswers).self) { group in
            for (index, handover) in handovers.enumerated() {
                group.addTask { (index, await self.deposit(handover)) }
            }
            var answers: [(index: Int, DepositAnswers)] = []
            for await answer in group { answers.append(answer) }
            return answers
        }
        for (index, answers) in answers {
            let handover = handovers[index]
            for (copy, envelope) in handover.envelopes {
                switch answers.answer(to: envelope.hash) {
                case .held: outgoing.copies[copy].held.insert(handover.lease.peer.text)
                case .refused(let refusal):
                    outgoing.problem = "A home refused it: \(refusal) This node tries again."
                case nil: break
                }
            }
        }
        if outgoing.heldBy > 0 { outgoing.problem = nil }
    }

    /// Returns the envelopes to deposit, for each home of each account that receives the message.
    private func handovers(of outgoing: OutgoingMail) -> [HomeDeposit] {
        Set(outgoing.copies.map(\.account)).sorted().flatMap { text -> [HomeDeposit] in
            // An account whose address or homes cannot be read has no homes.
            guard let account = try? Address(text: text),
                let leases = try? homeLeases(of: account)
            else { return [] }
            let isOwn = account.text != outgoing.recipient
            return leases.compactMap { lease in
                let waiting = outgoing.copies.enumerated().filter { _, copy in
                    copy.account == text && !copy.held.contains(lease.peer.text)
                }
                let envelopes = waiting.compactMap { index, copy in
                    (try? MailEnvelope([UInt8](copy.envelope))).map { (index, $0) }
                }
                if envelopes.isEmpty { return nil }
                return HomeDeposit(
                    lease: lease,
                    isOwn: isOwn,
                    grant: waiting.first?.element.grant.flatMap { MailGrant([UInt8]($0)) },
                    envelopes: envelopes
                )
            }
        }
    }

    /// Returns the home's answers, which may be missing for some or all of the envelopes.
    private func deposit(_ handover: HomeDeposit) async -> DepositAnswers {
        let lease = handover.lease
        let envelopes = handover.envelopes.map(\.envelope)
        let answers = DepositAnswers()
        do {
            try await asking(
                lease,
                own: handover.isOwn,
                within: settings.requestTimeMax
            ) { [exchange, grant = handover.grant] in
                try await exchange.deposit(envelopes, under: grant, at: lease.peer) {
                    answers.note($0, $1)
                }
            }
        } catch {
            logger.debug(
                "home not reached",
                metadata: ["home": "\(lease.peer.text)", "error": "\(error)"]
            )
        }
        if answers.isTooOften { leaveAlone(lease.peer) }
        return answers
    }

    /// Records how far a message has come, and reports it to its account.
    private func note(
        _ outgoing: inout OutgoingMail,
        isOver: Bool,
        _ unlocked: UnlockedAccount
    ) async throws {
        let (heldBy, problem) = (outgoing.heldBy, outgoing.problem)
        outgoing.heldNoted = heldBy
        guard let place = outgoing.place, let id = Bytes32(hex: outgoing.conversation) else {
            return
        }
        let key = MessageKey(account: unlocked.account, conversation: id, place: place)
        let changed = try await store.write {
            transaction -> (StoredMessage, StoredConversation)? in
            guard var message = try transaction.message(at: key, of: unlocked),
                let kept = try transaction.conversation(id, of: unlocked)
            else { return nil }
            let before = (message.state, message.heldBy, message.problem)
            message.heldBy = max(heldBy, message.heldBy)
            message.problem = problem
            if message.state == .queued, heldBy > 0 { message.state = .sent }
            if isOver, message.state == .queued {
                message.state = .failed
                message.problem = "No home of the recipient could be reached. Write it again."
            }
            if before == (message.state, message.heldBy, message.problem) { return nil }
            try transaction.replaceMessage(message, at: key, of: unlocked)
            return (message, kept)
        }
        guard let (message, kept) = changed else { return }
        let name = MessageName(conversation: id, place: place)
        try await tell(message, name, kept, to: unlocked.account)
    }

    /// Returns whether all homes of all recipients hold it; for receipts one home is enough.
    private func isDone(_ outgoing: OutgoingMail) throws -> Bool {
        if outgoing.copies.isEmpty { return false }
        if outgoing.place == nil, outgoing.heldBy > 0 { return true }
        return try outgoing.copies.allSatisfy { copy in
            let homes = try homeLeases(of: Address(text: copy.account))
            return !homes.isEmpty && homes.allSatisfy { copy.held.contains($0.peer.text) }
        }
    }

    private func finish(
        _ item: OutboxItem,
        _ outgoing: OutgoingMail,
        _ unlocked: UnlockedAccount?
    ) async throws {
        let id = Bytes32(hex: outgoing.conversation)
        try await store.write { transaction in
            try transaction.removeOutbox(of: item.account, id: item.id)
            guard let id, let unlocked, outgoing.place == nil,
                var kept = try transaction.conversation(id, of: unlocked),
                kept.receiptInOutbox == item.id.text
            else { return }
            kept.receiptInOutbox = nil
            try transaction.putConversation(kept, id, of: unlocked)
            try transaction.noteReceiptDue(kept, id, of: unlocked)
        }
    }

    private func postpone(_ item: OutboxItem, _ outgoing: OutgoingMail) async throws {
        let doubled = settings.retryMin * (1 << Int(min(item.entry.attempts, 10)))
        let wait = min(settings.retryMax, doubled)
        let entry = OutboxEntry(
            nextAttemptAt: now.advanced(by: wait),
            attempts: item.entry.attempts + 1,
            expiresAt: item.entry.expiresAt,
            bytes: try outgoing.bytes()
        )
        try await store.write { transaction in
            // A receipt may have come in the meantime and removed the entry.
            guard try transaction.outboxEntry(of: item.account, id: item.id) != nil else { return }
            try transaction.putOutbox(entry, of: item.account, id: item.id)
        }
    }
}
