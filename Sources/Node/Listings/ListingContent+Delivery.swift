import Client
import Market

extension ListingContent {
    /// Returns how the item reaches the buyer, as this content says.
    ///
    /// Refuses fields that belong to another way of delivery, because one of the two was not meant.
    func way() throws(Refusal) -> Delivery {
        switch delivery {
        case "shipping":
            try refuse(pickupPlace != nil, "pickupPlace", "A shipped item has no pickup place.")
            return .shipping(try limits())
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
                "Delivery is by 'shipping', 'pickup' or 'online'.",
                field: "delivery"
            )
        }
    }

    /// Returns how the item of an existing listing reaches the buyer after an edit.
    ///
    /// As ``way()``, but what the edit does not change stays as it is, including what this program
    /// cannot write, such as a distance.
    func way(changing old: Market.Listing) throws -> Delivery {
        let shown = ListingContent(old)
        if delivery == shown.delivery, shipsTo == shown.shipsTo, pickupPlace == shown.pickupPlace,
            shipsWithin == shown.shipsWithin
        {
            return old.delivery
        }
        if let within = shown.shipsWithin, delivery == "shipping", shipsTo.isEmpty {
            throw Refusal(
                .badListing,
                "This listing ships within \(within.metres) m of \(within.place.quoted). Send "
                    + "'shipsWithin' as it is shown, or name countries in 'shipsTo'.",
                field: "shipsWithin"
            )
        }
        return try way()
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
                "The pickup place is one line of 1 to \(Delivery.placeByteCountMax) bytes, "
                    + "without spaces at its ends.",
                field: "pickupPlace"
            )
        }
        return pickupPlace
    }

    private func limits() throws(Refusal) -> ShippingLimits {
        guard shipsWithin == nil else {
            throw Refusal(
                .badListing,
                "A distance cannot be entered here; name countries in 'shipsTo'.",
                field: "shipsWithin"
            )
        }
        var places: [String] = []
        for text in shipsTo {
            let country = try Countries.entered(text, .badListing, field: "shipsTo").lowercased()
            guard !places.contains(country) else {
                throw Refusal(.badListing, "\(text.quoted) is named twice.", field: "shipsTo")
            }
            places.append(country)
        }
        do {
            return try ShippingLimits(
                places.isEmpty ? .everywhere : .places(.countries, places)
            )
        } catch {
            throw Refusal(
                .badListing,
                "A listing names at most \(ShippingLimits.placesMax) countries; without any, it "
                    + "is shipped everywhere.",
                field: "shipsTo"
            )
        }
    }
}

extension ShippingLimits.Area {
    /// The area without a limit: half of the way round the Earth from any place.
    static var everywhere: Self {
        guard let centre = ShippingLimits.Point(latitudeE7: 0, longitudeE7: 0) else {
            preconditionFailure("the point is on Earth")
        }
        return .distance(
            metres: ShippingLimits.radiusMetresMax,
            centre: centre,
            place: "everywhere"
        )
    }

    /// Whether it excludes no place: no place on Earth is farther from any other.
    var isEverywhere: Bool {
        guard case .distance(let metres, _, _) = self else { return false }
        return metres >= ShippingLimits.radiusMetresMax
    }
}
