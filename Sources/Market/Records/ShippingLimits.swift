/// Where a seller ships to: places of one scope, or a distance around one place.
///
/// A city is written "city state country", a state "state country", in small letters, as in the
/// buyer's own address.
package struct ShippingLimits: Hashable, Sendable {
    /// The scope of the places in a list.
    package enum Scope: String, Sendable {
        case cities, states, countries
    }

    /// A point on Earth in ten-millionths of a degree.
    package struct Point: Hashable, Sendable {
        package let latitudeE7: Int32
        package let longitudeE7: Int32

        package init?(latitudeE7: Int32, longitudeE7: Int32) {
            guard (-900_000_000...900_000_000).contains(latitudeE7),
                (-1_800_000_000...1_800_000_000).contains(longitudeE7)
            else { return nil }
            (self.latitudeE7, self.longitudeE7) = (latitudeE7, longitudeE7)
        }
    }

    /// One of the two forms.
    package enum Area: Hashable, Sendable {
        case places(Scope, [String])
        /// Less than `metres` from `centre`, whose name is `place`.
        case distance(metres: UInt32, centre: Point, place: String)
    }

    package static let placesMax = 20
    /// Half the circumference of the Earth.
    package static let radiusMetresMax: UInt32 = 20_040_000

    package let area: Area

    package init(_ area: Area) throws(RuleFault) {
        switch area {
        case .places(_, let places):
            guard !places.isEmpty else { throw .missing(.delivery) }
            guard places.count <= Self.placesMax else {
                throw .tooMany(.delivery, countMax: Self.placesMax)
            }
            for place in places { _ = try Delivery.place(place) }
            guard !places.hasRepeats else { throw .repeated(.delivery) }
        case .distance(let metres, _, let place):
            _ = try Delivery.place(place)
            guard (1...Self.radiusMetresMax).contains(metres) else { throw .malformed(.delivery) }
        }
        self.area = area
    }

    init(wire: WireShippingLimits) throws(RuleFault) {
        let scope: Scope
        switch wire.scope {
        case .cities: scope = .cities
        case .states: scope = .states
        case .countries: scope = .countries
        case .distance:
            guard wire.places.count == 1, let place = wire.places.first,
                let centre = Point(
                    latitudeE7: wire.latitudeE7,
                    longitudeE7: wire.longitudeE7
                )
            else { throw .malformed(.delivery) }
            try self.init(.distance(metres: wire.radiusM, centre: centre, place: place))
            return
        case .unspecified, .UNRECOGNIZED: throw .malformed(.delivery)
        }
        guard wire.radiusM == 0, wire.latitudeE7 == 0, wire.longitudeE7 == 0 else {
            throw .malformed(.delivery)
        }
        try self.init(.places(scope, wire.places))
    }

    var wire: WireShippingLimits {
        var wire = WireShippingLimits()
        switch area {
        case .places(let scope, let places):
            wire.scope =
                switch scope {
                case .cities: .cities
                case .states: .states
                case .countries: .countries
                }
            wire.places = places
        case .distance(let metres, let centre, let place):
            wire.scope = .distance
            wire.places = [place]
            wire.radiusM = metres
            wire.latitudeE7 = centre.latitudeE7
            wire.longitudeE7 = centre.longitudeE7
        }
        return wire
    }
}
