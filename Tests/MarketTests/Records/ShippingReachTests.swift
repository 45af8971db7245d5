import Market
import Testing

struct ShippingReachTests {
    private static let berlin = ShippingLimits.Point(latitude: 52.52, longitude: 13.405)
    private static let potsdam = ShippingLimits.Point(latitude: 52.39, longitude: 13.065)

    private static func deliveries() throws -> [Delivery] {
        let berlin = try #require(berlin)
        return [
            .online, .pickup(place: "Berlin"),
            .shipping(try ShippingLimits(.places(.countries, ["de", "fr"]))),
            .shipping(try ShippingLimits(.places(.states, ["bavaria de"]))),
            .shipping(try ShippingLimits(.places(.cities, ["munich bavaria de"]))),
            .shipping(
                try ShippingLimits(.distance(metres: 27_000, centre: berlin, place: "Berlin"))
            ),
            .shipping(
                try ShippingLimits(.distance(metres: 28_000, centre: berlin, place: "Berlin"))
            ),
            .shipping(
                try ShippingLimits(
                    .distance(
                        metres: ShippingLimits.radiusMetresMax,
                        centre: berlin,
                        place: "anywhere"
                    )
                )
            ),
        ]
    }

    @Test func `reads back a reach and refuses other text`() throws {
        for delivery in try Self.deliveries() {
            let reach = ShippingReach(delivery)
            #expect(ShippingReach(text: reach.text) == reach)
        }
        for text in ["countries", "Countries\nde", "-1", "99999999999", "50 km", "\n"] {
            #expect(ShippingReach(text: text) == nil, "\(text)")
        }
    }

    @Test func `a reach includes exactly the destinations of the delivery`() throws {
        let destinations = [
            Destination("DE"), Destination("Bavaria, DE"), Destination("Munich, Bavaria, DE"),
            Destination("CH"), Destination("Berlin, DE", point: Self.potsdam),
            Destination(point: Self.potsdam), Destination(), Destination("munich bavaria de"),
        ].compactMap { $0 }
        var included = 0
        for delivery in try Self.deliveries() {
            let reach = ShippingReach(delivery)
            for destination in destinations {
                let isIncluded =
                    if case .shipping(let limits) = delivery {
                        limits.reach(destination) == .within
                    } else { true }
                #expect(reach.includes(destination, around: delivery.point) == isIncluded)
                included += isIncluded ? 1 : 0
            }
        }
        #expect((25...60).contains(included))
    }
}
