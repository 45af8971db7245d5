extension StoaClient {
    /// Publishes a list, instead of the account's earlier one of the same name.
    public func publish(_ draft: CurationDraft) async throws -> Curation {
        try await call(API.curations.publish, draft)
    }

    /// Returns what publishing the list would sign.
    public func preview(_ draft: CurationDraft) async throws -> ActionPreview {
        try await call(API.curations.preview, draft)
    }

    /// Returns one page of the lists that the node has, or of one author's, the latest first.
    public func curations(
        author: String? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Curation> {
        try await call(
            API.curations.list,
            query: [Query.author(author), Query.limit(limit), Query.after(after)]
        )
    }

    /// Returns a list with its entries.
    public func curation(_ id: String) async throws -> Curation {
        try await call(API.curations.curation, at: id)
    }

    /// Withdraws an own list.
    public func withdraw(curation id: String) async throws {
        try await call(API.curations.withdraw, at: id)
    }

    /// Returns the lists that the account follows.
    public func subscriptions() async throws -> [Curation] {
        try await call(API.curations.followed)
    }

    /// Follows a list: from now on it hides listings from the account.
    public func subscribe(_ subscription: Subscription) async throws -> Curation {
        try await call(API.curations.follow, subscription)
    }

    /// Stops following a list.
    public func unsubscribe(_ list: String) async throws {
        try await call(API.curations.unfollow, at: list)
    }

    /// Returns the listings hidden from the account, by whom and why.
    public func hidden() async throws -> [HiddenEntry] {
        try await call(API.curations.hidden)
    }
}
