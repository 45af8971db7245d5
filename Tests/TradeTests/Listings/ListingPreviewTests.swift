import Client
import Keys
import Market
import Testing
import Trade

/// The facts of a listing that a preview shows to its seller.
struct ListingPreviewTests {
    private static func facts(
        _ delivery: Delivery,
        category: String = "vehicles",
        tags: [String] = ["bicycle", "red"],
        media: [Media] = []
    ) throws -> [String] {
        try Market.Listing(
            form: .goods,
            title: "Red bicycle",
            description: "Ridden for two summers.",
            category: category,
            tags: tags,
            media: media,
            identifier: ItemIdentifier(normalising: "WTU 123"),
            delivery: delivery,
            chain: ChainID(31_337),
            terms: .escrow(
                .standard(
                    price: Amount(small: 50_000),
                    currency: .native,
                    form: .goods,
                    now: ChainTime(seconds: 1_763_700_000)
                )
            )
        ).facts.map(\.detail)
    }

    @Test func `shows category, tags and the number of files`() throws {
        let picture = Media(id: Bytes32(words: 1, 2, 3, 4), byteCount: 1_000, form: .png)
        let berlin = Delivery.pickup(place: "Berlin")
        #expect(
            try Self.facts(berlin, media: [picture]) == [
                "Category: \(SentencePatterns.english.text("category.vehicles")).",
                "Tags: bicycle, red.", "Pictures and documents that it shows: 1.",
                "The buyer collects it at: Berlin. Everybody can read that.",
            ]
        )
        // A category that the catalogue does not name stands for itself.
        let strange = try Self.facts(berlin, category: "kettles", tags: ["kettle"])
        #expect(strange.starts(with: ["Category: kettles.", "Tags: kettle."]))
        #expect(strange.contains("It shows no picture."))
    }

    @Test func `shows where the seller ships to`() throws {
        let centre = try #require(
            ShippingLimits.Point(latitudeE7: 525_200_000, longitudeE7: 134_050_000)
        )
        func last(_ area: ShippingLimits.Area) throws -> String? {
            try Self.facts(.shipping(try ShippingLimits(area))).last
        }
        #expect(
            try last(.places(.states, ["bavaria germany", "saxony germany"]))
                == "You ship it only to: bavaria germany, saxony germany."
        )
        #expect(
            try last(.distance(metres: 50_000, centre: centre, place: "Berlin"))
                == "You ship it to less than 50 km from Berlin."
        )
        let most = ShippingLimits.radiusMetresMax
        #expect(
            try last(.distance(metres: most, centre: centre, place: "Berlin"))
                == "You ship it to any country."
        )
    }
}
