package import Client
package import Keys
import Market

/// What a buyer's own node adds to the request of a purchase.
///
/// It is no part of the request: the same request is the same purchase after it has changed.
package struct BuyerNotes: Sendable {
    /// The buyer's own delivery address.
    package var address: Client.DeliveryAddress
    /// Whether the seller has granted the buyer an exception from the limits of shipping.
    package var isGranted: Bool

    package init(
        address: Client.DeliveryAddress = DeliveryAddress(),
        isGranted: Bool = false
    ) {
        (self.address, self.isGranted) = (address, isGranted)
    }

    /// Returns why the seller does not ship where a purchase wants it; `nil` if nothing is in the way.
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

/// Answers what buyers and sellers tell each other about sending an item.
package struct DeliveryNotes: Sendable {
    let addresses: DeliveryAddresses
    private let mail: DeliveryMail

    package init(addresses: DeliveryAddresses, mail: DeliveryMail) {
        (self.addresses, self.mail) = (addresses, mail)
    }

    /// Returns what this node knows for a purchase.
    ///
    /// For an account whose vault or mail is not open here, that is nothing.
    package func notes(for purchase: Client.Purchase, by buyer: Address) async -> BuyerNotes {
        let address = try? await addresses.address(of: buyer)
        let isGranted = try? await mail.isGranted(purchase.listing, to: buyer)
        return BuyerNotes(address: address ?? DeliveryAddress(), isGranted: isGranted ?? false)
    }

    /// Returns where the item of a sale goes, see ``Client/Sale/deliveryAddress``.
    package func address(forSale id: String, shownTo account: Address?) async -> String? {
        await mail.address(forSale: id, shownTo: account)
    }

    /// Ships to one buyer whatever a listing's limits say, see ``DeliveryMail/grant(_:to:by:key:)``.
    package func grant(
        _ listing: String,
        to draft: ShippingException,
        by seller: Address,
        key: String
    ) async throws -> Message {
        try await mail.grant(listing, to: draft, by: seller, key: key)
    }

    /// Sends the seller of a sale the address to which the item goes.
    ///
    /// - Returns: The message.
    /// - Throws: ``Refusal`` with `unknown_sale`, `not_your_sale`, `not_allowed`, `malformed_value`,
    ///   `needs_unlock`, `signs_elsewhere`, and as ``Chat/write(_:in:by:key:)``.
    package func disclose(
        _ draft: AddressDisclosure,
        for sale: String,
        by buyer: Address,
        key: String
    ) async throws -> Message {
        var text = draft.text
        if text == nil { text = try await addresses.address(of: buyer).text }
        guard let text else {
            throw Refusal(
                .malformedValue,
                "You have saved no delivery address. Give it in 'text', or save one first: stoa account "
                    + "address set --text.",
                field: "text"
            )
        }
        return try await mail.disclose(text, for: sale, by: buyer, key: key)
    }
}
