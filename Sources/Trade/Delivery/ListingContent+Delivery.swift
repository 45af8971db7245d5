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
            try refuse(pickupPlace != nil, "pickupPlace", "A shipped item has no pickup place.")
            return .shipping(try limits(changing: old))
        case "pickup":
            try refuse(!shipsTo.isEmpty, "shipsTo", "An item for pickup is not shipped.")
            try refuse(
                shipsWithin != nil,
                "shipsWithin",
                "An item for pickup is not shipped."
            )
            return .pickup(place: try checkedPickupPlace())
        case "online":
            try refuse(!shipsTo.isEmpty, "shipsTo", "An online delivery is not shipped.")
            try refuse(
                shipsWithin != nil,
                "shipsWithin",
                "An online delivery is not shipped."
            )
            try refuse(pickupPlace != nil, "pickupPlace", "An online delivery has no place.")
            return .online
        default:
            throw Refusal(
                .badListing,
                "'delivery' must be 'shipping', 'pickup' or 'online'.",
                field: "delivery"
            )
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
                "This listing ships within \(within.metres) m of \(within.place.quoted). Send "
                    + "'shipsWithin' unchanged or with a new value, or name places in 'shipsTo'.",
                field: "shipsWithin"
            )
        }
        return try way(changing: limits)
    }

    private func refuse(_ isWrong: Bool, _ field: String, _ words: String) throws(Refusal) {
        guard isWrong else { return }
        throw Refusal(
            .badListing,
            "\(words) Leave '\(field)' out, or change 'delivery'.",
            field: field
        )
    }

    private func checkedPickupPlace() throws(Refusal) -> String {
        guard let pickupPlace else {
            throw Refusal(
                .badListing,
                "Say in 'pickupPlace' where the buyer collects the item.",
                field: "pickupPlace"
            )
        }
        do { try Delivery.pickup(place: pickupPlace).check() } catch {
            throw Refusal(
                .badListing,
                "The pickup place must be one line of 1 to \(Delivery.placeByteCountMax) bytes, "
                    + "without spaces at its ends.",
                field: "pickupPlace"
            )
        }
        return pickupPlace
    }
}
