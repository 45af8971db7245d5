package import Answers
package import Client
package import Keys
package import Mail
import Market

/// Adds this node's own texts and knowledge to the requests of purchases and moves.
package struct RequestNotes: Sendable {
    private let chat: Chat
    private let mail: SaleMail
    private let saleIndexes: SaleIndexes

    package init(chat: Chat, mail: SaleMail, saleIndexes: SaleIndexes) {
        (self.chat, self.mail, self.saleIndexes) = (chat, mail, saleIndexes)
    }

    /// Returns this node's data for a purchase.
    ///
    /// For an account whose vault or mail is not open here, there is nothing to do.
    package func notes(for purchase: Client.Purchase, by buyer: Address) async -> BuyerNotes {
        let address = try? await DeliveryAddresses(vault: chat.vault).address(of: buyer)
        let isGranted = try? await mail.exceptions.isGranted(purchase.listing, to: buyer)
        var notes = BuyerNotes(address: address ?? DeliveryAddress(), isGranted: isGranted ?? false)
        notes.offer = try? await offer(for: purchase.listing, by: buyer)
        if let given = purchase.address {
            notes.disclosure = await disclosure(given, saved: notes.address.text, by: buyer)
        }
        return notes
    }

    /// Returns the offer at another price that a buyer has made for a listing, also a withdrawn one.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`, `needs_unlock`, `signs_elsewhere`.
    private func offer(for listing: String, by buyer: Address) async throws -> MadePriceOffer? {
        let id = try ListingID(listing)
        let unlocked = try await chat.unlockedAccount(buyer)
        return try OfferBook(chat: chat, saleIndexes: saleIndexes).made(for: id, by: unlocked)
    }

    private func disclosure(
        _ given: AddressDisclosure,
        saved: String?,
        by buyer: Address
    ) async -> Result<PlannedText, Refusal> {
        guard let text = given.text ?? saved else {
            return .failure(
                Refusal(.malformedValue, Sentence("refusal.noSavedAddress"), field: "address")
            )
        }
        return await planned(text, by: buyer) { text throws(Refusal) in
            try DeliveryAddresses.check(text)
        }
    }

    /// Returns the note of a move, or why it cannot be sent; `nil` if the move has none.
    package func note(of move: Client.SaleMove, by account: Address) async
        -> Result<PlannedText, Refusal>?
    {
        guard let text = move.note else {
            guard move.pictures?.isEmpty == false else { return nil }
            return .failure(
                Refusal(.malformedValue, Sentence("refusal.notePicturesAlone"), field: "note")
            )
        }
        return await planned(text, move.pictures ?? [], by: account) { text throws(Refusal) in
            do { try MailNote.checked(text) } catch {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.noteLength", ["bytes": "\(MailNote.textByteCountMax)"]),
                    field: "note"
                )
            }
        }
    }

    private func planned(
        _ text: String,
        _ pictures: [String] = [],
        by account: Address,
        _ check: (String) throws(Refusal) -> Void
    ) async -> Result<PlannedText, Refusal> {
        do {
            try check(text)
            return .success(
                try await mail.plannedTexts.planned(text, pictures: pictures, by: account)
            )
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch {
            return .failure(Refusal(.internalError, Sentence("refusal.textNotSealed")))
        }
    }
}
