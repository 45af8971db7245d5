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

    /// Returns the offer that an account has made for a listing and not withdrawn; `nil` if there
    /// is none.
    func offer(for id: ListingID, by unlocked: UnlockedAccount) throws -> FoundPriceOffer? {
        guard id.author != unlocked.account else { return nil }
        return try offers(of: unlocked).first {
            $0.buyer == unlocked.account && $0.listing.id == id
        }
    }

    /// Returns the offers that an account has sent and received.
    ///
    /// Of one buyer and listing, the offer for its newest sale counts.
    func offers(of unlocked: UnlockedAccount) throws -> [FoundPriceOffer] {
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
        return try newest.compactMap { subject, last in
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
