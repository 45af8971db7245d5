package import Answers
package import Client
package import Keys
import Market

/// The buyer's own node's additions to a purchase request.
///
/// It is not part of the request: the same request is the same purchase after it has changed.
package struct BuyerNotes: Sendable {
    /// The buyer's own delivery address.
    package var address: Client.DeliveryAddress
    /// Whether the seller has granted the buyer an exception from the limits of shipping.
    package var isGranted: Bool
    /// The address that the purchase gives, or why it cannot be sent; `nil` if it gives none.
    package var disclosure: Result<PlannedText, Refusal>?
    /// The buyer's offer at another price for the listing, also a withdrawn one.
    var offer: MadePriceOffer?

    package init(
        address: Client.DeliveryAddress = DeliveryAddress(),
        isGranted: Bool = false,
        disclosure: Result<PlannedText, Refusal>? = nil
    ) {
        (self.address, self.isGranted, self.disclosure) = (address, isGranted, disclosure)
    }

    /// Returns the request that identifies a repeated call; no hash in it lets anybody guess the
    /// text.
    func named(_ request: Client.Purchase) -> Client.Purchase {
        guard case .success(let disclosure)? = self.disclosure, request.address?.text != nil else {
            return request
        }
        var request = request
        request.address = AddressDisclosure(text: disclosure.digest.hex)
        return request
    }

    /// Returns why the seller does not ship to a purchase's destination; `nil` if the seller does.
    func refusal(of request: Client.Purchase, by delivery: Delivery) -> Refusal? {
        let isSaid = request.shipTo != nil || request.shipToPoint != nil
        do throws(Refusal) {
            let destination = try Destination(
                entered: isSaid ? request.shipTo : address.place,
                point: isSaid ? request.shipToPoint : address.point,
                for: delivery
            )
            return delivery.refusal(to: destination, isGranted: isGranted)
        } catch {
            return error
        }
    }
}

/// Handles sealed messages about sales.
package struct DeliveryNotes: Sendable {
    let addresses: DeliveryAddresses
    private let mail: SaleMail

    package init(addresses: DeliveryAddresses, mail: SaleMail) {
        (self.addresses, self.mail) = (addresses, mail)
    }

    /// Returns this node's data for a purchase.
    ///
    /// For an account whose vault or mail is not open here, there is nothing to do.
    package func notes(for purchase: Client.Purchase, by buyer: Address) async -> BuyerNotes {
        let address = try? await addresses.address(of: buyer)
        let isGranted = try? await mail.isGranted(purchase.listing, to: buyer)
        var notes = BuyerNotes(address: address ?? DeliveryAddress(), isGranted: isGranted ?? false)
        notes.offer = try? await mail.offer(for: purchase.listing, by: buyer)
        if let given = purchase.address {
            notes.disclosure = await disclosure(given, saved: notes.address.text, by: buyer)
        }
        return notes
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
            return .success(try await mail.planned(text, pictures: pictures, by: account))
        } catch let refusal as Refusal {
            return .failure(refusal)
        } catch {
            return .failure(Refusal(.internalError, Sentence("refusal.textNotSealed")))
        }
    }

    /// Returns what the other side wrote with its last proposal to settle a sale; `nil` for
    /// nothing.
    package func reasonOfProposal(in sale: String, to account: Address) async -> String? {
        await mail.notes.reasonOfProposal(in: sale, to: account)
    }

    /// Returns whether an account has bought a digital work whose key is not here.
    package func lacksKey(of sale: String, for account: Address) async -> Bool {
        await mail.lacksKey(of: sale, for: account)
    }

    /// Tells the buyer of a sale that the item was sent, see ``SentNotices/tell(_:for:by:)``.
    package func tellSent(_ notice: SentNotice, for sale: String, by seller: Address) async throws {
        try await mail.sentNotices.tell(notice, for: sale, by: seller)
    }

    /// Returns a sale as an account may read it, see ``SaleMail/opened(_:for:)``.
    package func opened(_ sale: Client.Sale, for account: Address?) async -> Client.Sale {
        await mail.opened(sale, for: account)
    }

    /// Returns rows of a list of sales, see ``SaleMail/addressed(_:for:)``.
    package func addressed(_ rows: [Client.Sale], for account: Address) async -> [Client.Sale] {
        await mail.addressed(rows, for: account)
    }

    /// Returns a picture of a note, see ``NotePictures/picture(_:in:for:)``.
    package func picture(
        _ id: String,
        in sale: String,
        for account: Address
    ) async throws -> [UInt8] {
        try await mail.pictures.picture(id, in: sale, for: account)
    }

    /// Ships to one buyer whatever a listing's limits say, see ``SaleMail/grant(_:to:by:key:)``.
    package func grant(
        _ listing: String,
        to draft: ShippingException,
        by seller: Address,
        key: String
    ) async throws -> Message {
        try await mail.grant(listing, to: draft, by: seller, key: key)
    }

    /// Sends the seller of a sale the item's delivery address.
    ///
    /// - Returns: The message.
    /// - Throws: ``Refusal`` with `unknown_sale`, `not_your_sale`, `not_allowed`,
    ///   `malformed_value`, `needs_unlock`, `signs_elsewhere`, and as ``Chat/write(_:in:by:key:)``.
    package func disclose(
        _ draft: AddressDisclosure,
        for sale: String,
        by buyer: Address,
        key: String
    ) async throws -> Message {
        var text = draft.text
        if text == nil { text = try await addresses.address(of: buyer).text }
        guard let text else {
            throw Refusal(.malformedValue, Sentence("refusal.noSavedAddress"), field: "text")
        }
        return try await mail.disclose(text, for: sale, by: buyer, key: key)
    }
}
