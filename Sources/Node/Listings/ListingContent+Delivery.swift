import Client
import Market

extension ListingContent {
    /// How the thing reaches the buyer, as these words say.
    ///
    /// What belongs to another way of delivery is refused, as one of the two was not meant.
    func way() throws -> Delivery {
        switch delivery {
        case "shipping":
            try refuse(pickupPlace != nil, "pickupPlace", "Something that is shipped has no place.")
            return .shipping(try limits())
        case "pickup":
            try refuse(!shipsTo.isEmpty, "shipsTo", "Something that is fetched is not shipped.")
            try refuse(
                shipsWithin != nil,
                "shipsWithin",
                "Something that is fetched is not shipped."
            )
            guard let pickupPlace else {
                throw Refusal(
                    .badListing,
                    "Say where the buyer fetches it.",
                    field: "pickupPlace"
                )
            }
            return .pickup(place: pickupPlace)
        case "online":
            try refuse(!shipsTo.isEmpty, "shipsTo", "What is delivered online is not shipped.")
            try refuse(
                shipsWithin != nil,
                "shipsWithin",
                "What is delivered online is not shipped."
            )
            try refuse(pickupPlace != nil, "pickupPlace", "What is delivered online has no place.")
            return .online
        default:
            throw Refusal(
                .badListing,
                "Delivery is by 'shipping', 'pickup' or 'online'.",
                field: "delivery"
            )
        }
    }

    /// As ``way()``, for a listing that is there: what these words do not change stays as it is,
    /// also what this program cannot write, such as a distance.
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

    private func limits() throws -> ShippingLimits {
        guard shipsWithin == nil else {
            throw Refusal(
                .badListing,
                "A distance cannot be entered here; name countries in 'shipsTo'.",
                field: "shipsWithin"
            )
        }
        guard !shipsTo.isEmpty else { return try ShippingLimits(.everywhere) }
        var places: [String] = []
        for text in shipsTo {
            places.append(
                try Countries.entered(text, .badListing, field: "shipsTo").lowercased()
            )
        }
        return try ShippingLimits(.places(.countries, places))
    }
}

extension ShippingLimits.Area {
    /// Half of the way round the Earth from any place: no limit.
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

    /// Whether it leaves nothing out: no place on Earth is farther from any other.
    var isEverywhere: Bool {
        guard case .distance(let metres, _, _) = self else { return false }
        return metres >= ShippingLimits.radiusMetresMax
    }
}
