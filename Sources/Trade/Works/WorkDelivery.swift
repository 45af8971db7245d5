package import AccountAccess
import Answers
import Client
package import Concurrency
import Foundation
import Keys
package import Logging
import Mail
import Market
import Storage

/// Sends the keys of digital works to their buyers, for the sellers that are signed in here or have
/// left that to the node, and notes of moves to the arbiters who take the cases later.
///
/// A key is sent once its sale is handed over according to final blocks: by the seller's own move
/// if there is one, otherwise by the payment. Each delivery's state is durable, and reaches the
/// account's other nodes by its vault: so a key is sent once, and again only if the buyer's node
/// has not confirmed it within 30 days.
///
/// Source: Docs/protocol.md, sections 17.2, 17.4 and 18.3.
package actor WorkDelivery {
    /// How often the sales are looked at, if the chain has changed or an account was unlocked.
    private static let interval = Duration.seconds(1)
    /// How long until a delivery that failed is tried again.
    private static let retryInterval = Duration.seconds(30)

    private let digitalWorks: DigitalWorks
    private let saleIndexes: SaleIndexes
    private let accounts: Accounts
    /// How long another node of the account is left to deliver a work that was added there.
    private let patience: Duration
    private let clock: any MonotonicClock
    private let logger: Logger
    private let errors: LoopErrors
    /// Since when keys are left to other nodes, by seller and sale, as uptime.
    private var waiting: [Address: [Bytes32: Duration]] = [:]

    private var chat: Chat { digitalWorks.chat }
    private var store: Store { digitalWorks.chat.store }
    private var now: Timestamp { chat.now }

    package init(
        digitalWorks: DigitalWorks,
        saleIndexes: SaleIndexes,
        accounts: Accounts,
        patience: Duration = .seconds(120),
        clock: any MonotonicClock,
        logger: Logger
    ) {
        (self.digitalWorks, self.saleIndexes) = (digitalWorks, saleIndexes)
        (self.accounts, self.patience) = (accounts, patience)
        (self.clock, self.logger) = (clock, logger)
        errors = LoopErrors("works", logger: logger, level: .debug, clock: clock)
    }

    /// Delivers until cancelled.
    package func run() async throws {
        var (seen, unlocked): (UInt64?, [Address]) = (nil, [])
        var retryAt = Duration.zero
        while true {
            let version = saleIndexes.version
            let open = await accounts.accounts(allowing: .deliver)
            if version != seen || open != unlocked || clock.uptime >= retryAt {
                (seen, unlocked) = (version, open)
                retryAt = clock.uptime + Self.retryInterval
                waiting = waiting.filter { open.contains($0.key) }
                for account in open { await deliver(for: account) }
                for account in await accounts.unlocked { await forwardNotes(of: account) }
            }
            try await clock.wait(Self.interval)
        }
    }

    /// Sends arbiters the notes of an account's moves.
    func forwardNotes(of account: Address) async {
        await errors.item("notes of account \(account)") {
            try await digitalWorks.mail?.notes.forward(of: account)
        }
    }

    /// Delivers the works that an account owes as a seller.
    func deliver(for seller: Address) async {
        await errors.item("works of account \(seller)") {
            let own = try store.read { try $0.keys(Works.self, .prefix(seller), limit: 1) }
            guard !own.isEmpty else { return }
            let unlocked = try await chat.courier(of: seller)
            let sales = saleIndexes.final(
                saleIndexes.sales(of: seller).filter { $0.seller == seller }
            )
            let before = waiting.removeValue(forKey: seller) ?? [:]
            var changed: [Bytes32] = []
            for sale in sales where sale.isHandedOver {
                // One that fails does not delay the others.
                await errors.item("work of sale \(sale.id)") {
                    let subject = try await self.deliver(sale, unlocked, before)
                    if let subject { changed.append(subject) }
                }
            }
            // At the next sign-in the vault gets what it lacks.
            if changed.isEmpty || unlocked.isLeftAlone { return }
            try await digitalWorks.tellDeliveries(changed, by: seller)
        }
    }

    /// Delivers the key of one sale, if it is due.
    ///
    /// - Returns: The delivery's name, if its state has changed.
    private func deliver(
        _ sale: Market.Sale,
        _ unlocked: UnlockedAccount,
        _ before: [Bytes32: Duration]
    ) async throws -> Bytes32? {
        let seller = unlocked.account
        let subject = StoredTradeNote.subject(ofWork: sale.reference, from: seller)
        let known = try store.read { try $0.delivery(on: subject, of: seller) }
        guard known?.isAcknowledged != true, let buyer = sale.buyer else { return nil }
        if let noted = try noted(known, on: subject, unlocked), noted != known {
            try await store.write { try $0.putDelivery(noted, on: subject, of: seller) }
            return subject
        }
        guard let promise = try store.promise(of: sale),
            let file = Bytes32(hex: "0x" + promise.identifier.text),
            let work = try digitalWorks.work(file, of: unlocked),
            let mail = work.mail(for: sale.reference)
        else { return nil }
        let isFollowed = work.isFollowed == true
        if let known {
            guard known.isDue(at: now, isFollowed: isFollowed) else { return nil }
        } else if isFollowed {
            // The node on which it was added sends it, and its message also arrives here.
            let since = before[subject] ?? clock.uptime
            guard clock.uptime >= since + patience else {
                waiting[seller, default: [:]][subject] = since
                return nil
            }
        }
        let time = now
        guard try await send(mail, for: sale, to: buyer, count: known?.count ?? 0, by: unlocked)
        else {
            return nil
        }
        let sent = DeliveredWork(
            sentAt: time,
            count: (known?.count ?? 0) + 1,
            isAcknowledged: false
        )
        try await store.write { try $0.putDelivery(sent, on: subject, of: seller) }
        return subject
    }

    /// Merges the known state of a delivery with its message, which another node may have sent.
    private func noted(
        _ known: DeliveredWork?,
        on subject: Bytes32,
        _ unlocked: UnlockedAccount
    ) throws -> DeliveredWork? {
        guard let message = try store.read({ try $0.tradeNote(on: subject, of: unlocked) }) else {
            return known
        }
        let sentAt = Timestamp(message.sentAt)
        var noted =
            known ?? DeliveredWork(sentAt: sentAt, count: 1, isAcknowledged: false)
        if message.isAcknowledged { noted.isAcknowledged = true }
        return noted
    }

    /// - Returns: Whether it was written; if not, the log says why.
    private func send(
        _ mail: MailWork,
        for sale: Market.Sale,
        to buyer: Address,
        count: UInt8,
        by unlocked: UnlockedAccount
    ) async throws -> Bool {
        do {
            let listing = try store.listing(of: sale)
            let opening = ConversationOpening(with: buyer.checksummed, listing: listing)
            let conversation = try await chat.open(opening, by: unlocked)
            _ = try await chat.write(
                .work(mail),
                asking: mail.body.content,
                in: conversation.id,
                by: unlocked,
                key: "work \(sale.id)" + (count == 0 ? "" : " \(count)")
            )
            return true
        } catch let refusal as Refusal {
            logger.warning(
                "the key of a work cannot be sent yet",
                metadata: ["sale": "\(sale.id)", "reason": "\(refusal.detail)"]
            )
            return false
        }
    }
}
