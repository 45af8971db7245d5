import NIOHTTP1

extension StoaClient {
    /// Publishes a list, in place of the account's earlier one of the same name.
    public func publish(_ draft: CurationDraft) async throws -> Curation {
        try await post("curations", draft)
    }

    /// Returns what publishing the list would sign.
    public func preview(_ draft: CurationDraft) async throws -> ActionPreview {
        try await post("curations/preview", draft)
    }

    /// Returns one page of the lists that the node has, or of one author's, the latest first.
    public func curations(
        author: String? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Curation> {
        try await get(
            "curations",
            [("author", author), ("limit", String(limit)), ("after", after)]
        )
    }

    /// Returns a list with its entries.
    public func curation(_ id: String) async throws -> Curation {
        try await get("curations/\(try Call.part(id))")
    }

    /// Withdraws an own list.
    public func withdraw(curation id: String) async throws {
        let path = "curations/\(try Call.part(id))"
        try await exchange.perform(try call(.DELETE, path, nil, nil))
    }

    /// Returns the lists that the account follows.
    public func subscriptions() async throws -> [Curation] { try await get("subscriptions") }

    /// Follows a list: from now on it hides listings from the account.
    public func subscribe(_ subscription: Subscription) async throws -> Curation {
        try await post("subscriptions", subscription)
    }

    /// Stops following a list.
    public func unsubscribe(_ list: String) async throws {
        let path = "subscriptions/\(try Call.part(list))"
        try await exchange.perform(try call(.DELETE, path, nil, nil))
    }

    /// Returns what is hidden from the account, by whom and why.
    public func hidden() async throws -> [HiddenEntry] { try await get("hidden") }
}
