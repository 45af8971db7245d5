import AccountAccess
import Answers
package import Client
import Foundation
package import Keys
package import Mail
import Market
import Setup
import Storage

/// Buyers' offers to buy at other prices: sealed mail, and what a seller's acceptance lists.
///
/// It is stateless: an offer is a message in the conversation of the two accounts, and its state
/// follows from the listing's sales.
///
/// Source: Docs/protocol.md, section 19.
package struct PriceOffers: Sendable {
    private static let paymentSeconds: UInt64 = 172_800
    /// How long an offer stands if its buyer does not say, and at most.
    private static let window = Duration.days(3)
    private static let windowMax = Duration.days(30)

    private let chat: Chat
    private let planner: ListingPlanner
    private let saleIndexes: SaleIndexes

    package init(chat: Chat, market: MarketServices) {
        (self.chat, planner, saleIndexes) = (chat, market.listingPlanner, market.saleIndexes)
    }

    /// Returns the offers that an account has received and made, newest first.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`.
    package func offers(of account: Address) async throws -> [PriceOffer] {
        let unlocked = try await chat.unlockedAccount(account)
        let found = try found(of: unlocked)
        let all = try found + reservations(of: account, besides: found)
        return OfferRank.select(all, { $0.rank(for: account) }, sentAt: \.sentAt)
            .compactMap { offer in
                saleIndexes[offer.current].time.map { offer.shown(at: $0) }
            }
    }

    /// Returns the offers that an account has accepted, as the chain shows them: their messages may
    /// be gone, and a buyer may have withdrawn one since.
    private func reservations(
        of seller: Address,
        besides found: [FoundOffer]
    ) throws -> [FoundOffer] {
        let known = Set(found.filter(\.isAccepted).map(\.current.reference))
        return try saleIndexes.sales(of: seller).compactMap { sale in
            guard sale.seller == seller, sale.buyer == nil, !known.contains(sale.reference),
                let reservation = sale.state.offer?.offer.reservation,
                let before = saleIndexes[sale].sale(before: sale),
                let listing = try chat.store.foundListing(of: sale)
            else { return nil }
            return FoundOffer(reservation, of: sale, after: before.reference, listing)
        }
    }

    /// Offers the seller of a listing another price.
    ///
    /// - Returns: The message; that of the earlier call if this one repeats it.
    /// - Throws: ``Refusal`` with `unknown_listing`, `own_listing`, `listing_gone`, `bad_amount`,
    ///   `bad_terms`, `needs_unlock`, `signs_elsewhere`, and as ``Chat/write(_:in:by:key:)``.
    package func offer(
        _ draft: PriceOfferDraft,
        for text: String,
        by buyer: Address,
        key: String
    ) async throws -> Message {
        let id = try ListingID(text)
        guard id.author != buyer else {
            throw Refusal(.ownListing, Sentence("refusal.ownListing"), field: "listing")
        }
        let price = try Amount.entered(draft.price, field: "price")
        let (sale, time) = try planner.sale(openTo: buyer, of: id, at: price)
        let until = draft.until.map { ChainTime(seconds: $0) } ?? time.advanced(by: Self.window)
        guard time < until, until <= time.advanced(by: Self.windowMax) else {
            throw Refusal(.badTerms, Sentence("refusal.offerUntilRange"), field: "until")
        }
        let content: MailPriceOffer.Content
        do {
            content = try MailPriceOffer.Content(
                price: price,
                until: until,
                paymentSeconds: draft.paymentSeconds ?? Self.paymentSeconds
            )
        } catch {
            throw Refusal(.badTerms, Sentence("refusal.paymentRange"), field: "paymentSeconds")
        }
        return try await send(
            MailPriceOffer(for: sale, content),
            // Not the content, whose time counts from the call.
            asking: [UInt8](try WireCoding.encoder().encode(draft)),
            about: id,
            by: buyer,
            key: key
        )
    }

    /// Withdraws an account's offer for a listing.
    ///
    /// - Throws: ``Refusal`` with `not_found` if there is none, `move_not_open` if it has been
    ///   accepted or paid, and as ``offer(_:for:by:key:)``.
    package func withdraw(
        for text: String,
        by buyer: Address,
        key: String
    ) async throws -> Message {
        let id = try ListingID(text)
        let unlocked = try await chat.unlockedAccount(buyer)
        guard let last = try lastMail(for: id, from: buyer, unlocked) else {
            throw Refusal(.notFound, Sentence("refusal.noOfferMade"), field: "listing")
        }
        if let (listing, current) = try onSale(id), let time = saleIndexes[current].time,
            let reservation = current.state.offer?.offer.reservation, reservation.buyer == buyer
        {
            try FoundOffer(reservation, of: current, after: last.sale, listing)?
                .requireRevocable(at: time)
        }
        let withdrawal = MailPriceOffer(for: last.sale, nil)
        let asked = withdrawal.body.content
        return try await send(withdrawal, asking: asked, about: id, by: buyer, key: key)
    }

    private func send(
        _ offer: MailPriceOffer,
        asking content: [UInt8],
        about id: ListingID,
        by buyer: Address,
        key: String
    ) async throws -> Message {
        let opening = ConversationOpening(with: id.author.checksummed, listing: id.description)
        let conversation = try await chat.open(opening, by: buyer)
        return try await chat.write(
            .priceOffer(offer),
            asking: content,
            in: conversation.id,
            by: buyer,
            key: key
        )
    }

    /// Accepts an offer: the listing's sale is withdrawn, and its token listed again at the offered
    /// price for that buyer alone.
    ///
    /// Its obstacles: `listing_gone` if the sale has changed since, `move_not_open` if the offer
    /// has expired, and as for another price of a listing.
    ///
    /// - Throws: ``Refusal`` with `not_found`, `needs_unlock`, `signs_elsewhere`.
    package func accept(
        _ id: String,
        _ acceptance: OfferAcceptance,
        by account: Address,
        acceptsOneSource: Bool = false
    ) async throws -> ProposedOperation {
        let offer = try await offer(id, to: account)
        return planner.accept(
            offer,
            acceptance,
            by: account,
            acceptsOneSource: acceptsOneSource
        )
    }

    /// Returns the offer with an id, of those for the account's own listings.
    ///
    /// A part of the id is not enough: its buyer could make another offer that begins with it.
    private func offer(_ id: String, to account: Address) async throws -> FoundOffer {
        let all = try found(of: try await chat.unlockedAccount(account))
        guard let offer = all.first(where: { $0.buyer != account && $0.id.hex == id }) else {
            throw Refusal(
                .notFound,
                Sentence("refusal.unknownOffer", ["id": id.quoted]),
                field: "id"
            )
        }
        return offer
    }

    /// Returns the offers that an account has sent and received.
    ///
    /// Of one buyer and listing, the offer for its newest sale counts.
    private func found(of unlocked: UnlockedAccount) throws -> [FoundOffer] {
        var newest: [OfferSubject: (mailed: MailedPriceOffer, sale: Market.Sale)] = [:]
        for mailed in try chat.priceOffers(of: unlocked) {
            guard let sale = saleIndexes.view(of: mailed.mail.sale)?.sale,
                let slot = sale.state.slot,
                [mailed.buyer, sale.seller].contains(unlocked.account)
            else { continue }
            let subject = OfferSubject(
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
            var offer = FoundOffer(
                content,
                for: last.sale.reference,
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
    private func onSale(
        _ id: ListingID
    ) throws -> (listing: FoundListing, current: Market.Sale)? {
        guard let listing = try chat.store.listing(id),
            let current = listing.listing.sale.flatMap({ saleIndexes.view(of: $0) })?.sale,
            current.seller == id.author, current.state.slot == id.slot
        else { return nil }
        return (listing, current)
    }

    /// Returns a buyer's last message about an offer for a listing, which may withdraw it.
    private func lastMail(
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
private struct OfferSubject: Hashable {
    let listing: ListingID
    let buyer: Address
}
