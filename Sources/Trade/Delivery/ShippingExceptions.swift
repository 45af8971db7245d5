import AccountAccess
import Answers
package import Client
package import Keys
import Mail
import Market
import Storage

/// The exceptions from the limits of shipping that sellers make for single buyers.
///
/// Source: Docs/protocol.md, section 16.
package struct ShippingExceptions: Sendable {
    let chat: Chat

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
}
