/// Listings, and the tokens of listed items.
package struct ListingCalls: Sendable {
    package let search = APICall<NoBody, Page<Listing>>(.get, "listings", .reader)
        .about(
            "Search listings; over=true includes sold and ended ones. Prices, and sorting "
                + "by them, need a currency: 'native' or a token's address."
        )
        .taking(
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
        .failing([.badAmount, .badAddress])
    package let suggestions = APICall<NoBody, [ListingSuggestion]>(
        .get,
        "listings/suggestions",
        .reader
    )
    .about("Complete a text as it is typed, with words from listing titles.")
    .taking(Query.search)
    package let categories = APICall<NoBody, [ListingCategory]>(.get, "categories", .reader)
        .about("List the categories of listings: known ones, then others that listings have.")
    package let listing = APICall<NoBody, Listing>(.get, "listings/{id}", .reader)
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
    package let identifier = APICall<NoBody, IdentifierCheck>(.get, "identifiers", .reader)
        .about("Look for listings and tokens with an identifier, before you list an item.")
        .taking(Query.identifier, Query.chain)
        .failing([.badAddress])
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
