import Client
import Contracts
import Foundation
import Keys
import Market
import Node
import Support
import Testing

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
        media: [Media] = []
    ) throws -> Market.Listing {
        try Market.Listing(
            form: .goods,
            title: "Red bicycle",
            description: "Ridden for two summers.",
            category: "vehicles",
            tags: ["bicycle"],
            media: media,
            identifier: ItemIdentifier(normalising: "WTU 123"),
            delivery: delivery,
            chain: ChainID(31_337),
            terms: .escrow(
                .standard(price: Amount(small: 500), currency: .native, form: .goods, now: time)
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

    @Test func `an edit keeps the pictures and what this program cannot write`() throws {
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

    @Test func `a distance is shown, and never becomes everywhere by an edit`() throws {
        let old = try Self.listing(try Self.within(50_000))
        var content = ListingContent(old)
        #expect(content.shipsWithin == ShippingDistance(metres: 50_000, place: "Berlin"))
        #expect(content.shipsTo.isEmpty)

        content.shipsWithin = nil
        #expect(Self.refusedField(content, old) == "shipsWithin")
        content.shipsWithin = ShippingDistance(metres: 60_000, place: "Berlin")
        #expect(Self.refusedField(content, old) == "shipsWithin")
        content.shipsWithin = nil
        content.shipsTo = ["DE"]
        #expect(
            try content.edited(old).delivery
                == .shipping(ShippingLimits(.places(.countries, ["de"])))
        )
        // Half of the way round the Earth is no limit.
        let all = try Self.listing(try Self.within(ShippingLimits.radiusMetresMax))
        #expect(ListingContent(all).shipsWithin == nil)
    }

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
    func `what contradicts the delivery, or names no place, is refused`(
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

    @Test func `what is not decided is refused to every buyer`() throws {
        for delivery in [
            try Self.within(50_000),
            .shipping(try ShippingLimits(.places(.cities, ["berlin berlin germany"]))),
        ] {
            for country in [nil, "DE", "berlin"] {
                let refusal = delivery.refusal(to: country)
                #expect(refusal?.code == .shippingNotPossible && refusal?.field == "shipTo")
            }
        }
        let words = try Self.within(50_000).refusal(to: "DE")?.detail
        #expect(words?.hasPrefix("The seller ships only within 50 km of 'Berlin'") == true)
        let everywhere = try Self.within(ShippingLimits.radiusMetresMax)
        #expect(everywhere.refusal(to: nil) == nil && everywhere.refusal(to: "fr") == nil)
        let narnia = everywhere.refusal(to: "Narnia")
        #expect(narnia?.detail.contains("'Narnia' is not a country") == true)
        let germany = Delivery.shipping(try ShippingLimits(.places(.countries, ["de"])))
        #expect(germany.refusal(to: "DE") == nil)
        #expect(germany.refusal(to: "UK")?.detail.contains("is not a country") == true)
    }

    @Test func `a digital work is told that it cannot be handed over yet`() throws {
        let fees = try #require(
            MarketFees(platformBasisPoints: 0, makerBasisPoints: 0, platform: testKey(3).address)
        )
        let market = DeployedMarket(
            chain: ChainID(31_337),
            item: testKey(21).address,
            escrow: testKey(20).address,
            firstBlock: 1,
            fees: fees,
            tokens: []
        )
        var content = ListingContent(try Self.listing(.pickup(place: "Harbour 4")))
        content.type = "digital"
        let refusal = #expect(throws: Refusal.self) {
            let saleIndex = SaleIndex(deployment: market, confirmations: 1, clock: ManualClock())
            _ = try content.listing(in: saleIndex, seller: testKey(1).address, at: Self.time)
        }
        #expect(refusal?.code == .badListing && refusal?.field == "type")
        #expect(refusal?.detail.contains("cannot hand its file over") == true)
    }
}
