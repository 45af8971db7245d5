import AccountAccess
import Answers
import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Metrics
import Storage

/// Sends mail from the outbox to the homes of its recipients.
actor MailSender {
    let store: Store
    private let events: AccountEventLog
    let exchange: MailExchange
    private let keyring: Keyring
    let directory: HomeDirectory
    let client: MailClient
    let settings: ChatSettings
    private let clock: any WallClock
    private let uptime: any MonotonicClock
    let logger: Logger
    private let errors: LoopErrors
    private let signals: MailSignals
    private var outbox: MailOutbox
    /// Prekey bundles of accounts whose mail other nodes keep.
    var bundles = ExpiringTable<Address, [PrekeyBundle]>(entriesMax: 1_000)
    /// Failures that the log has, by recipient and reason.
    private var loggedFailures = ExpiringTable<String, Void>(entriesMax: 1_000)

    nonisolated var now: Timestamp { clock.timestamp }

    init(_ context: MailContext, client: MailClient) {
        (store, events, exchange) = (context.store, context.events, context.exchange)
        (keyring, signals) = (context.keyring, context.signals)
        (directory, self.client) = (context.directory, client)
        (settings, clock, uptime) = (context.settings, context.clock, context.uptime)
        (logger, errors) = (context.logger, context.errors)
        outbox = MailOutbox(context.settings)
    }

    /// Makes all mail due.
    func makeAllDue() { outbox.makeAllDue() }

    /// Makes all mail due because of a new link; returns whether to start a pass.
    func linked() -> Bool { outbox.linked(at: now) }

    /// Seals and deposits mail until cancelled, at each signal.
    ///
    /// The mail of each route is sent by a task of its own, so that a recipient whose homes do not
    /// answer delays no other mail.
    func run(at signals: AsyncStream<Void>) async {
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                for batch in await dueMail() {
                    group.addTask {
                        await self.send(batch)
                        // There may be mail that had no slot.
                        self.signals.outgoing.send()
                    }
                }
            }
        }
    }

    /// Seals and deposits the mail whose turn it is, each route's once; one failure does not stop
    /// the others.
    func runPass() async {
        await withTaskGroup(of: Void.self) { group in
            var begun: Set<MailOutbox.Route> = []
            repeat {
                for batch in await dueMail(except: begun) {
                    begun.insert(batch.route)
                    group.addTask { await self.send(batch) }
                }
            } while await group.next() != nil
        }
    }

    /// Mail of one account to one recipient.
    struct Batch: Sendable {
        let route: MailOutbox.Route
        var mail: [Item] = []
        /// The prekey bundles that this pass has found, by account; empty if there are none.
        var bundles: [Address: [PrekeyBundle]] = [:]
        /// Whether a home took any of the mail.
        var isHeld = false
        /// Whether some of it could not be read, or not be written down.
        var isStuck = false
    }

    /// Mail of the outbox.
    struct Item: Sendable {
        let name: OutboxName
        let entry: OutboxEntry
        /// `nil` if the entry cannot be read.
        let outgoing: OutgoingMail?

        /// Mail of sales comes first, then each in the order it was written.
        fileprivate var order: (Int, UInt64) {
            (entry.destination.isOfSale ? 0 : 1, outgoing?.number ?? 0)
        }
    }

    /// Begins the routes whose turn it is; returns their mail in the order in which it is to
    /// arrive.
    private func dueMail(except begun: Set<MailOutbox.Route> = []) async -> [Batch] {
        var batches: [MailOutbox.Route: Batch] = [:]
        await errors.item("find mail that is due") {
            let now = now
            let horizon = outbox.horizon(at: now)
            let mail = try store.read { try $0.outboxTimes(until: horizon) }
            let routes = mail.map {
                MailOutbox.Route(account: $0.name.account, recipient: $0.destination.recipient.text)
            }
            let turns = outbox.begin(
                zip(routes, mail).map { ($0, $1.dueAt) },
                ofSales: Set(mail.indices.filter { mail[$0].destination.isOfSale }),
                except: begun,
                at: now
            )
            // Each route that was begun has a batch, even if its mail cannot be read.
            for index in turns { batches[routes[index]] = Batch(route: routes[index]) }
            for index in turns {
                let route = routes[index]
                let isRead = await errors.item("read a message") {
                    guard let item = try self.item(mail[index].name) else { return }
                    batches[route]?.mail.append(item)
                }
                if !isRead { batches[route]?.isStuck = true }
            }
        }
        return batches.values.map { batch in
            var batch = batch
            batch.mail.sort { $0.order < $1.order }
            return batch
        }
    }

    private func item(_ name: OutboxName) throws -> Item? {
        try store.read { try $0.outboxEntry(of: name.account, id: name.id) }.map { entry in
            Item(name: name, entry: entry, outgoing: try? OutgoingMail(storedBytes: entry.bytes))
        }
    }

    /// Tries the mail in turn, as long as its recipient does not delay the others.
    private func send(_ batch: Batch) async {
        var batch = batch
        let begunAt = uptime.uptime
        defer {
            outbox.ended(
                batch.route,
                after: uptime.uptime - begunAt,
                isHeld: batch.isHeld,
                isStuck: batch.isStuck,
                at: now
            )
        }
        let end = now.advanced(by: settings.slowAttempt)
        for item in batch.mail where now <= end {
            do {
                try await send(item, &batch)
            } catch is CancellationError {
                return
            } catch {
                noteFailure(error, to: batch.route.recipient)
                let isPostponed = await errors.item("postpone a message") {
                    try await self.postpone(item)
                }
                if !isPostponed { batch.isStuck = true }
            }
        }
    }

    /// Logs a failure, each kind once an hour for each recipient.
    private func noteFailure(_ error: any Error, to recipient: String) {
        Counter(label: "stoa_mail_attempts_failed").increment()
        let name = "\(recipient) \(error)"
        if loggedFailures.contains(name, at: now) { return }
        let until = now.advanced(by: settings.failureLogInterval)
        loggedFailures.insert(name, until: until, at: now)
        logger.warning(
            "chat: a message cannot be sent yet",
            metadata: ["recipient": "\(recipient)", "error": "\(error)"]
        )
    }

    private func send(_ item: Item, _ batch: inout Batch) async throws {
        // Its conversation may have been deleted since this pass began.
        let isWanted = try store.read {
            try $0.outboxEntry(of: item.name.account, id: item.name.id) != nil
        }
        guard isWanted else { return }
        let isExpired = item.entry.expiresAt <= now
        guard var outgoing = item.outgoing else {
            guard isExpired else { throw MailFault.malformed }
            try await remove(item.name)
            return
        }
        var isTooOften = false
        // A locked account's mail is sent on as far as that is possible without the key.
        let unlocked = try? await keys(for: outgoing, item)
        if !isExpired {
            outgoing.reason = nil
            if outgoing.copies.isEmpty, let unlocked {
                outgoing.copies = try await copies(of: outgoing, item, unlocked, &batch)
            }
            let heldBefore = outgoing.heldBy
            if !outgoing.copies.isEmpty { isTooOften = try await deposit(&outgoing, item) }
            if outgoing.heldBy > heldBefore { batch.isHeld = true }
        }
        var isReported = true
        if outgoing.heldBy > outgoing.heldNoted || isExpired || outgoing.reason != nil {
            isReported = unlocked != nil
            if let unlocked { try await report(&outgoing, isExpired: isExpired, unlocked) }
        }
        let outcome = outbox.outcome(
            attempts: item.entry.attempts,
            isComplete: try !isExpired
                && outgoing.isComplete { try directory.homeLeases(of: $0).map(\.peer) },
            isExpired: isExpired,
            isReported: isReported,
            at: now
        )
        switch outcome {
        case .finished: try await finish(item.name, outgoing, unlocked)
        case .retry where isTooOften:
            let time = now.advanced(by: AskingPace.pause)
            try await postpone(item, outgoing, until: time, isCounted: false)
        case .retry(let time): try await postpone(item, outgoing, until: time)
        }
    }

    /// Returns the keys that seal a message: of the account's session, or of an account that has
    /// left the delivery of its works to the node if the message is a work.
    private func keys(for outgoing: OutgoingMail, _ item: Item) async throws -> UnlockedAccount {
        let unlocked = try await keyring.courier(of: item.name.account)
        if unlocked.isLeftAlone {
            let mail = try SignedMail(
                unlocked.seal.open(outgoing.mail, for: .outgoing(item.name.id))
            )
            try unlocked.requireMayWrite(mail.message.body)
        }
        return unlocked
    }

    /// Records a message's progress, and reports it to its account.
    private func report(
        _ outgoing: inout OutgoingMail,
        isExpired: Bool,
        _ unlocked: UnlockedAccount
    ) async throws {
        let (heldBy, reason) = (outgoing.heldBy, outgoing.reason)
        outgoing.heldNoted = heldBy
        guard let place = outgoing.place else { return }
        let id = outgoing.conversation
        let key = MessageKey(account: unlocked.account, conversation: id, place: place)
        let changed = try await store.write {
            transaction -> (StoredMessage, StoredConversation)? in
            guard var message = try transaction.message(at: key, of: unlocked),
                let kept = try transaction.conversation(id, of: unlocked)
            else { return nil }
            guard message.handedOver(to: heldBy, reason: reason, isExpired: isExpired) else {
                return nil
            }
            try unlocked.replaceMessage(message, at: key, in: &transaction)
            return (message, kept)
        }
        guard let (message, kept) = changed else { return }
        let name = MessageName(conversation: id, place: place)
        try await events.report(message, name, kept, to: unlocked.account)
    }

    private func finish(
        _ name: OutboxName,
        _ outgoing: OutgoingMail,
        _ unlocked: UnlockedAccount?
    ) async throws {
        let id = outgoing.conversation
        let wasReceipt = try await store.write { transaction in
            try transaction.removeOutbox(of: name.account, id: name.id)
            guard let unlocked, outgoing.place == nil,
                var kept = try transaction.conversation(id, of: unlocked),
                kept.receiptInOutbox == name.id.text
            else { return false }
            kept.receiptInOutbox = nil
            try unlocked.putConversation(kept, id, in: &transaction)
            try transaction.noteReceiptDue(kept, id, of: unlocked)
            return true
        }
        // The next one may be owed already.
        if wasReceipt { signals.incoming.send() }
    }

    private func remove(_ name: OutboxName) async throws {
        try await store.write { try $0.removeOutbox(of: name.account, id: name.id) }
    }

    /// Postpones mail; `outgoing` is its state after the attempt, `nil` if that failed.
    private func postpone(
        _ item: Item,
        _ outgoing: OutgoingMail? = nil,
        until time: Timestamp? = nil,
        isCounted: Bool = true
    ) async throws {
        let name = item.name
        var entry = item.entry
        entry.nextAttemptAt = time ?? outbox.nextAttempt(after: entry.attempts, at: now)
        if isCounted { entry.attempts += 1 }
        if let outgoing { entry.bytes = outgoing.storedBytes }
        try await store.write { [entry] transaction in
            // A receipt may have arrived in the meantime and removed the entry.
            guard try transaction.outboxEntry(of: name.account, id: name.id) != nil else { return }
            try transaction.putOutbox(entry, of: name.account, id: name.id)
        }
    }
}
