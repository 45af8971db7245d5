import Client
import Concurrency
import Foundation
import Keys
import Logging
import Market
import Storage

/// Sends the keys of digital works to their buyers, for the sellers that are signed in here.
///
/// A key goes once its sale is handed over, as final blocks show it: by the seller's own move where
/// there is one, otherwise by its payment. That it went is known by the message itself, so it goes
/// once, also after a restart.
struct WorkDelivery: Sendable {
    /// How often the sales are looked at, if the chain has changed or an account was unlocked.
    private static let interval = Duration.seconds(1)
    /// How long until a delivery that failed is tried again.
    private static let retryInterval = Duration.seconds(30)

    let digitalWorks: DigitalWorks
    let saleIndexes: SaleIndexes
    let accounts: Accounts
    let logger: Logger

    private var chat: Chat { digitalWorks.chat }

    /// Delivers until cancelled.
    func run() async throws {
        let clock = SystemMonotonicClock()
        var (seen, unlocked): (UInt64?, [Address]) = (nil, [])
        var retryAt = Duration.zero
        while true {
            let (version, open) = (saleIndexes.version, await accounts.unlocked)
            if version != seen || open != unlocked || clock.uptime >= retryAt {
                (seen, unlocked) = (version, open)
                retryAt = clock.uptime + Self.retryInterval
                for account in open { await deliver(for: account) }
            }
            try await clock.wait(Self.interval)
        }
    }

    /// Delivers what an account owes as a seller.
    func deliver(for seller: Address) async {
        do {
            let own = try chat.store.read { try $0.keys(Works.self, .prefix(seller), limit: 1) }
            guard !own.isEmpty else { return }
            let unlocked = try await chat.services.unlockedAccount(seller)
            let sales = saleIndexes.final(
                saleIndexes.sales(of: seller).filter { $0.seller == seller }
            )
            for sale in sales where sale.isHandedOver {
                // One that fails does not hold up the others.
                await attempt(seller) { try await deliver(sale, unlocked) }
            }
        } catch {
            noteFailure(error, of: seller)
        }
    }

    private func attempt(_ seller: Address, _ body: () async throws -> Void) async {
        do { try await body() } catch { noteFailure(error, of: seller) }
    }

    private func noteFailure(_ error: any Error, of seller: Address) {
        logger.debug(
            "works not delivered",
            metadata: ["account": "\(seller)", "error": "\(error)"]
        )
    }

    private func deliver(_ sale: Market.Sale, _ unlocked: UnlockedAccount) async throws {
        let store = chat.store
        let subject = StoredTradeNote.subject(ofWork: sale.reference, from: unlocked.account)
        guard let buyer = sale.buyer,
            try store.read({ try $0.tradeNote(on: subject, of: unlocked) }) == nil,
            let promise = try store.promise(of: sale),
            let file = Bytes32(hex: "0x" + promise.identifier.text),
            let mail = try digitalWorks.work(file, of: unlocked)?.mail(for: sale.reference)
        else { return }
        do {
            let listing = try store.foundListing(of: sale)?.id.description
            let opening = ConversationOpening(with: buyer.checksummed, listing: listing)
            let conversation = try await chat.open(opening, by: unlocked.account)
            _ = try await chat.write(
                .work(mail),
                asking: mail.body.content,
                in: conversation.id,
                by: unlocked.account,
                key: "work \(sale.id)"
            )
        } catch let refusal as Refusal {
            logger.warning(
                "the key of a work cannot be sent yet",
                metadata: ["sale": "\(sale.id)", "reason": "\(refusal.detail)"]
            )
        }
    }
}
