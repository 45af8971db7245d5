import Client

extension APISchemas {
    /// Examples of favourites and carts.
    static var savedExamples: [any Codable] {
        let price = Money(amount: "500000000000000000", currency: "native")
        let saved = SavedListing(
            listing: listing,
            seller: address,
            since: time,
            title: "Red bicycle",
            chain: 1,
            payment: "direct",
            price: price,
            state: "open"
        )
        let point = GeographicPoint(latitude: 48.137, longitude: 11.575)
        return [
            saved, CartQuantity(quantity: 1),
            DeliveryAddress(text: "…", place: "Munich, Bavaria, DE", point: point),
            searchTerms, SavedSearch(name: "bicycles", terms: searchTerms, since: time),
            DraftContent(content: listingContent),
            Draft(name: "second bicycle", content: listingContent, changedAt: time),
            Work(
                identifier: String(repeating: "0f", count: 32),
                name: "song.flac",
                length: 1,
                isHere: true
            ),
            WorkName(name: "song.flac"),
            RecoveryReport(
                isLooking: false,
                profile: "Ana",
                homes: [RecoveredHome(peer: "16Uiu2…", vault: "exchanged")],
                listings: 1,
                reviews: 1,
                sales: 1,
                vaultEntries: 1,
                works: 1,
                gaps: [RecoveryGap(what: "vault", reason: "…")]
            ),
            AccountProfile(
                account: address,
                name: "Ana",
                about: "…",
                avatar: listingMedia,
                region: "Bavaria",
                publishedAt: time
            ),
            Contact(
                account: address,
                name: "Ana",
                profileName: "ana",
                isBlocked: false,
                since: time
            ),
            ContactName(name: "Ana"),
            AddedMedia(id: hash, type: "image/jpeg", length: 1, isNamed: true),
            ProfileChange(name: "Ana", about: "…", avatar: hash, region: "Bavaria"),
            AddressDisclosure(text: "…"), ShippingException(buyer: address),
            Cart(lines: [saved], totals: [CartTotal(chain: 1, listings: 1, amount: price)]),
        ]
    }

    private static var searchTerms: SearchTerms {
        SearchTerms(
            text: "bicycle",
            category: "vehicles",
            author: address,
            chain: 1,
            currency: "native",
            priceMin: "1",
            priceMax: "2",
            payment: "direct",
            delivery: "shipping",
            shipsTo: "DE",
            near: GeographicPoint(latitude: 48.137, longitude: 11.575),
            within: 50,
            starsMin: 4,
            reachesMe: true
        )
    }

    static let problem = Problem(
        type: "urn:stoa:problem:not_found",
        title: "Not found",
        status: 404,
        detail: "There is nothing here.",
        code: "not_found",
        field: "listing"
    )
}
