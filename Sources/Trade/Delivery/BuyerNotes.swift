package import Answers
package import Client
import Keys
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
