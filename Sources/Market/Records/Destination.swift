/// Where a buyer wants an item sent, as far as the buyer has said it.
package struct Destination: Hashable, Sendable {
    /// "city, state, country", "state, country" or "country", as it was entered.
    package let text: String
    /// Its parts in the form of places in listings, country first.
    private let parts: [String]
    package let point: ShippingLimits.Point?

    /// The number of parts of a city.
    package static let partsMax = 3

    /// Reads a place of one to three parts with commas between them, and a point.
    ///
    /// - Returns: `nil` if a part is empty or there are too many.
    package init?(_ text: String, point: ShippingLimits.Point? = nil) {
        let entered = text.split(separator: ",", omittingEmptySubsequences: false)
        let parts = entered.map { Self.folded(String($0)) }
        guard parts.count <= Self.partsMax, !parts.contains("") else { return nil }
        self.text = text
        self.parts = parts.reversed()
        self.point = point
    }

    /// A destination known only as a point, or nothing.
    package init(point: ShippingLimits.Point? = nil) {
        (text, parts, self.point) = ("", [], point)
    }

    /// The country, in small letters; `nil` if it was not said.
    package var country: String? { parts.first }

    /// The place's precision: a country, a state or a city; `nil` if there is none.
    package var scope: ShippingLimits.Scope? {
        switch parts.count {
        case 1: .countries
        case 2: .states
        case 3: .cities
        default: nil
        }
    }

    /// Returns the place as a listing of this scope writes it; `nil` if it is less precise.
    package func place(in scope: ShippingLimits.Scope) -> String? {
        let count = scope.partCount
        guard parts.count >= count else { return nil }
        return parts.prefix(count).reversed().joined(separator: " ")
    }

    /// Returns text in the form for comparing places: lower case, one blank between words.
    package static func folded(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension ShippingLimits.Scope {
    /// The number of parts of a place of this scope.
    fileprivate var partCount: Int {
        switch self {
        case .cities: 3
        case .states: 2
        case .countries: 1
        }
    }
}

extension ShippingLimits {
    /// Whether a destination is among those that the seller ships to.
    package enum Reach: Hashable, Sendable {
        case within
        case outside
        /// It is outside, this many metres from the centre.
        case tooFar(metres: Double)
        /// The buyer has not said the city, state or country.
        case needsPlace(Scope)
        /// The buyer has not said the point.
        case needsPoint
    }

    /// Returns whether the seller ships to a destination.
    ///
    /// A place matches if it is spelled as in the list, apart from case and blanks. Distances are
    /// measured along the great circle, and must be less than the radius.
    package func reach(_ destination: Destination) -> Reach {
        switch area {
        case .places(let scope, let places):
            let listed = places.map(Destination.folded)
            // A whole place as the listing writes it, in one piece.
            let whole = Destination.folded(destination.text)
            let wordCount = whole.split(separator: " ").count
            if wordCount >= scope.partCount, listed.contains(whole) { return .within }
            guard let place = destination.place(in: scope) else { return .needsPlace(scope) }
            return listed.contains(place) ? .within : .outside
        case .distance(let metresMax, let centre, _):
            guard metresMax < Self.radiusMetresMax else { return .within }
            guard let point = destination.point else { return .needsPoint }
            let metres = centre.metres(to: point)
            return metres < Double(metresMax) ? .within : .tooFar(metres: metres)
        }
    }
}
