package import Foundation
package import Keys
package import Market
import Storage

/// An offer to buy at another price, or its withdrawal, as an account sent or received it.
package struct MailedPriceOffer: Sendable {
    /// The number of listed offers from which on none for an unknown sale is listed.
    package static let listedMax = 256
    /// The number of offers that one transaction reads.
    static let pageSize = 64

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
        var offers: [MailedPriceOffer] = []
        var last: CompositeKey<Address, Bytes32>?
        repeat {
            let page = try page(of: unlocked, after: last)
            offers += page.offers
            last = page.last
        } while last != nil
        return offers
    }

    /// Returns a page of the offers, and the last of as many keys as it has; `nil` after the end.
    private func page(
        of unlocked: UnlockedAccount,
        after last: CompositeKey<Address, Bytes32>?
    ) throws -> (offers: [MailedPriceOffer], last: CompositeKey<Address, Bytes32>?) {
        let account = unlocked.account
        return try store.read { transaction in
            let keys = try transaction.keys(
                PriceOfferNotes.self,
                .prefix(account).beyond(last),
                limit: MailedPriceOffer.pageSize
            )
            let offers = try keys.compactMap { key -> MailedPriceOffer? in
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
            return (offers, keys.last)
        }
    }
}
