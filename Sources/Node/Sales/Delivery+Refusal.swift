import Client
package import Market

extension Delivery {
    /// Returns why the seller does not ship to a country; `nil` if nothing is in the way.
    ///
    /// Source: row X-14 of what Stoa replaces: the buyer's node checks before the money moves.
    package func refusal(to country: String?) -> Refusal? {
        guard case .shipping(let limits) = self else { return nil }
        if let country, !country.isEmpty, Countries.code(country) == nil {
            return Refusal(
                .shippingNotPossible,
                "\(country.quoted) is not a country. Enter an ISO 3166 code of two letters, such as "
                    + "DE.",
                field: "shipTo"
            )
        }
        guard !limits.area.isEverywhere else { return nil }
        let (scope, places): (ShippingLimits.Scope, [String])
        switch limits.area {
        case .places(let named, let listed): (scope, places) = (named, listed)
        case .distance(let metres, _, let place):
            return Refusal(
                .shippingNotPossible,
                "The seller ships only within \(metres / 1_000) km of \(place.quoted), and this node "
                    + "cannot tell how far away you are. Ask the seller to name your country.",
                field: "shipTo"
            )
        }
        guard scope == .countries else {
            let names = places.joined(separator: ", ")
            return Refusal(
                .shippingNotPossible,
                "The seller ships only to some \(scope.rawValue) (\(names)). Ask about yours.",
                field: "shipTo"
            )
        }
        let codes = places.map { $0.uppercased() }.joined(separator: ", ")
        guard let country, !country.isEmpty else {
            return Refusal(
                .shippingNotPossible,
                "The seller ships only to \(codes). Say with 'shipTo' where you want it sent.",
                field: "shipTo"
            )
        }
        guard limits.names(country: country) else {
            return Refusal(
                .shippingNotPossible,
                "The seller ships to \(codes), not to \(country.uppercased()). Name with 'shipTo' a "
                    + "country that is on the list, or ask the seller to add yours.",
                field: "shipTo"
            )
        }
        return nil
    }
}
