import Answers
import Client
import Market
import Setup

extension ListingContent {
    /// Returns how the item reaches the buyer, as this content says.
    ///
    /// Refuses fields that belong to another way of delivery, because one of the two was not meant.
    ///
    /// - Parameter old: The listing that an edit changes; its places may be given as they are
    ///   shown.
    /// - Returns: The delivery method in the record's form.
    /// - Throws: ``Refusal`` with `bad_listing` and the field at fault.
    func way(changing old: ShippingLimits? = nil) throws(Refusal) -> Delivery {
        switch delivery {
        case "shipping":
            try refuse(pickupPlace != nil, "pickupPlace", Sentence("refusal.noPickupPlace"))
            return .shipping(try limits(changing: old))
        case "pickup":
            try refuse(!shipsTo.isEmpty, "shipsTo", Sentence("refusal.pickupNotShipped"))
            try refuse(shipsWithin != nil, "shipsWithin", Sentence("refusal.pickupNotShipped"))
            return .pickup(place: try checkedPickupPlace())
        case "online":
            try refuse(!shipsTo.isEmpty, "shipsTo", Sentence("refusal.onlineNotShipped"))
            try refuse(shipsWithin != nil, "shipsWithin", Sentence("refusal.onlineNotShipped"))
            try refuse(pickupPlace != nil, "pickupPlace", Sentence("refusal.onlineNoPlace"))
            return .online
        default:
            throw Refusal(.badListing, Sentence("refusal.deliveryOneOf"), field: "delivery")
        }
    }

    /// Returns how the item of an existing listing reaches the buyer after an edit.
    ///
    /// As ``way(changing:)``, but values that the edit does not change stay, including some that
    /// this program cannot write, such as an unknown country.
    func way(editing old: Market.Listing) throws -> Delivery {
        let shown = ListingContent(old)
        if delivery == shown.delivery, shipsTo == shown.shipsTo, pickupPlace == shown.pickupPlace,
            shipsWithin == shown.shipsWithin
        {
            return old.delivery
        }
        guard case .shipping(let limits) = old.delivery else { return try way() }
        if let within = shown.shipsWithin, delivery == "shipping", shipsTo.isEmpty,
            shipsWithin == nil
        {
            throw Refusal(
                .badListing,
                Sentence(
                    "refusal.keepDistance",
                    ["metres": "\(within.metres)", "place": within.place.quoted]
                ),
                field: "shipsWithin"
            )
        }
        return try way(changing: limits)
    }

    private func refuse(_ isWrong: Bool, _ field: String, _ words: Sentence) throws(Refusal) {
        guard isWrong else { return }
        throw Refusal(
            .badListing,
            words,
            Sentence("refusal.leaveOut", ["field": field]),
            field: field
        )
    }

    private func checkedPickupPlace() throws(Refusal) -> String {
        guard let pickupPlace else {
            throw Refusal(.badListing, Sentence("refusal.givePickupPlace"), field: "pickupPlace")
        }
        do { try Delivery.pickup(place: pickupPlace).check() } catch {
            throw Refusal(
                .badListing,
                Sentence("refusal.pickupPlaceForm", ["bytes": "\(Delivery.placeByteCountMax)"]),
                field: "pickupPlace"
            )
        }
        return pickupPlace
    }
}
