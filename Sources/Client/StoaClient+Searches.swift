import NIOHTTP1

/// Saved searches, and listings that are not published yet.
extension StoaClient {
    /// Returns the account's saved searches, the last saved first.
    public func savedSearches() async throws -> [SavedSearch] { try await get("searches") }

    /// Saves a search under a name; the account is told of each listing that matches from now on, in
    /// an event `listing_found`.
    public func save(_ terms: SearchTerms, as name: String) async throws -> SavedSearch {
        let path = "searches/\(try Call.part(name))"
        return try await exchange.perform(try call(.PUT, path, terms, nil))
    }

    /// Removes a saved search.
    public func remove(search name: String) async throws {
        let path = "searches/\(try Call.part(name))"
        try await exchange.perform(try call(.DELETE, path, nil, nil))
    }

    /// Returns the account's drafts of listings, the last changed first.
    public func drafts() async throws -> [Draft] { try await get("drafts") }

    /// Returns one draft of a listing.
    public func draft(_ name: String) async throws -> Draft {
        try await get("drafts/\(try Call.part(name))")
    }

    /// Keeps the content of a listing under a name; it is checked when it is published.
    public func save(draft content: ListingContent, as name: String) async throws -> Draft {
        let path = "drafts/\(try Call.part(name))"
        return try await exchange.perform(try call(.PUT, path, content, nil))
    }

    /// Removes a draft.
    public func remove(draft name: String) async throws {
        let path = "drafts/\(try Call.part(name))"
        try await exchange.perform(try call(.DELETE, path, nil, nil))
    }
}
