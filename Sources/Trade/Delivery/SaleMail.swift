import AccountAccess
import Answers
package import Client
import Ethereum
package import Keys
package import Mail
import Market
import Storage

/// Sealed messages about sending an item: a buyer's address, and a seller's exception from the
/// limits of shipping.
///
/// It is stateless: each is a message in the conversation of buyer and seller.
///
/// Source: Docs/protocol.md, section 16.
package struct SaleMail: Sendable {
    private let chat: Chat
    private let saleIndexes: SaleIndexes

    package init(chat: Chat, saleIndexes: SaleIndexes) {
        (self.chat, self.saleIndexes) = (chat, saleIndexes)
    }

    /// Ships to one buyer whatever the limits of one of the seller's listings say.
    ///
    /// - Returns: The message; that of the earlier call if this one repeats it.
    /// - Throws: ``Refusal`` with `unknown_listing`, `not_allowed`, `bad_address`,
    ///   `unknown_recipient`, `needs_unlock`, `signs_elsewhere`, and as ``Chat/write(_:in:by:key:)``.
    package func grant(
        _ listing: String,
        to draft: ShippingException,
        by seller: Address,
        key: String
    ) async throws -> Message {
        let id = try ListingID(listing)
        guard id.author == seller else {
            throw Refusal(
                .notAllowed,
                "This is not your listing. Only its seller can make an exception.",
                field: "listing"
            )
        }
        guard let stored = try chat.store.read({ try $0.record(in: id.key) }),
            let found = FoundListing(stored)
        else {
            throw Refusal(
                .unknownListing,
                "This node has no listing \(id), or it was withdrawn.",
                field: "listing"
            )
        }
        guard case .shipping = found.listing.delivery else {
            throw Refusal(.notAllowed, "The item of this listing is not shipped.", field: "listing")
        }
        let opening = ConversationOpening(with: draft.buyer, listing: id.description)
        let conversation = try await chat.open(opening, by: seller)
        let exception = MailException(listing: id.slot)
        return try await chat.write(
            .exception(exception),
            asking: exception.body.content,
            in: conversation.id,
            by: seller,
            key: key
        )
    }

    /// Returns whether the seller of a listing has made an exception for a buyer.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`, `needs_unlock`, `signs_elsewhere`.
    func isGranted(_ listing: String, to buyer: Address) async throws -> Bool {
        let id = try ListingID(listing)
        let unlocked = try await chat.unlockedAccount(buyer)
        let subject = StoredTradeNote.subject(ofListing: id.slot, from: id.author)
        return try chat.store.read { try $0.tradeNote(on: subject, of: unlocked) } != nil
    }

    /// Sends the seller the delivery address of a sale's item.
    func disclose(
        _ text: String,
        for id: String,
        by buyer: Address,
        key: String
    ) async throws -> Message {
        let sale = try saleIndexes.view(entered: id).sale
        guard sale.buyer == buyer, sale.seller != buyer else {
            throw Refusal(
                .notYourSale,
                "Only the buyer of a sale can tell its seller where to send the item."
            )
        }
        guard needsAddress(sale) else {
            throw Refusal(
                .notAllowed,
                "The seller needs no address now: the sale is \(sale.status.name)."
            )
        }
        let listing = try chat.store.foundListing(of: sale)
        let promise = try chat.store.promise(of: sale)
        guard promise.map({ $0.delivery.method == .shipping }) ?? true else {
            throw Refusal(.notAllowed, "The item of this sale is not shipped.")
        }
        try DeliveryAddresses.check(text)
        let address = try MailAddress(for: sale.reference, text: text)
        let opening = ConversationOpening(
            with: sale.seller.checksummed,
            listing: listing?.id.description
        )
        let conversation = try await chat.open(opening, by: buyer)
        return try await chat.write(
            .address(address),
            asking: address.body.content,
            in: conversation.id,
            by: buyer,
            key: key
        )
    }

    /// Seals an address for its buyer, so that an operation can keep it until the sale is paid.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`.
    func planned(_ text: String, by buyer: Address) async throws -> BuyerNotes.Disclosure {
        let seal = try await chat.unlockedAccount(buyer).seal
        return BuyerNotes.Disclosure(
            text: text,
            sealed: try seal.seal(text, for: .plannedAddress),
            digest: seal.digest(Array(text.utf8), for: .plannedAddress)
        )
    }

    /// Sends the seller the address that a purchase was made with.
    ///
    /// If the buyer has sent another address since the purchase was begun, that one counts. One sent
    /// for an earlier purchase of the same sale, which was offered again, does not.
    ///
    /// - Throws: ``Refusal`` if the seller will never need it.
    func disclose(
        _ disclosure: OperationPlan.Disclosure,
        of purchase: PaidPurchase
    ) async throws -> PublishingAnswer {
        let buyer = purchase.buyer
        guard let view = try view(of: disclosure.sale, on: purchase.chain),
            purchase.height.map({ $0 <= view.block?.number ?? 0 }) ?? (view.sale.buyer != nil)
        else { return .later("the purchase is not seen here yet") }
        let sale = view.sale
        guard sale.buyer == buyer, needsAddress(sale) else {
            throw Refusal(
                .notAllowed,
                "The seller no longer needs an address: the sale is \(sale.status.name)."
            )
        }
        do {
            let unlocked = try await chat.unlockedAccount(buyer)
            let text = try unlocked.seal.open(
                String.self,
                disclosure.sealed,
                for: .plannedAddress
            )
            let address = try MailAddress(for: sale.reference, text: text)
            try await chat.note(
                .address(address),
                on: StoredTradeNote.subject(of: sale.reference, from: buyer),
                to: sale.seller,
                about: try chat.store.foundListing(of: sale)?.id.slot,
                by: unlocked,
                unlessSentSince: purchase.begunAt
            )
            return .done(nil)
        } catch let refusal as Refusal where refusal.code == .nodeLocked {
            return .locked
        } catch let refusal as Refusal where refusal.code == .notAllowed {
            return .later(refusal.detail)
        }
    }

    private func view(of sale: SaleID, on chain: ChainID?) throws(Refusal) -> SaleView? {
        guard let chain else { return try saleIndexes.onlyView(entered: sale.description) }
        return saleIndexes[chain]?.view(of: sale)
    }

    /// Returns the delivery address of a sale's item, if the account has sent it, or is the seller
    /// and needs it now; `nil` if not, or if it is not signed in.
    func address(forSale id: String, shownTo account: Address?) async -> String? {
        guard let account, let sale = try? saleIndexes.view(entered: id).sale,
            let buyer = sale.buyer, buyer != sale.seller,
            account == buyer || account == sale.seller && needsAddress(sale),
            let unlocked = try? await chat.unlockedAccount(account)
        else { return nil }
        let subject = StoredTradeNote.subject(of: sale.reference, from: buyer)
        let note = try? chat.store.read { try $0.tradeNote(on: subject, of: unlocked) }
        return note?.text
    }

    /// Whether the seller needs to know where to send the item.
    private func needsAddress(_ sale: Market.Sale) -> Bool {
        sale.needsAddress(at: saleIndexes[sale].time ?? sale.position.time)
    }
}

extension LocalSeal.Context {
    fileprivate static let plannedAddress = Self(bytes: Array("planned address".utf8))
}
