import NIOHTTP1

/// Which listings to look for.
public struct ListingSearch: Hashable, Sendable {
    /// Words of the title, the description or the tags; none means the newest listings.
    public var text: String?
    public var category: String?
    /// The seller's address.
    public var author: String?
    /// The currency that the prices are of: `native`, or a token's address.
    public var currency: String?
    /// In the currency's smallest unit.
    public var priceMin: String?
    public var priceMax: String?
    /// Whether listings are wanted too that are sold or over.
    public var includesOver = false
    /// At most 100.
    public var limit = 20
    /// The ``Page/next`` of the page before.
    public var after: String?

    public init(
        text: String? = nil,
        category: String? = nil,
        author: String? = nil,
        limit: Int = 20,
        after: String? = nil
    ) {
        (self.text, self.category, self.author) = (text, category, author)
        (self.limit, self.after) = (limit, after)
    }
}

/// Whose reviews to show.
public enum ReviewScope: Hashable, Sendable {
    /// All about one listing.
    case listing(String)
    /// All about one account.
    case account(String)
    /// Both sides' of one sale.
    case sale(String)
}

/// What moves money takes `feeMax`: what the fees may be at most, in wei, as
/// ``ActionPreview/feeMax`` showed it. Without it, the node takes what they are when it is asked.
extension StoaClient {
    /// What the account has on the chain.
    public func wallet() async throws -> Wallet { try await get("wallet") }

    /// Brings what contracts hold ready to the account's balance.
    public func collect(
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await post("wallet/collect", feeMax: feeMax, key: key)
    }

    /// Lets the node go on signing although the account's key is used elsewhere too.
    public func acknowledgeForeignUse() async throws { try await post("wallet/acknowledge") }

    /// Offers something: mints the item, locks the deposit and publishes the listing.
    public func list(
        _ content: ListingContent,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await post("listings", content, feeMax: feeMax, key: key)
    }

    public func listings(_ search: ListingSearch) async throws -> Page<Listing> {
        try await get(
            "listings",
            [
                ("search", search.text), ("category", search.category), ("author", search.author),
                ("currency", search.currency), ("priceMin", search.priceMin),
                ("priceMax", search.priceMax), ("over", search.includesOver ? "true" : nil),
                ("limit", String(search.limit)), ("after", search.after),
            ]
        )
    }

    public func listing(_ id: String) async throws -> Listing {
        try await get("listings/\(try Call.part(id))")
    }

    /// Changes what an own listing says; its price and terms stay those of the sale.
    public func edit(
        listing id: String,
        _ content: ListingContent,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        let path = "listings/\(try Call.part(id))"
        return try await exchange.perform(try call(.PUT, path, content, key))
    }

    /// Takes an own listing back; the deposit returns.
    ///
    /// With `acceptsOneSource` one endpoint's word is enough while no second one answers.
    public func withdraw(
        listing id: String,
        feeMax: String? = nil,
        acceptsOneSource: Bool = false,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        let path = "listings/\(try Call.part(id))"
        let more = [(name: "acceptsOneSource", value: acceptsOneSource ? "true" : nil)]
        return try await exchange.perform(
            try call(.DELETE, path, nil, key, feeMax: feeMax, more: more)
        )
    }

    /// Pays price and deposit into the escrow.
    public func buy(
        _ purchase: Purchase,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await post("sales", purchase, feeMax: feeMax, key: key)
    }

    /// The account's sales, as seller, buyer or arbiter, the latest moved first.
    ///
    /// At most `limit`, which is 100 at most, behind the ``Page/next`` of the page before; what moves
    /// meanwhile is on the first page. Where `phase` is given, only sales in it.
    public func sales(
        phase: String? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Sale> {
        try await get("sales", [("phase", phase), ("limit", String(limit)), ("after", after)])
    }

    public func sale(_ id: String) async throws -> Sale {
        try await get("sales/\(try Call.part(id))")
    }

    /// Makes a move in a sale; ``Sale/actions`` says which are open.
    public func move(
        sale id: String,
        _ move: SaleMove,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await post("sales/\(try Call.part(id))/moves", move, feeMax: feeMax, key: key)
    }

    /// Publishes a review; the node refuses one by somebody who had no part in the sale.
    public func review(_ draft: ReviewDraft) async throws -> Review {
        try await post("reviews", draft)
    }

    /// The newest of the reviews, at most 100.
    public func reviews(_ scope: ReviewScope) async throws -> [Review] {
        let query =
            switch scope {
            case .listing(let id): ("listing", id)
            case .account(let address): ("account", address)
            case .sale(let id): ("sale", id)
            }
        let page: Page<Review> = try await get("reviews", [query])
        return page.items
    }
}
