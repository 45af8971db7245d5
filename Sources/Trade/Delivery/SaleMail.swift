import AccountAccess
import Answers
package import Client
import Ethereum
package import Keys
package import Mail
import Market
package import MediaFiles
import Storage

/// Sealed messages about a sale: a buyer's address, a seller's exception from the limits of
/// shipping, and the notes that come with moves.
///
/// It is stateless: each is a message in the conversation of the two accounts.
///
/// Source: Docs/protocol.md, sections 16 and 18.
package struct SaleMail: Sendable {
    let chat: Chat
    let saleIndexes: SaleIndexes
    package let pictures: NotePictures
    package let notes: SaleNotes
    package let sentNotices: SentNotices

    /// - Parameters:
    ///   - chat: Carries the messages.
    ///   - media: Keeps the pictures of notes.
    ///   - saleIndexes: The sales.
    package init(chat: Chat, media: NodeMedia, saleIndexes: SaleIndexes) {
        (self.chat, self.saleIndexes) = (chat, saleIndexes)
        pictures = NotePictures(chat: chat, media: media, saleIndexes: saleIndexes)
        notes = SaleNotes(chat: chat, saleIndexes: saleIndexes, pictures: pictures)
        sentNotices = SentNotices(notes: notes)
    }

    /// Returns a sale with the sealed texts that an account may read: the delivery address and the
    /// notes of the moves.
    ///
    /// An account that is not signed in gets the sale as it is.
    package func opened(_ shown: Client.Sale, for account: Address?) async -> Client.Sale {
        guard let account, let sale = try? saleIndexes.view(entered: shown.id).sale,
            let unlocked = try? await chat.unlockedAccount(account)
        else { return shown }
        var shown = shown
        shown.deliveryAddress = address(for: sale, unlocked)
        for place in shown.history.indices {
            let step = shown.history[place]
            guard let mover = try? Address(text: step.by),
                let transaction = Bytes32(hex: step.transaction)
            else { continue }
            let seen = chat.store.note(of: mover, with: transaction, in: sale, unlocked)?.message
            shown.history[place].note = seen?.text
            let pictures = seen?.note?.pictures.map(\.blob.hex) ?? []
            shown.history[place].pictures = pictures.isEmpty ? nil : pictures
        }
        return shown
    }

    /// Returns the rows of a list of sales with the addresses to which the account has to send the
    /// items.
    package func addressed(_ rows: [Client.Sale], for account: Address) async -> [Client.Sale] {
        guard let unlocked = try? await chat.unlockedAccount(account) else { return rows }
        return rows.map { row in
            guard row.own == "seller", let sale = try? saleIndexes.view(entered: row.id).sale
            else { return row }
            var row = row
            row.deliveryAddress = address(for: sale, unlocked)
            return row
        }
    }

    /// Returns the delivery address of a sale's item, if the account has sent it, or is the seller
    /// and needs it now.
    private func address(for sale: Market.Sale, _ unlocked: UnlockedAccount) -> String? {
        let account = unlocked.account
        guard let buyer = sale.buyer, buyer != sale.seller,
            account == buyer
                || account == sale.seller && (try? needsAddress(sale, for: account)) == true
        else { return nil }
        let subject = StoredTradeNote.subject(of: sale.reference, from: buyer)
        return chat.store.message(on: subject, unlocked)?.text
    }

    /// Ships to one buyer whatever the limits of one of the seller's listings say.
    ///
    /// - Returns: The message; that of the earlier call if this one repeats it.
    /// - Throws: ``Refusal`` with `unknown_listing`, `not_allowed`, `bad_address`,
    ///   `unknown_recipient`, `needs_unlock`, `signs_elsewhere`, and as
    ///   ``Chat/write(_:in:by:key:)``.
    package func grant(
        _ listing: String,
        to draft: ShippingException,
        by seller: Address,
        key: String
    ) async throws -> Message {
        let id = try ListingID(listing)
        guard id.author == seller else {
            throw Refusal(.notAllowed, Sentence("refusal.exceptionBySeller"), field: "listing")
        }
        guard let stored = try chat.store.read({ try $0.record(in: id.key) }),
            let found = FoundListing(stored)
        else {
            throw Refusal.unknownListing("\(id)")
        }
        guard case .shipping = found.listing.delivery else {
            throw Refusal(.notAllowed, Sentence("refusal.notShipped"), field: "listing")
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

    /// Returns the offer at another price that a buyer has made for a listing, also a withdrawn one.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`, `needs_unlock`, `signs_elsewhere`.
    func offer(for listing: String, by buyer: Address) async throws -> MadePriceOffer? {
        let id = try ListingID(listing)
        let unlocked = try await chat.unlockedAccount(buyer)
        return try OfferBook(chat: chat, saleIndexes: saleIndexes).made(for: id, by: unlocked)
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
            throw Refusal(.notYourSale, Sentence("refusal.addressByBuyer"))
        }
        guard try needsAddress(sale, for: buyer) else {
            throw Refusal(.notAllowed, Sentence("refusal.noAddressNeeded"), .state(of: sale.state))
        }
        let listing = try chat.store.foundListing(of: sale)
        let promise = try chat.store.promise(of: sale)
        guard promise.map({ $0.delivery.method == .shipping }) ?? true else {
            throw Refusal(.notAllowed, Sentence("refusal.notShipped"))
        }
        try DeliveryAddresses.check(text)
        let address = try MailAddress(for: sale.reference, text: text)
        let opening = ConversationOpening(
            with: sale.seller.checksummed,
            listing: listing?.shownID.description
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

    /// Returns whether an account has bought a digital work whose key is not here; `false` if this
    /// node cannot say.
    func lacksKey(of id: String, for buyer: Address) async -> Bool {
        guard let sale = try? saleIndexes.view(entered: id).sale, sale.buyer == buyer,
            let promise = try? chat.store.promise(of: sale), promise.isOfWork,
            let file = Bytes32(hex: "0x" + promise.identifier.text),
            let unlocked = try? await chat.unlockedAccount(buyer)
        else { return false }
        let subject = StoredTradeNote.subject(ofWork: sale.reference, from: sale.seller)
        let hasKey = try? chat.store.read { transaction in
            try transaction.contains(Works.self, CompositeKey(buyer, file))
                || transaction.tradeNote(on: subject, of: unlocked) != nil
        }
        return hasKey == false
    }

    /// Returns whether the seller needs to know where to send the item, as one of the two sides
    /// knows.
    func needsAddress(_ sale: Market.Sale, for account: Address) throws -> Bool {
        let time = saleIndexes[sale].time ?? sale.position.time
        return try sale.needsAddress(at: time) && !chat.store.isSaidSent(sale, to: account)
    }
}
