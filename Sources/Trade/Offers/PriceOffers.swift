import AccountAccess
import Answers
package import Client
import Contracts
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
    /// How long an offer stands if its buyer does not say.
    private static let window = Duration.days(3)

    private let chat: Chat
    private let planner: ListingPlanner
    private let saleIndexes: SaleIndexes

    private var book: OfferBook { OfferBook(chat: chat, saleIndexes: saleIndexes) }

    package init(chat: Chat, market: MarketServices) {
        (self.chat, planner, saleIndexes) = (chat, market.listingPlanner, market.saleIndexes)
    }

    /// Returns the offers that an account has received and made, newest first.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`.
    package func offers(of account: Address) async throws -> [PriceOffer] {
        let unlocked = try await chat.unlockedAccount(account)
        let found = try book.offers(of: unlocked)
        let all = try found + reservations(of: account, besides: found)
        return try PriceOfferRank.select(all, { $0.rank(for: account) }, sentAt: \.sentAt)
            .compactMap { offer in
                let saleIndex = saleIndexes[offer.current]
                guard let time = saleIndex.time else { return nil }
                var shown = offer.shown(at: time)
                shown.reason = shown.reason?.written(in: saleIndex.deployment.registry)
                if offer.isAccepted {
                    shown.ifUnpaid = try chat.store.ifUnpaid(
                        offer.current,
                        for: account,
                        in: saleIndex
                    )
                }
                return shown
            }
    }

    /// Returns the offers that an account has accepted, as the chain shows them: their messages may
    /// be gone, and a buyer may have withdrawn one since.
    private func reservations(
        of seller: Address,
        besides found: [FoundPriceOffer]
    ) throws -> [FoundPriceOffer] {
        // An offer that was answered on other terms has its row.
        let known = Set(found.filter(\.isAnswered).map(\.current.reference))
        return try saleIndexes.sales(of: seller).compactMap { sale in
            guard sale.seller == seller, sale.buyer == nil, !known.contains(sale.reference),
                let reservation = sale.state.offer?.offer.reservation,
                let before = saleIndexes[sale].sale(before: sale),
                let listing = try chat.store.foundListing(of: sale)
            else { return nil }
            let offer = FoundPriceOffer(reservation, of: sale, after: before, listing)
            // A seller can reserve a thing without an offer, too.
            return offer.flatMap { $0.isAccepted ? $0 : nil }
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
        let checked = try check(draft, for: text, by: buyer)
        return try await send(
            MailPriceOffer(for: checked.sale.reference, checked.content),
            // Not the content, whose time counts from the call.
            asking: [UInt8](try WireCoding.encoder().encode(draft)),
            about: checked.id,
            by: buyer,
            key: key
        )
    }

    /// Returns what an offer says, with the same checks as ``offer(_:for:by:key:)``.
    ///
    /// - Throws: ``Refusal`` as ``offer(_:for:by:key:)``, but for those of its message.
    package func preview(
        _ draft: PriceOfferDraft,
        for text: String,
        by buyer: Address
    ) async throws -> ActionPreview {
        _ = try await chat.unlockedAccount(buyer)
        let (_, sale, content) = try check(draft, for: text, by: buyer)
        let title = try chat.store.promise(of: sale)?.title
        let chain = sale.reference.contract.chain
        func money(_ amount: Amount) -> String { amount.value(in: sale.currency, on: chain) }
        let times = [
            "until": content.until.value,
            "payment": "\(content.paymentSeconds)",
        ]
        let preview = ActionPreview(
            action: "offer_price",
            chain: chain.number,
            subject: sale.id.description,
            sale: ActionPreview.PreviewedSale(sale, title: title, to: buyer),
            summary: [
                Sentence(
                    "offer.youOffer",
                    [
                        "title": title ?? text, "price": money(content.price),
                        "listed": money(sale.price),
                    ]
                )
            ],
            explanation: [Sentence("offer.standsUntil", times), Sentence("offer.costsNothing")]
        )
        return preview.inUnits(of: saleIndexes[sale].deployment.registry)
    }

    /// Reads a draft, and checks that the seller can accept it.
    private func check(
        _ draft: PriceOfferDraft,
        for text: String,
        by buyer: Address
    ) throws -> (id: ListingID, sale: Market.Sale, content: MailPriceOffer.Content) {
        let id = try ListingID(text)
        guard id.author != buyer else {
            throw Refusal(.ownListing, Sentence("refusal.ownListing"), field: "listing")
        }
        let price = try Amount.entered(draft.price, field: "price")
        let (sale, time) = try planner.sale(openTo: buyer, of: id, at: price)
        let until = draft.until.map { ChainTime(seconds: $0) } ?? time.advanced(by: Self.window)
        guard time < until, until <= time.advanced(by: MailPriceOffer.window) else {
            throw Refusal(.badTerms, Sentence("refusal.offerUntilRange"), field: "until")
        }
        do {
            let content = try MailPriceOffer.Content(
                price: price,
                until: until,
                paymentSeconds: draft.paymentSeconds ?? Self.paymentSeconds
            )
            return (id, sale, content)
        } catch {
            throw Refusal(.badTerms, Sentence("refusal.paymentRange"), field: "paymentSeconds")
        }
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
        guard let last = try book.lastMail(for: id, from: buyer, unlocked) else {
            throw Refusal(.notFound, Sentence("refusal.noOfferMade"), field: "listing")
        }
        if let content = last.content, let (listing, current) = try book.onSale(id),
            let time = saleIndexes[current].time,
            let offered = saleIndexes.view(of: last.sale)?.sale
        {
            let offer = FoundPriceOffer(
                content,
                for: offered,
                from: buyer,
                sentAt: .distantPast,
                listing,
                as: current
            )
            try offer.requireRevocable(at: time)
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
    private func offer(_ id: String, to account: Address) async throws -> FoundPriceOffer {
        let all = try book.offers(of: try await chat.unlockedAccount(account))
        guard let offer = all.first(where: { $0.buyer != account && $0.id.hex == id }) else {
            throw Refusal(
                .notFound,
                Sentence("refusal.unknownOffer", ["id": id.quoted]),
                field: "id"
            )
        }
        return offer
    }
}
