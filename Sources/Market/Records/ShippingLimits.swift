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

    static let wireSchema = WireSchema(.enumeration, .repeated(.text), .uint32, .sint32, .sint32)
    /// By their number on the wire, from 1.
    private static let wireScopes: [Scope] = [.cities, .states, .countries]
    /// The scope's number of a distance.
    private static let wireDistance: UInt64 = 4

    init(wire: WireFields) throws(RuleFault) {
        let places = wire.texts(2)
        if let scope = Self.wireScopes[numbered: wire.number(1)] {
            guard wire.number(3) == 0, wire.number(4) == 0, wire.number(5) == 0 else {
                throw .malformed(.delivery)
            }
            try self.init(.places(scope, places))
            return
        }
        guard wire.number(1) == Self.wireDistance, places.count == 1, let place = places.first,
            let centre = Point(latitudeE7: wire.sint32(4), longitudeE7: wire.sint32(5))
        else { throw .malformed(.delivery) }
        try self.init(.distance(metres: wire.uint32(3), centre: centre, place: place))
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        switch area {
        case .places(let scope, let places):
            wire.write(1, Self.wireScopes.number(of: scope))
            wire.write(2, all: places.map(\.utf8))
        case .distance(let metres, let centre, let place):
            wire.write(1, Self.wireDistance)
            wire.write(2, place)
            wire.write(3, UInt64(metres))
            wire.write(4, signed: centre.latitudeE7)
            wire.write(5, signed: centre.longitudeE7)
        }
        return wire.bytes
    }
}
