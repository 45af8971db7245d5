/// A search for listings: its terms, whose fields are also its own, and the page.
@dynamicMemberLookup
public struct ListingSearch: Hashable, Sendable {
    public var terms: SearchTerms
    /// Whether to include listings that are sold or over.
    public var includesOver = false
    /// Whether to include listings hidden by the account's blocks and by lists that it follows.
    public var includesHidden = false
    /// Whether to count all matches, see ``Page/total``; it takes the node some milliseconds.
    public var countsMatches = false
    /// Whether to count the matches by their properties, see ``Page/facets``; likewise.
    public var countsFacets = false
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
        self.init(SearchTerms(text: text, category: category, author: author))
        (self.limit, self.after) = (limit, after)
    }

    public init(_ terms: SearchTerms) { self.terms = terms }

    public subscript<Value>(dynamicMember field: WritableKeyPath<SearchTerms, Value>) -> Value {
        get { terms[keyPath: field] }
        set { terms[keyPath: field] = newValue }
    }
}

/// The reviews to return.
public enum ReviewScope: Hashable, Sendable {
    /// All about one listing.
    case listing(String)
    /// All about one account.
    case account(String)
    /// The reviews of one sale, by both sides.
    case sale(String)
}

/// Calls about listings, sales and money.
///
/// Calls that move money take `feeMax`: the maximum fees in wei, as ``ActionPreview/feeMax`` showed
/// them. Without it, the node takes the fees at the time of the call.
extension StoaClient {
    /// Returns the account's money on a chain; without `chain`, on the node's only one.
    public func wallet(chain: UInt64? = nil) async throws -> Wallet {
        try await call(API.wallet.wallet, query: [Query.chain(chain)])
    }

    /// Returns the currencies of the node's chains, the native one of each first; without `chain`,
    /// those of all.
    public func currencies(chain: UInt64? = nil) async throws -> [CurrencyUnit] {
        try await call(API.wallet.currencies, query: [Query.chain(chain)])
    }

    /// Returns one page of the movements of the account's money, newest first.
    ///
    /// At most `limit` movements, which is at most 100, after the ``Page/next`` of the page before.
    /// Those of the newest blocks are missing until they are final. Without `chain`, they are those
    /// on the node's only one.
    public func history(
        limit: Int = 20,
        after: String? = nil,
        chain: UInt64? = nil
    ) async throws -> Page<WalletMovement> {
        try await call(
            API.wallet.history,
            query: [Query.limit(limit), Query.after(after), Query.chain(chain)]
        )
    }

    /// Sends money of the account to another account.
    public func send(
        _ transfer: Transfer,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.wallet.send, transfer, feeMax: feeMax, key: key)
    }

    /// Pays out money that contracts hold for the account, by default all of it to the account.
    public func collect(
        _ collection: CreditCollection = CreditCollection(),
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.wallet.collect, collection, feeMax: feeMax, key: key)
    }

    /// Lets the node continue to sign although the account's key is used elsewhere too.
    public func acknowledgeForeignUse() async throws {
        try await call(API.wallet.acknowledge)
    }

    /// Returns the content with which the account can sell again what it bought in a sale.
    ///
    /// It has the words, files, type, identifier and token of that sale; set price and terms. The
    /// type, the identifier and the token must stay.
    public func resale(of sale: String) async throws -> ListingContent {
        try await call(API.sales.resale, at: sale).content
    }

    /// Creates a listing: mints the item, locks the deposit and publishes the listing.
    public func list(
        _ content: ListingContent,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.listings.list, content, feeMax: feeMax, key: key)
    }

    public func listings(_ search: ListingSearch) async throws -> Page<Listing> {
        try await call(
            API.listings.search,
            query: [
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
        )
    }

    /// Returns texts that continue one that is being typed.
    public func suggestions(for text: String) async throws -> [ListingSuggestion] {
        try await call(API.listings.suggestions, query: [Query.search(text)])
    }

    /// Returns the categories that a listing can have, and how many listings are in each.
    public func categories() async throws -> [ListingCategory] {
        try await call(API.listings.categories)
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

    /// Buys: pays the price, and the deposit if its kind of sale has one.
    public func buy(
        _ purchase: Purchase,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.sales.buy, purchase, feeMax: feeMax, key: key)
    }

    /// Returns one page of the account's sales, most recently moved first.
    ///
    /// The account is seller, buyer or arbiter in them. At most `limit` sales, which is at most
    /// 100, after the ``Page/next`` of the page before; a sale that moves in the meantime is on the
    /// first page. With `phase`, only sales in that phase. With `list`, only sales of that list:
    /// `running` (somebody has bought), `bids` (sales in which the account bids), `postings` (what
    /// it offers, and what ended without a buyer), `purchases`, `sold`, `to_review` (ended within
    /// 30 days and not reviewed by the account), or `to_collect` (credited to it and not
    /// collected).
    public func sales(
        list: String? = nil,
        phase: String? = nil,
        byDeadline: Bool = false,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Sale> {
        try await call(
            API.sales.list,
            query: [
                Query.list(list), Query.phase(phase), Query.byDeadline(byDeadline),
                Query.limit(limit), Query.after(after),
            ]
        )
    }

    public func sale(_ id: String) async throws -> Sale {
        try await call(API.sales.sale, at: id)
    }

    /// Returns a token with its sales; an empty list if the market has no such token.
    ///
    /// Without `chain`, the token with that number on each of the node's chains.
    public func items(token: String, chain: UInt64? = nil) async throws -> [Item] {
        try await call(API.listings.items, query: [Query.token(token), Query.chain(chain)])
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

    /// Makes a move in a sale; ``Sale/actions`` lists the moves that are open.
    public func move(
        sale id: String,
        _ move: SaleMove,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.sales.move, at: id, move, feeMax: feeMax, key: key)
    }

    /// Returns the terms on which an account is an arbiter, one for each currency.
    ///
    /// Empty if it has not registered. `account` is an address or a name; without it, the signed-in
    /// account's terms are returned.
    public func arbitration(
        of account: String? = nil,
        chain: UInt64? = nil
    ) async throws -> [Arbitration] {
        try await call(
            API.reputation.arbitration,
            query: [Query.account(account), Query.chain(chain)]
        )
    }

    /// Registers the account as an arbiter, or changes the terms on which it is one.
    public func register(
        _ arbitration: Arbitration,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.reputation.arbitrate, arbitration, feeMax: feeMax, key: key)
    }

    /// Publishes a review; the node refuses one by an account that was not a party to the sale.
    public func review(_ draft: ReviewDraft) async throws -> Review {
        try await call(API.reputation.review, draft)
    }

    /// Returns an account's record on the node's chains, and the average of its reviews.
    ///
    /// - Parameter account: Its address, or a name that the caller knows.
    /// - Returns: Its reputation, which is empty for an account that was in no sale.
    /// - Throws: ``Problem`` with `bad_address` or `ambiguous_id`.
    public func reputation(of account: String) async throws -> Reputation {
        try await call(API.reputation.reputation, query: [Query.account(account)])
    }

    /// Returns one page of reviews, newest first.
    ///
    /// At most `limit` reviews, which is at most 100, after the ``Page/next`` of the page before.
    public func reviews(
        _ scope: ReviewScope,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Review> {
        let query =
            switch scope {
            case .listing(let id): Query.listing(id)
            case .account(let address): Query.account(address)
            case .sale(let id): Query.sale(id)
            }
        return try await call(
            API.reputation.reviews,
            query: [query, Query.limit(limit), Query.after(after)]
        )
    }
}
