import AccountAccess
import Answers
package import Client
package import Keys
import Mail
import Market

/// The delivery addresses that buyers tell the sellers of their purchases.
///
/// Source: Docs/protocol.md, section 16.
package struct AddressDisclosures: Sendable {
    let chat: Chat
    let saleIndexes: SaleIndexes

    /// The accounts' own addresses, of which one is told if a buyer states none.
    private var saved: DeliveryAddresses { DeliveryAddresses(vault: chat.vault) }

    /// Sends the seller of a sale the item's delivery address.
    ///
    /// - Returns: The message.
    /// - Throws: ``Refusal`` with `unknown_sale`, `not_your_sale`, `not_allowed`,
    ///   `malformed_value`, `needs_unlock`, `signs_elsewhere`, and as ``Chat/write(_:in:by:key:)``.
    package func disclose(
        _ draft: AddressDisclosure,
        for id: String,
        by buyer: Address,
        key: String
    ) async throws -> Message {
        var text = draft.text
        if text == nil { text = try await saved.address(of: buyer).text }
        guard let text else {
            throw Refusal(.malformedValue, Sentence("refusal.noSavedAddress"), field: "text")
        }
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

    /// Refuses an address that the seller does not need, or no longer.
    func requireNeed(of sale: Market.Sale, by buyer: Address) throws {
        guard sale.buyer == buyer, try needsAddress(sale, for: buyer) else {
            throw Refusal(
                .notAllowed,
                Sentence("refusal.addressNoLongerNeeded"),
                .state(of: sale.state)
            )
        }
    }

    /// Sends the seller the address that a purchase was made with.
    ///
    /// If the buyer has sent another address since the purchase was begun, that one counts. One
    /// sent for an earlier purchase of the same sale, which was offered again, does not.
    func send(
        _ text: String,
        for sale: Market.Sale,
        of purchase: FinalOperation,
        _ unlocked: UnlockedAccount
    ) async throws {
        try await chat.note(
            .address(try MailAddress(for: sale.reference, text: text)),
            on: StoredTradeNote.subject(of: sale.reference, from: purchase.account),
            to: sale.seller,
            about: try chat.store.foundListing(of: sale)?.shownID.slot,
            by: unlocked,
            unlessSentSince: purchase.begunAt
        )
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
    func address(for sale: Market.Sale, _ unlocked: UnlockedAccount) -> String? {
        let account = unlocked.account
        guard let buyer = sale.buyer, buyer != sale.seller,
            account == buyer
                || account == sale.seller && (try? needsAddress(sale, for: account)) == true
        else { return nil }
        let subject = StoredTradeNote.subject(of: sale.reference, from: buyer)
        return chat.store.message(on: subject, unlocked)?.text
    }

    /// Returns whether the seller needs to know where to send the item, as one of the two sides
    /// knows.
    func needsAddress(_ sale: Market.Sale, for account: Address) throws -> Bool {
        let time = saleIndexes[sale].time ?? sale.position.time
        return try sale.needsAddress(at: time) && !chat.store.isSaidSent(sale, to: account)
    }
}
