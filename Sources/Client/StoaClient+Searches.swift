/// Saved searches, and listings that are not published yet.
extension StoaClient {
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
}
