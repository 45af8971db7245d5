/// Listings, and the tokens of listed items.
package struct ListingCalls: Sendable {
    package let search = APICall<NoBody, Page<Listing>>(.get, "listings", .localOrReader)
        .about(
            "Search listings; over=true includes sold and ended ones. Prices, and sorting "
                + "by them, need a currency: 'native' or a token's address."
        )
        .searching.taking(Query.sellers)
        .failing([.badAmount, .badAddress])
    package let rows = APICall<NoBody, Page<ListingRow>>(.get, "rows", .localOrReader)
        .about(
            "Search listings as 'listings' does, and get of each what a row of a list shows, in at "
                + "most 1,200 bytes."
        )
        .searching
        .failing([.badAmount, .badAddress])
    package let suggestions = APICall<NoBody, [ListingSuggestion]>(
        .get,
        "listings/suggestions",
        .localOrReader
    )
    .about("Complete a text as it is typed, with words from listing titles.")
    .taking(Query.search)
    package let categories = APICall<NoBody, [ListingCategory]>(
        .get,
        "categories",
        .localOrReader
    )
    .about("List the categories of listings: known ones, then others that listings have.")
    package let places = APICall<NoBody, [Place]>(.get, "places", .localOrReader)
        .about(
            "Find towns by the beginning of their name, those of exactly that name first, then larger "
                + "before smaller ones; or those nearest to a point."
        )
        .taking(Query.town, Query.townNear, Query.language, Query.limit)
    package let listing = APICall<NoBody, Listing>(.get, "listings/{id}", .localOrReader)
        .about("Get a listing.")
        .taking(Query.onSale, Query.ownListing)
        .failing([.unknownListing, .listingGone])
    package let list = APICall<ListingContent, Operation>(.post, "listings")
        .about("List an item for sale: mints its token, locks the deposit, publishes the listing.")
        .once.withFees
        .failing(.money, .content)
    package let preview = APICall<ListingContent, ActionPreview>(
        preview: "listings",
        of: "listing an item"
    )
    .failing(.content)
    package let edit = APICall<ListingContent, Operation>(.put, "listings/{id}")
        .about(
            "Change a listing. Another price withdraws its sale and lists the item again, in one "
                + "operation."
        )
        .once.withFees.taking(Query.acceptsOneSource)
        .failing(.money, .content, .ownListing, [.listingGone, .notFinalYet, .oneSource])
    package let previewEdit = APICall<ListingContent, ActionPreview>(
        preview: "listings/{id}",
        of: "changing a listing"
    )
    .failing(.content, .ownListing, [.listingGone])
    package let pieces = APICall<PieceChange, Operation>(.post, "listings/{id}/pieces")
        .about(
            "List more pieces of what a listing offers, or withdraw free ones, in one operation."
        )
        .once.withFees.taking(Query.acceptsOneSource)
        .failing(.money, .content, .ownListing, [.listingGone, .notFinalYet, .oneSource])
        .failing([.malformedValue])
    package let previewPieces = APICall<PieceChange, ActionPreview>(
        preview: "listings/{id}/pieces",
        of: "changing the number of pieces"
    )
    .failing(.content, .ownListing, [.listingGone, .malformedValue])
    package let withdraw = APICall<NoBody, Operation>(.delete, "listings/{id}")
        .about("Withdraw a listing.")
        .once.withFees.taking(Query.acceptsOneSource)
        .failing(.money, .ownListing, [.listingGone, .notFinalYet, .oneSource, .clockWrong])
        .failing([.unknownChain])
    package let previewWithdraw = APICall<NoBody, ActionPreview>(
        preview: "listings/{id}/withdraw",
        of: "withdrawing a listing"
    )
    .failing(.ownListing, [.clockWrong, .unknownChain])
    package let exempt = APICall<ShippingException, Message>(.post, "listings/{id}/exceptions")
        .about(
            "Ship to one buyer despite the listing's limits; the buyer gets sealed mail about it."
        )
        .created.once
        .failing(.recipient)
    package let items = APICall<NoBody, [Item]>(.get, "items", .reader)
        .about(
            "Get the history of one token, of the tokens that were sold for an identifier, or of the "
                + "account's own tokens; give one of the three."
        )
        .taking(Query.token, Query.identifier, Query.own, Query.chain)
    package let give = APICall<Gift, Operation>(.post, "items/give")
        .about("Give a token of the account to another account.")
        .once.withFees
        .failing(.money, .chainNamed, [.badAddress, .notAllowed])
    package let previewGive = APICall<Gift, ActionPreview>(
        preview: "items/give",
        of: "giving a token to another account"
    )
    .failing(.chainNamed, [.badAddress, .notAllowed])
    package let identifier = APICall<NoBody, IdentifierCheck>(
        .get,
        "identifiers",
        .localOrReader
    )
    .about("Look for listings and tokens with an identifier, before you list an item.")
    .taking(Query.identifier, Query.chain)
    .failing([.badAddress])
}

extension APICall {
    /// Takes what a search looks for, and which page of it.
    fileprivate var searching: Self {
        taking(
            Query.search,
            Query.category,
            Query.tag,
            Query.author,
            Query.chain,
            Query.currency,
            Query.priceMin,
            Query.priceMax,
            Query.payment,
            Query.delivery,
            Query.shipsTo,
            Query.toMe,
            Query.sort,
            Query.near,
            Query.within,
            Query.stars,
            Query.over,
            Query.hidden,
            Query.count,
            Query.facets,
            Query.limit,
            Query.after
        )
    }
}

extension StoaClient {
    public func listings(_ search: ListingSearch) async throws -> Page<Listing> {
        try await call(
            API.listings.search,
            query: Self.query(of: search) + [Query.sellers(search.showsSellers)]
        )
    }

    /// Returns what rows of a list show of the listings that match, in at most 1,200 bytes each.
    ///
    /// Each names its seller, whatever ``ListingSearch/showsSellers`` says.
    public func rows(_ search: ListingSearch) async throws -> Page<ListingRow> {
        try await call(API.listings.rows, query: Self.query(of: search))
    }

    private static func query(of search: ListingSearch) -> [Call.QueryItem] {
        [
            Query.search(search.text), Query.category(search.category),
            Query.tag(search.tag), Query.author(search.author), Query.chain(search.chain),
            Query.currency(search.currency), Query.priceMin(search.priceMin),
            Query.priceMax(search.priceMax), Query.over(search.includesOver),
            Query.hidden(search.includesHidden), Query.toMe(search.reachesMe ?? false),
            Query.payment(search.payment), Query.delivery(search.delivery),
            Query.shipsTo(search.shipsTo), Query.sort(search.sort),
            Query.near(search.near.map { "\($0.latitude),\($0.longitude)" }),
            Query.within(search.within), Query.stars(search.starsMin),
            Query.count(search.countsMatches), Query.facets(search.countsFacets),
            Query.limit(search.limit), Query.after(search.after),
        ]
    }

    /// Returns texts that continue one that is being typed.
    public func suggestions(for text: String) async throws -> [ListingSuggestion] {
        try await call(API.listings.suggestions, query: [Query.search(text)])
    }

    /// Returns the categories that a listing can have, and how many listings are in each.
    public func categories() async throws -> [ListingCategory] {
        try await call(API.listings.categories)
    }

    /// Returns the towns whose name begins with a text, such as `Munich` or `Munich, DE`: those of
    /// exactly that name first, then larger before smaller ones.
    public func places(
        named text: String,
        in language: Place.Language = .english,
        limit: Int = 20
    ) async throws -> [Place] {
        let query = [Query.town(text), Query.language(language), Query.limit(limit)]
        return try await call(API.listings.places, query: query)
    }

    /// Returns the towns nearest to a point.
    public func places(
        near point: GeographicPoint,
        in language: Place.Language = .english,
        limit: Int = 20
    ) async throws -> [Place] {
        let near = "\(point.latitude),\(point.longitude)"
        let query = [Query.townNear(near), Query.language(language), Query.limit(limit)]
        return try await call(API.listings.places, query: query)
    }

    /// Returns a listing.
    ///
    /// With `onSale`, words of a title find only listings on sale, if any has them; with `own`,
    /// only those of the signed-in account, for what only an owner can do.
    public func listing(
        _ id: String,
        onSale: Bool = false,
        own: Bool = false
    ) async throws -> Listing {
        let query = [Query.onSale(onSale), Query.ownListing(own)]
        return try await call(API.listings.listing, at: id, query: query)
    }

    /// Creates a listing: mints the item, locks the deposit and publishes the listing.
    public func list(
        _ content: ListingContent,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.listings.list, content, feeMax: feeMax, key: key)
    }

    public func preview(_ content: ListingContent) async throws -> ActionPreview {
        try await call(API.listings.preview, content)
    }

    /// Changes the content of one of the account's listings.
    ///
    /// Another price withdraws the sale and lists the item again, which sends transactions; without
    /// one the terms stay those of the sale. With `acceptsOneSource`, one endpoint's answer is
    /// enough while no second one answers.
    public func edit(
        listing id: String,
        _ content: ListingContent,
        feeMax: String? = nil,
        acceptsOneSource: Bool = false,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(
            API.listings.edit,
            at: id,
            content,
            query: [Query.acceptsOneSource(acceptsOneSource)],
            feeMax: feeMax,
            key: key
        )
    }

    public func preview(
        editing listing: String,
        _ content: ListingContent
    ) async throws -> ActionPreview {
        try await call(API.listings.previewEdit, at: listing, content)
    }

    /// Lists more pieces of what one of the account's listings offers, or withdraws free ones.
    public func change(
        piecesOf id: String,
        _ change: PieceChange,
        feeMax: String? = nil,
        acceptsOneSource: Bool = false,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(
            API.listings.pieces,
            at: id,
            change,
            query: [Query.acceptsOneSource(acceptsOneSource)],
            feeMax: feeMax,
            key: key
        )
    }

    public func preview(
        piecesOf listing: String,
        _ change: PieceChange
    ) async throws -> ActionPreview {
        try await call(API.listings.previewPieces, at: listing, change)
    }

    /// Withdraws an own listing; the deposit returns.
    ///
    /// With `acceptsOneSource`, one endpoint's answer is enough while no second one answers.
    public func withdraw(
        listing id: String,
        feeMax: String? = nil,
        acceptsOneSource: Bool = false,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(
            API.listings.withdraw,
            at: id,
            query: [Query.acceptsOneSource(acceptsOneSource)],
            feeMax: feeMax,
            key: key
        )
    }

    public func preview(withdrawing listing: String) async throws -> ActionPreview {
        try await call(API.listings.previewWithdraw, at: listing)
    }

    /// Ships to one buyer whatever the limits of one of the account's listings say.
    public func allow(
        _ exception: ShippingException,
        for listing: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.listings.exempt, at: listing, exception, key: key)
    }

    /// Returns a token with its sales; an empty list if the market has no such token.
    ///
    /// Without `chain`, the token with that number on each of the node's chains.
    public func items(token: String, chain: UInt64? = nil) async throws -> [Item] {
        try await call(API.listings.items, query: [Query.token(token), Query.chain(chain)])
    }

    /// Returns the tokens that were made for an identifier and sold, the oldest first.
    public func items(identifier: String, chain: UInt64? = nil) async throws -> [Item] {
        try await call(
            API.listings.items,
            query: [Query.identifier(identifier), Query.chain(chain)]
        )
    }

    /// Returns the tokens that the account owns now, of the sales in which it was a party, the
    /// newest first.
    public func ownItems(chain: UInt64? = nil) async throws -> [Item] {
        try await call(API.listings.items, query: [Query.own(true), Query.chain(chain)])
    }

    /// Gives a token of the account to another account, without money.
    public func give(
        _ gift: Gift,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.listings.give, gift, feeMax: feeMax, key: key)
    }

    /// Previews giving a token to another account.
    public func preview(_ gift: Gift) async throws -> ActionPreview {
        try await call(API.listings.previewGive, gift)
    }

    /// Returns the node's knowledge of an identifier: listings that state it, and its tokens.
    ///
    /// - Throws: ``Problem`` with `malformed_value`.
    public func check(identifier: String, chain: UInt64? = nil) async throws -> IdentifierCheck {
        try await call(
            API.listings.identifier,
            query: [Query.identifier(identifier), Query.chain(chain)]
        )
    }
}

extension Set<ProblemCode> {
    /// Of a call that takes the content of a listing.
    fileprivate static var content: Self {
        [
            .badListing, .badAmount, .badTerms, .badAddress, .clockWrong, .unknownChain,
            .ambiguousChain,
        ]
    }

    /// For a call about one of the account's listings.
    fileprivate static var ownListing: Self { [.unknownListing, .notAllowed] }
}
