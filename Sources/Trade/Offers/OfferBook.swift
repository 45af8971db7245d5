import AccountAccess
import Client
import Foundation
import Keys
import Mail
import Market
import Storage

/// The offers at other prices in the conversations of accounts, with the sales that they are for.
struct OfferBook {
    let chat: Chat
    let saleIndexes: SaleIndexes

    /// Returns the newest offer that an account has made for a listing, also if it has withdrawn it;
    /// `nil` if there is none.
    func made(for id: ListingID, by unlocked: UnlockedAccount) throws -> MadePriceOffer? {
        guard id.author != unlocked.account else { return nil }
        let subject = PriceOfferSubject(listing: id, buyer: unlocked.account)
        return try newest(of: unlocked)[subject].map { last in
            MadePriceOffer(content: last.mailed.mail.content, for: last.sale, by: subject.buyer)
        }
    }

    /// Returns the offers that an account has sent and received.
    func offers(of unlocked: UnlockedAccount) throws -> [FoundPriceOffer] {
        try newest(of: unlocked).compactMap { subject, last in
            guard let content = last.mailed.mail.content,
                let (listing, current) = try onSale(subject.listing)
            else { return nil }
            var offer = FoundPriceOffer(
                content,
                for: last.sale,
                from: subject.buyer,
                sentAt: last.mailed.sentAt,
                listing,
                as: current
            )
            offer.isRequest = last.mailed.isRequest
            return offer
        }
    }

    /// Returns the offers and withdrawals that an account has sent and received.
    ///
    /// Of one buyer and listing, the offer for its newest sale counts.
    private func newest(
        of unlocked: UnlockedAccount
    ) throws -> [PriceOfferSubject: (mailed: MailedPriceOffer, sale: Market.Sale)] {
        var newest: [PriceOfferSubject: (mailed: MailedPriceOffer, sale: Market.Sale)] = [:]
        for mailed in try chat.priceOffers(of: unlocked) {
            guard let sale = saleIndexes.view(of: mailed.mail.sale)?.sale,
                let slot = sale.state.slot,
                [mailed.buyer, sale.seller].contains(unlocked.account)
            else { continue }
            let subject = PriceOfferSubject(
                listing: ListingID(author: sale.seller, slot: slot),
                buyer: mailed.buyer
            )
            if let other = newest[subject]?.sale, other.listedAt > sale.listedAt { continue }
            newest[subject] = (mailed, sale)
        }
        return newest
    }

    /// Returns a listing, and the sale with which it is on sale now.
    func onSale(
        _ id: ListingID
    ) throws -> (listing: FoundListing, current: Market.Sale)? {
        guard let listing = try chat.store.listing(id),
            let current = listing.listing.sale.flatMap({ saleIndexes.view(of: $0) })?.sale,
            current.seller == id.author, current.state.slot == id.slot
        else { return nil }
        return (listing, current)
    }

    /// Returns a buyer's last message about an offer for a listing, which may withdraw it.
    func lastMail(
        for id: ListingID,
        from buyer: Address,
        _ unlocked: UnlockedAccount
    ) throws -> MailPriceOffer? {
        guard let current = try onSale(id)?.current else { return nil }
        for sale in saleIndexes[current].sales(forListingOf: current) {
            let subject = StoredTradeNote.subject(ofOfferFor: sale.reference, from: buyer)
            let message = try chat.store.read { try $0.tradeNote(on: subject, of: unlocked) }
            guard let bytes = message?.note?.offer else { continue }
            return try MailPriceOffer(content: [UInt8](bytes))
        }
        return nil
    }
}

/// The buyer and the listing of an offer.
private struct PriceOfferSubject: Hashable {
    let listing: ListingID
    let buyer: Address
}

/// An offer of a buyer, or its withdrawal, and the sale that it names.
struct MadePriceOffer: Sendable {
    /// `nil` if the buyer has withdrawn it.
    let content: MailPriceOffer.Content?
    let sale: Market.Sale
    let buyer: Address

    init(content: MailPriceOffer.Content?, for sale: Market.Sale, by buyer: Address) {
        (self.content, self.sale, self.buyer) = (content, sale, buyer)
    }

    /// Returns how a later sale of the listing differs; `nil` if it does not.
    func differences(of current: Market.Sale, _ listing: FoundListing) -> [Sentence]? {
        OfferAnswer(content, for: sale, from: buyer, listing, as: current)?.words
    }
}
