import Answers
import Client
import Market
import Setup

extension ListingContent {
    /// Returns the destinations to which the seller ships, as this content says.
    ///
    /// - Parameter old: The limits that an edit changes.
    /// - Returns: The limits as the record has them.
    /// - Throws: ``Refusal`` with `bad_listing` and the field at fault.
    func limits(changing old: ShippingLimits?) throws(Refusal) -> ShippingLimits {
        if let shipsWithin { return try distance(shipsWithin) }
        guard !shipsTo.isEmpty else { return .everywhere }
        var places: [String] = []
        var scopes: Set<ShippingLimits.Scope> = []
        for text in shipsTo {
            let (scope, place) = try Self.place(text, changing: old)
            guard !places.contains(place) else {
                throw Refusal(
                    .badListing,
                    Sentence("refusal.placeTwice", ["place": text.quoted]),
                    field: "shipsTo"
                )
            }
            places.append(place)
            scopes.insert(scope)
        }
        guard let scope = scopes.first, scopes.count == 1 else {
            throw Refusal(.badListing, Sentence("refusal.oneScope"), field: "shipsTo")
        }
        do { return try ShippingLimits(.places(scope, places)) } catch {
            throw Refusal(
                .badListing,
                Sentence(
                    "refusal.placesMax",
                    [
                        "most": "\(ShippingLimits.placesMax)",
                        "bytes": "\(Delivery.placeByteCountMax)",
                    ]
                ),
                field: "shipsTo"
            )
        }
    }

    /// Reads "DE", "Bavaria, DE", "Munich, Bavaria, DE", or a place as the old listing shows it.
    private static func place(
        _ text: String,
        changing old: ShippingLimits?
    ) throws(Refusal) -> (ShippingLimits.Scope, String) {
        if case .places(let scope, let places) = old?.area, scope != .countries,
            places.contains(text)
        {
            return (scope, text)
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let last = Destination.folded(parts.last ?? "")
        let country = try Countries.entered(last, .badListing, field: "shipsTo").lowercased()
        let written = (parts.dropLast() + [country]).joined(separator: ",")
        guard let destination = Destination(written), let scope = destination.scope,
            let place = destination.place(in: scope)
        else {
            throw Refusal(
                .badListing,
                Sentence("refusal.notAPlace", ["place": text.quoted]),
                field: "shipsTo"
            )
        }
        return (scope, place)
    }

    private func distance(_ within: ShippingDistance) throws(Refusal) -> ShippingLimits {
        guard shipsTo.isEmpty else {
            throw Refusal(.badListing, Sentence("refusal.placesOrDistance"), field: "shipsWithin")
        }
        let centre = try within.point.entered(.badListing, field: "shipsWithin.point")
        // A distance of the greatest radius or more limits nothing.
        guard (1..<ShippingLimits.radiusMetresMax).contains(within.metres) else {
            throw Refusal(
                .badListing,
                Sentence(
                    "refusal.distanceRange",
                    ["most": "\((ShippingLimits.radiusMetresMax - 1) / 1_000)"]
                ),
                field: "shipsWithin.metres"
            )
        }
        do {
            return try ShippingLimits(
                .distance(metres: within.metres, centre: centre, place: within.place)
            )
        } catch {
            throw Refusal(
                .badListing,
                Sentence("refusal.placeNameForm", ["bytes": "\(Delivery.placeByteCountMax)"]),
                field: "shipsWithin.place"
            )
        }
    }
}

extension ShippingLimits {
    /// The area without a limit: half the way round the Earth from any place.
    static var everywhere: Self {
        guard let centre = Point(latitudeE7: 0, longitudeE7: 0),
            let limits = try? ShippingLimits(
                .distance(metres: radiusMetresMax, centre: centre, place: "everywhere")
            )
        else { preconditionFailure("the point is on Earth") }
        return limits
    }
}

extension ShippingLimits.Area {
    /// Whether it excludes no place: no place on Earth is farther from any other.
    var isEverywhere: Bool {
        guard case .distance(let metres, _, _) = self else { return false }
        return metres >= ShippingLimits.radiusMetresMax
    }
}
