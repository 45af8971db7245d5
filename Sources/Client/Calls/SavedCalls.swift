/// Data that an account keeps for itself.
package struct SavedCalls: Sendable {
    package let favourites = APICall<NoBody, Page<SavedListing>>(.get, "favourites")
        .about("List the account's favourites, most recently saved first.")
        .taking(Query.limit, Query.after)
        .failing([.nodeLocked])
    package let favour = APICall<NoBody, SavedListing>(.put, "favourites/{id}")
        .about("Save a listing among the account's favourites; a second time changes nothing.")
        .failing([.unknownListing, .notAllowed, .nodeLocked])
    package let unfavour = APICall<NoBody, NoBody>(.delete, "favourites/{id}")
        .about("Remove a favourite, which words of its title name among the favourites.")
        .failing([.nodeLocked])
    package let cart = APICall<NoBody, Cart>(.get, "cart")
        .about("Get the account's cart with its totals.")
        .failing([.nodeLocked])
    package let putInCart = APICall<CartQuantity, Cart>(.put, "cart/{id}")
        .about("Put a listing into the cart, or remove it with a quantity of 0.")
        .failing([.unknownListing, .ownListing, .listingGone, .notAllowed, .nodeLocked])
    package let removeFromCart = APICall<NoBody, NoBody>(.delete, "cart/{id}")
        .about("Remove a listing from the cart, among which words of its title name it.")
        .failing([.nodeLocked])
    package let searches = APICall<NoBody, [SavedSearch]>(.get, "searches")
        .about("List the account's saved searches, most recently saved first.")
        .failing([.nodeLocked])
    package let saveSearch = APICall<SearchTerms, SavedSearch>(.put, "searches/{id}")
        .about(
            "Save a search under a name; each new match is reported as an event "
                + "'listing_found'."
        )
        .failing(.chainNamed, [.badAmount, .badAddress, .notAllowed, .nodeLocked, .chainAway])
    package let removeSearch = APICall<NoBody, NoBody>(.delete, "searches/{id}")
        .about("Remove a saved search.")
        .failing([.nodeLocked])
    package let drafts = APICall<NoBody, [Draft]>(.get, "drafts")
        .about("List the account's drafts of listings, most recently changed first.")
        .failing([.nodeLocked])
    package let draft = APICall<NoBody, Draft>(.get, "drafts/{id}")
        .about("Get a draft.")
        .failing([.nodeLocked])
    package let saveDraft = APICall<DraftContent, Draft>(.put, "drafts/{id}")
        .about("Keep the content of a listing under a name; it is checked when it is published.")
        .failing([.notAllowed, .nodeLocked])
    package let removeDraft = APICall<NoBody, NoBody>(.delete, "drafts/{id}")
        .about("Remove a draft.")
        .failing([.nodeLocked])
    package let contacts = APICall<NoBody, [Contact]>(.get, "contacts")
        .about("List the account's contacts by name.")
        .failing([.nodeLocked])
    package let nameContact = APICall<ContactName, Contact>(.put, "contacts/{id}")
        .about("Give an account a name that only the signed-in account sees.")
        .failing([.badAddress, .notAllowed, .nodeLocked])
    package let removeContact = APICall<NoBody, NoBody>(.delete, "contacts/{id}")
        .about("Remove the name of an account.")
        .failing([.badAddress, .nodeLocked])
    package let address = APICall<NoBody, DeliveryAddress>(.get, "address")
        .about("Get the account's delivery address, which only its own nodes know.")
        .failing([.nodeLocked])
    package let setAddress = APICall<DeliveryAddress, DeliveryAddress>(.put, "address")
        .about("Replace the account's delivery address; an empty one removes it.")
        .failing([.shippingNotPossible, .nodeLocked])
}

extension StoaClient {
    /// Returns one page of the account's favourites, the last saved first.
    ///
    /// At most `limit` of them, which is at most 100, after the ``Page/next`` of the page before.
    public func favourites(limit: Int = 20, after: String? = nil) async throws -> Page<SavedListing>
    {
        try await call(API.saved.favourites, query: [Query.limit(limit), Query.after(after)])
    }

    /// Saves a listing among the account's favourites.
    public func favour(_ listing: String) async throws -> SavedListing {
        try await call(API.saved.favour, at: listing)
    }

    /// Removes a listing from the account's favourites.
    public func unfavour(_ listing: String) async throws {
        try await call(API.saved.unfavour, at: listing)
    }

    /// Returns the account's cart.
    public func cart() async throws -> Cart { try await call(API.saved.cart) }

    /// Puts a listing into the cart, or takes it out with a quantity of 0.
    public func put(
        inCart listing: String,
        _ quantity: CartQuantity = CartQuantity()
    ) async throws -> Cart {
        try await call(API.saved.putInCart, at: listing, quantity)
    }

    /// Removes a listing from the cart.
    public func remove(fromCart listing: String) async throws {
        try await call(API.saved.removeFromCart, at: listing)
    }

    /// Returns the account's saved searches, the last saved first.
    public func savedSearches() async throws -> [SavedSearch] {
        try await call(API.saved.searches)
    }

    /// Saves a search under a name; each new match is reported to the account in a `listing_found`
    /// event.
    public func save(_ terms: SearchTerms, as name: String) async throws -> SavedSearch {
        try await call(API.saved.saveSearch, at: name, terms)
    }

    /// Removes a saved search.
    public func remove(search name: String) async throws {
        try await call(API.saved.removeSearch, at: name)
    }

    /// Returns the account's drafts of listings, the last changed first.
    public func drafts() async throws -> [Draft] { try await call(API.saved.drafts) }

    /// Returns one draft of a listing.
    public func draft(_ name: String) async throws -> Draft {
        try await call(API.saved.draft, at: name)
    }

    /// Keeps the content of a listing under a name; it is checked when it is published.
    public func save(draft content: ListingContent, as name: String) async throws -> Draft {
        try await call(API.saved.saveDraft, at: name, DraftContent(content: content))
    }

    /// Removes a draft.
    public func remove(draft name: String) async throws {
        try await call(API.saved.removeDraft, at: name)
    }

    /// Returns the accounts that the signed-in account has named, by name.
    public func contacts() async throws -> [Contact] { try await call(API.saved.contacts) }

    /// Names an account, or gives it another name.
    ///
    /// - Throws: ``Problem`` with `malformed_value`, `bad_address`, `not_allowed`, `needs_unlock`.
    public func name(_ account: String, _ name: String) async throws -> Contact {
        try await call(API.saved.nameContact, at: account, ContactName(name: name))
    }

    /// Removes the name of an account.
    public func removeContact(_ account: String) async throws {
        try await call(API.saved.removeContact, at: account)
    }

    /// Returns the account's delivery address, which only its own nodes know.
    public func deliveryAddress() async throws -> DeliveryAddress {
        try await call(API.saved.address)
    }

    /// Replaces the account's delivery address; an empty one removes it.
    public func set(_ address: DeliveryAddress) async throws -> DeliveryAddress {
        try await call(API.saved.setAddress, address)
    }
}
