import Market
import Testing

/// Where a buyer wants an item sent, against where a seller ships to.
struct DestinationTests {
    private typealias Point = ShippingLimits.Point

    private static func point(_ latitude: Double, _ longitude: Double) throws -> Point {
        try #require(Point(latitude: latitude, longitude: longitude))
    }

    private static func reach(
        _ scope: ShippingLimits.Scope,
        _ places: [String],
        _ entered: String?
    ) throws -> ShippingLimits.Reach {
        let limits = try ShippingLimits(.places(scope, places))
        guard let entered else { return limits.reach(Destination()) }
        return limits.reach(try #require(Destination(entered)))
    }

    /// Distances by the haversine formula in Python's floating-point numbers, with the same radius.
    @Test(
        arguments: [
            (52.52, 13.405, 48.137, 11.575, 504_338.6), (90, 0, -90, 0, 20_015_114.4),
            (0, 179.9, 0, -179.9, 22_239.0), (0, 0, 0, 180, 20_015_114.4),
            (37.5665, 126.978, 35.1796, 129.0756, 325_111.7), (10, 10, 10, 10, 0),
            (-33.8688, 151.2093, 51.5074, -0.1278, 16_993_956.9),
        ] as [(Double, Double, Double, Double, Double)]
    )
    func `computes distances along the great circle`(
        latitude: Double,
        longitude: Double,
        otherLatitude: Double,
        otherLongitude: Double,
        metres: Double
    ) throws {
        let one = try Self.point(latitude, longitude)
        let other = try Self.point(otherLatitude, otherLongitude)
        #expect(abs(one.metres(to: other) - metres) < 1)
        #expect(abs(one.metres(to: other) - other.metres(to: one)) < 0.001)
    }

    @Test func `only points closer than the radius are within it`() throws {
        let centre = try Self.point(0, 0)
        // A thousandth of a degree on the equator.
        let near = try Self.point(0, 0.001)
        let metres = centre.metres(to: near)
        #expect(metres > 111 && metres < 112)
        for (radius, isWithin) in [(111, false), (112, true)] as [(UInt32, Bool)] {
            let limits = try ShippingLimits(
                .distance(metres: radius, centre: centre, place: "here")
            )
            let reach = limits.reach(Destination(point: near))
            #expect(reach == (isWithin ? .within : .tooFar(metres: metres)))
            #expect(limits.reach(Destination()) == .needsPoint)
        }
        let same = try ShippingLimits(.distance(metres: 1, centre: centre, place: "here"))
        #expect(same.reach(Destination(point: centre)) == .within)
        let all = ShippingLimits.radiusMetresMax
        let everywhere = try ShippingLimits(.distance(metres: all, centre: centre, place: "here"))
        #expect(everywhere.reach(Destination()) == .within)
    }

    @Test func `refuses points beyond the Earth`() {
        for (latitude, longitude) in [
            (90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .infinity),
        ] as [(Double, Double)] {
            #expect(Point(latitude: latitude, longitude: longitude) == nil)
        }
        #expect(Point(latitude: -90, longitude: 180) != nil)
    }

    @Test func `compares places regardless of case and blanks`() throws {
        let states = ["bavaria de", "new york us"]
        #expect(try Self.reach(.states, states, "Bavaria, DE") == .within)
        #expect(try Self.reach(.states, states, "Munich,  BAVARIA , de") == .within)
        #expect(try Self.reach(.states, states, "New  York, US") == .within)
        #expect(try Self.reach(.states, states, "Hesse, DE") == .outside)
        #expect(try Self.reach(.states, states, "DE") == .needsPlace(.states))
        #expect(try Self.reach(.states, states, nil) == .needsPlace(.states))
        #expect(try Self.reach(.countries, ["de"], "Munich, Bavaria, DE") == .within)
        #expect(try Self.reach(.countries, ["DE"], "de") == .within)
        #expect(try Self.reach(.countries, ["de"], "FR") == .outside)
        #expect(try Self.reach(.cities, ["munich bavaria de"], "Munich, Bavaria, DE") == .within)
        #expect(
            try Self.reach(.cities, ["munich bavaria de"], "Munich, DE") == .needsPlace(.cities)
        )
        // As another program's listing writes it, in one piece.
        #expect(
            try Self.reach(.cities, ["Berlin Berlin Germany"], "berlin berlin germany") == .within
        )
        #expect(try Self.reach(.cities, ["de"], "DE") == .needsPlace(.cities))
        // The same words in other parts are another place.
        #expect(try Self.reach(.states, ["york us"], "New York, US") == .outside)
    }

    @Test func `a place has one to three parts`() {
        for text in ["", ",", "DE,", " , DE", "a, b, c, DE"] { #expect(Destination(text) == nil) }
        #expect(Destination("Munich, Bavaria, DE")?.scope == .cities)
        #expect(Destination("Bavaria, DE")?.country == "de")
        #expect(Destination().scope == nil)
    }
}
