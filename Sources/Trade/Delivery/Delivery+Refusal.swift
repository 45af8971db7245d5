package import Answers
package import Client
package import Market
import Setup

extension Delivery {
    /// Returns why the seller does not ship to a destination; `nil` if nothing is in the way.
    ///
    /// The contract checks no shipping: the buyer's node checks before the money moves.
    ///
    /// - Parameters:
    ///   - destination: The buyer's own, or the account's delivery address.
    ///   - isGranted: Whether the seller has granted this buyer an exception.
    /// - Returns: The refusal, with `shipping_not_possible`.
    package func refusal(to destination: Destination, isGranted: Bool = false) -> Refusal? {
        guard case .shipping(let limits) = self else { return nil }
        let advice: Sentence
        switch limits.reach(destination) {
        case .within: return nil
        case _ where isGranted: return nil
        case .needsPlace(let scope): advice = scope.advice
        case .needsPoint: advice = Sentence("refusal.givePoint")
        case .outside:
            advice = Sentence("refusal.notShippedTo", ["place": destination.text.quoted])
        case .tooFar(let metres):
            advice = Sentence("refusal.tooFar", ["distance": Self.distance(metres)])
        }
        return Refusal(.shippingNotPossible, limits.words, advice, field: limits.field)
    }

    /// Returns a distance in metres, or from 10 km on in kilometres.
    static func distance(_ metres: Double) -> String {
        metres < 10_000 ? "\(Int(metres)) m" : "\(Int(metres / 1_000)) km"
    }
}

extension ShippingLimits {
    /// The field of a purchase that decides.
    fileprivate var field: String {
        switch area {
        case .places: "shipTo"
        case .distance: "shipToPoint"
        }
    }

    /// Where the seller ships to.
    fileprivate var words: Sentence {
        switch area {
        case .distance(let metres, _, let place):
            return Sentence(
                "refusal.shipsWithin",
                ["distance": Delivery.distance(Double(metres)), "place": place.quoted]
            )
        case .places(.countries, let places):
            let codes = places.map { Countries.code($0) ?? $0.quoted }
            return Sentence("refusal.shipsToCountries", ["places": codes.joined(separator: ", ")])
        case .places(let scope, let places):
            let names = places.map(\.quoted).joined(separator: ", ")
            return Sentence(
                scope == .states ? "refusal.shipsToStates" : "refusal.shipsToCities",
                ["places": names]
            )
        }
    }
}

extension ShippingLimits.Scope {
    /// How to enter a place of this scope.
    fileprivate var advice: Sentence {
        switch self {
        case .countries: Sentence("refusal.giveCountry")
        case .states: Sentence("refusal.giveState")
        case .cities: Sentence("refusal.giveCity")
        }
    }
}

extension Destination {
    /// Reads the destination of a purchase.
    ///
    /// An unknown country is refused, unless the listing already names the place in exactly that
    /// form.
    ///
    /// - Throws: ``Refusal`` with `shipping_not_possible` and one of the fields given.
    package init(
        entered place: String?,
        point: GeographicPoint? = nil,
        for delivery: Delivery,
        fields: (place: String, point: String) = ("shipTo", "shipToPoint")
    ) throws(Refusal) {
        let point = try point?.entered(.shippingNotPossible, field: fields.point)
        guard let place = place.map(DeliveryAddresses.withCountryInCapitals), !place.isEmpty else {
            self.init(point: point)
            return
        }
        guard let destination = Destination(place, point: point) else {
            throw Refusal(
                .shippingNotPossible,
                Sentence("refusal.notAPlace", ["place": place.quoted]),
                field: fields.place
            )
        }
        if case .shipping(let limits) = delivery, case .places = limits.area,
            limits.reach(destination) == .within
        {
            self = destination
            return
        }
        _ = try Countries.entered(
            destination.country ?? "",
            .shippingNotPossible,
            field: fields.place
        )
        self = destination
    }
}
