package import Foundation
package import Keys
package import Market
import Storage

/// An offer to buy at another price, or its withdrawal, as an account sent or received it.
package struct MailedPriceOffer: Sendable {
    package let mail: MailPriceOffer
    package let buyer: Address
    /// By its sender's clock.
    package let sentAt: Date
    /// Whether it is in a conversation that a stranger began and that is not answered.
    package let isRequest: Bool
}

extension Chat {
    /// Returns the offers that an account has made and received, the last one of each buyer and
    /// sale; not those of accounts that it has blocked.
    ///
    /// It reads no other messages.
    package func priceOffers(of unlocked: UnlockedAccount) throws -> [MailedPriceOffer] {
        let account = unlocked.account
        return try store.read { transaction in
            try transaction.keys(PriceOfferNotes.self, .prefix(account)).compactMap { key in
                guard let place = try transaction.get(TradeNotes.self, key),
                    let message = try transaction.tradeNote(on: key.second, of: unlocked),
                    let bytes = message.note?.offer
                else { return nil }
                let buyer = try Address(text: message.sender)
                guard try transaction.contact(buyer, of: unlocked)?.isBlocked != true else {
                    return nil
                }
                let request = CompositeKey(account, place.conversation)
                return MailedPriceOffer(
                    mail: try MailPriceOffer(content: [UInt8](bytes)),
                    buyer: buyer,
                    sentAt: message.sentAt,
                    isRequest: try transaction.contains(MailRequests.self, request)
                )
            }
        }
    }
}
