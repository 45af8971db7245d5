import Client

/// Resolves what callers of the API enter, with the names that each caller may know.
extension IDResolver {
    func account(_ text: String, _ context: APIContext, field: String) async throws -> String {
        try await account(text, for: context.signedIn, isLocal: context.isLocal, field: field)
    }

    /// Returns the id of the conversation that the path names.
    func conversation(
        _ context: APIContext,
        isForSending: Bool = false
    ) async throws -> String {
        try await conversation(
            try context.id(),
            of: try context.account(),
            isLocal: context.isLocal,
            isForSending: isForSending
        )
    }

    func listing(_ text: String, by titles: MarketIndex.Titles) async throws -> String {
        try await market?.listing(text, by: titles) ?? text
    }

    func sale(_ text: String, _ context: APIContext, takesTitles: Bool = true) throws -> String {
        try market?.sale(text, for: context.signedIn, takesTitles: takesTitles) ?? text
    }

    /// Returns a listing's content with the arbiter's address in place of a name.
    func named(_ content: ListingContent, _ context: APIContext) async throws -> ListingContent {
        guard let arbiter = content.terms?.arbiter else { return content }
        var content = content
        content.terms?.arbiter = try await self.arbiter(
            arbiter,
            for: context.signedIn,
            isLocal: context.isLocal
        )
        return content
    }
}
