import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import Trade

/// What a listing says of delivery, also one that another program made.
struct ListingDeliveryTests {
    /// One more than a listing may name.
    private static let countries =
        "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF".split(separator: " ")
        .map(String.init)
    private static let time = ChainTime(seconds: 1_763_700_000)

    /// A listing as another program may have made it.
    private static func listing(
        _ delivery: Delivery,
        media: [Media] = [],
        _ form: Market.Listing.Form = .goods,
        terms: SaleTerms? = nil
    ) throws -> Market.Listing {
        try Market.Listing(
            form: form,
            title: "Red bicycle",
            description: "Ridden for two summers.",
            category: form == .goods ? "vehicles" : "digital",
            tags: ["bicycle"],
            media: media,
            identifier: ItemIdentifier(normalising: "WTU 123"),
            delivery: delivery,
            chain: ChainID(31_337),
            terms: terms
                ?? .escrow(
                    .standard(
                        price: Amount(small: 50_000),
                        currency: .native,
                        form: form,
                        now: time
                    )
                )
        )
    }

    private static func within(_ metres: UInt32) throws -> Delivery {
        let centre = try #require(
            ShippingLimits.Point(latitudeE7: 525_200_000, longitudeE7: 134_050_000)
        )
        let area = ShippingLimits.Area.distance(metres: metres, centre: centre, place: "Berlin")
        return .shipping(try ShippingLimits(area))
    }

    private static func refusedField(_ content: ListingContent, _ old: Market.Listing) -> String? {
        let refusal = #expect(throws: Refusal.self) { _ = try content.edited(old) }
        #expect(refusal?.code == .badListing)
        return refusal?.field
    }

    @Test func `an edit keeps pictures and unknown fields`() throws {
        let picture = Media(
            id: Bytes32(words: 1, 2, 3, 4),
            byteCount: 1_000,
            form: .png
        )
        for delivery in [
            try Self.within(50_000),
            .shipping(try ShippingLimits(.places(.cities, ["berlin berlin germany"]))),
            .shipping(try ShippingLimits(.places(.countries, ["de", "atlantis"]))),
        ] {
            let old = try Self.listing(delivery, media: [picture])
            var content = ListingContent(old)
            content.title = "Blue bicycle"

            let new = try content.edited(old)

            #expect(new.title == "Blue bicycle")
            #expect(new.media == [picture])
            #expect(new.delivery == delivery)
        }
    }

    /// - From people: an edit of the title or description of a digital work or an auction →
    ///   bad_listing
    @Test func `an edit keeps the texts of digital works and auctions`() throws {
        let picture = Media(id: Bytes32(words: 1, 2, 3, 4), byteCount: 1_000, form: .png)
        let bids = Market.AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        for old in [
            try Self.listing(.pickup(place: "Berlin"), terms: .auction(bids)),
            try Self.listing(.online, media: [picture], .digital),
        ] {
            var content = ListingContent(old)
            content.tags = ["signed"]
            #expect(try content.edited(old).tags == ["signed"])
            content.title = "Blue bicycle"
            #expect(Self.refusedField(content, old) == "title")
            content = ListingContent(old)
            content.description += " "
            #expect(Self.refusedField(content, old) == "description")
        }
    }

    /// - From people: an edit that would turn shipping within a distance into shipping everywhere →
    ///   bad_listing
    @Test func `shows a distance, which survives edits`() throws {
        let old = try Self.listing(try Self.within(50_000))
        var content = ListingContent(old)
        let berlin = GeographicPoint(latitude: 52.52, longitude: 13.405)
        let within = ShippingDistance(metres: 50_000, place: "Berlin", point: berlin)
        #expect(content.shipsWithin == within)
        #expect(content.shipsTo.isEmpty)

        content.shipsWithin = nil
        #expect(Self.refusedField(content, old) == "shipsWithin")
        content.shipsWithin = ShippingDistance(metres: 60_000, place: "Berlin", point: berlin)
        #expect(try content.edited(old).delivery == Self.within(60_000))
        content.shipsTo = ["DE"]
        #expect(Self.refusedField(content, old) == "shipsWithin")
        content.shipsWithin = nil
        #expect(
            try content.edited(old).delivery
                == .shipping(ShippingLimits(.places(.countries, ["de"])))
        )
        // Half of the way round the Earth is no limit.
        let all = try Self.listing(try Self.within(ShippingLimits.radiusMetresMax))
        #expect(ListingContent(all).shipsWithin == nil)
    }

    /// - From people: an unknown or repeated country, or more than 20; a pickup place that is empty
    ///   or not one line; fields of another delivery method → bad_listing
    @Test(
        arguments: [
            ("pickup", ["DE"], "Harbour 4", "shipsTo"), ("online", ["DE"], nil, "shipsTo"),
            ("shipping", ["DE"], "Harbour 4", "pickupPlace"), ("online", [], "x", "pickupPlace"),
            ("shipping", ["DE", "XX"], nil, "shipsTo"), ("shipping", ["UK"], nil, "shipsTo"),
            ("shipping", ["ſ1"], nil, "shipsTo"),
            ("shipping", ["DE", "de"], nil, "shipsTo"),
            ("shipping", Self.countries, nil, "shipsTo"),
            ("pickup", [], nil, "pickupPlace"), ("pickup", [], "", "pickupPlace"),
            ("pickup", [], " Berlin", "pickupPlace"), ("pickup", [], "a\nb", "pickupPlace"),
            ("pickup", [], String(repeating: "x", count: 161), "pickupPlace"),
        ] as [(String, [String], String?, String)]
    )
    func `refuses a contradictory delivery, or one that lacks its place`(
        delivery: String,
        shipsTo: [String],
        place: String?,
        field: String
    ) throws {
        let old = try Self.listing(try Self.within(50_000))
        var content = ListingContent(old)
        content.delivery = delivery
        (content.shipsTo, content.pickupPlace, content.shipsWithin) = (shipsTo, place, nil)
        #expect(Self.refusedField(content, old) == field)
    }

    @Test(
        arguments: [
            (["DE"], .countries, ["de"]), (["Bavaria, DE"], .states, ["bavaria de"]),
            (
                ["Munich, Bavaria, DE", "New  York, New York, us"], .cities,
                ["munich bavaria de", "new york new york us"]
            ),
        ] as [([String], ShippingLimits.Scope, [String])]
    )
    func `shows the names of countries, states and cities`(
        shipsTo: [String],
        scope: ShippingLimits.Scope,
        places: [String]
    ) throws {
        let old = try Self.listing(.pickup(place: "Harbour 4"))
        var content = ListingContent(old)
        (content.delivery, content.pickupPlace) = ("shipping", nil)
        content.shipsTo = shipsTo
        let new = try content.edited(old)
        #expect(new.delivery == .shipping(try ShippingLimits(.places(scope, places))))
        // An edit can give them back as they are shown, beside others.
        var again = ListingContent(new)
        again.shipsTo.append(
            ["US", "Hesse, DE", "Kassel, Hesse, DE"][
                [.countries, .states].firstIndex(of: scope) ?? 2
            ]
        )
        guard case .shipping(let limits) = try again.edited(new).delivery,
            case .places(scope, let all) = limits.area
        else {
            Issue.record("not the same scope")
            return
        }
        #expect(all.count == places.count + 1 && all.starts(with: places))
    }

    /// - From people: an unknown place in a listing, or places of several scopes; a distance of 0
    ///   m, of half the way round the Earth, or from a point that is not on the Earth → bad_listing
    @Test(
        arguments: [
            (["DE", "Bavaria, DE"], nil, "shipsTo"), (["Bavaria, Narnia"], nil, "shipsTo"),
            (["a, b, c, DE"], nil, "shipsTo"), ([", DE"], nil, "shipsTo"),
            ([], (0, "Berlin", 52.5), "shipsWithin.metres"),
            ([], (ShippingLimits.radiusMetresMax, "Berlin", 52.5), "shipsWithin.metres"),
            ([], (1, "", 52.5), "shipsWithin.place"),
            ([], (1, " Berlin", 52.5), "shipsWithin.place"),
            ([], (1, "Berlin", 90.5), "shipsWithin.point"),
            (["DE"], (1, "Berlin", 52.5), "shipsWithin"),
        ] as [([String], (UInt32, String, Double)?, String)]
    )
    func `refuses places of mixed scopes and impossible distances`(
        shipsTo: [String],
        within: (metres: UInt32, place: String, latitude: Double)?,
        field: String
    ) throws {
        let old = try Self.listing(.pickup(place: "Harbour 4"))
        var content = ListingContent(old)
        (content.delivery, content.pickupPlace) = ("shipping", nil)
        content.shipsTo = shipsTo
        content.shipsWithin = within.map { within in
            ShippingDistance(
                metres: within.metres,
                place: within.place,
                point: GeographicPoint(latitude: within.latitude, longitude: 13.4)
            )
        }
        #expect(Self.refusedField(content, old) == field)
    }

    /// Why a purchase is refused that wants it sent to a place, or to a point.
    private static func refusal(
        _ delivery: Delivery,
        _ place: String? = nil,
        _ point: GeographicPoint? = nil,
        isGranted: Bool = false
    ) -> Refusal? {
        do throws(Refusal) {
            return delivery.refusal(
                to: try Destination(entered: place, point: point, for: delivery),
                isGranted: isGranted
            )
        } catch {
            return error
        }
    }

    /// - From people: a purchase for a place that the seller does not ship to: without the place or
    ///   point that decides, elsewhere, or too far away → shipping_not_possible
    @Test func `refuses delivery to a place that the seller excludes`() throws {
        let berlin = try Self.within(50_000)
        #expect(Self.refusal(berlin)?.field == "shipToPoint")
        #expect(Self.refusal(berlin, "DE")?.field == "shipToPoint")
        let munich = GeographicPoint(latitude: 48.137, longitude: 11.575)
        let far = Self.refusal(berlin, nil, munich)
        #expect(far?.code == .shippingNotPossible)
        #expect(
            far?.detail.hasPrefix(
                "The seller ships only within 50 km of 'Berlin'. You are 504 km away."
            ) == true
        )
        #expect(Self.refusal(berlin, nil, munich, isGranted: true) == nil)
        let near = GeographicPoint(latitude: 52.39, longitude: 13.065)
        #expect(Self.refusal(berlin, nil, near) == nil)

        let everywhere = try Self.within(ShippingLimits.radiusMetresMax)
        #expect(Self.refusal(everywhere) == nil && Self.refusal(everywhere, "fr") == nil)
        let narnia = Self.refusal(everywhere, "Narnia")
        #expect(narnia?.detail.contains("'narnia' is not a country") == true)
        #expect(narnia?.detail.contains("Did you mean") == false)
        let mistyped = Self.refusal(everywhere, "Germny")
        #expect(mistyped?.detail.hasSuffix("Did you mean Germany?") == true)
        let germany = Delivery.shipping(try ShippingLimits(.places(.countries, ["de"])))
        #expect(Self.refusal(germany, "DE") == nil)
        for name in ["Germany", "germany", "독일", "Munich, Bavaria, Germany"] {
            #expect(Self.refusal(germany, name) == nil, "\(name)")
        }
        #expect(Self.refusal(germany, "Munich, Bavaria, DE") == nil)
        #expect(Self.refusal(germany, "UK")?.detail.contains("is not a country") == true)
        let city = Delivery.shipping(
            try ShippingLimits(.places(.cities, ["berlin berlin germany"]))
        )
        #expect(Self.refusal(city)?.detail.contains("Say with 'shipTo'") == true)
        #expect(Self.refusal(city, "DE")?.detail.contains("city, state and country") == true)
        #expect(Self.refusal(city, "berlin berlin germany") == nil)
        #expect(Self.refusal(.pickup(place: "Harbour 4"), "DE") == nil)
    }
}
