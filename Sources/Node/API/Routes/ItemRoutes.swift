import Answers
import Client
import Foundation
import Hummingbird

/// Adds the routes of the history of tokens and of identifiers: `/v1/items`, `/v1/identifiers`.
func addItemRoutes(
    to group: RouterGroup<APIContext>,
    sales: Sales,
    listings: Listings,
    reviews: Reviews
) {
    group.get("identifiers") { request, context in
        let text = request.uri.queryParameters.text("identifier") ?? ""
        let (identifier, found) = try await listings.listings(withIdentifier: text)
        let uses = try await reviews.uses(found) { try listings.tokenSince(of: $0) }
        let open = found.filter { $0.state == "open" }.map(\.author)
        let check = IdentifierCheck(
            identifier: identifier,
            isContested: Set(open).count > 1,
            listings: uses,
            items: try await sales.items(
                identifier: identifier,
                on: try request.chain(),
                for: context.signedIn
            )
        )
        return try reply(.ok, check, context)
    }
    group.get("items") { request, context in
        let query = request.uri.queryParameters
        let chain = try request.chain()
        switch (query["token"].map(String.init), query["identifier"].map(String.init)) {
        case (let token?, nil):
            return try reply(
                .ok,
                try await sales.items(token: token, on: chain, for: context.signedIn),
                context
            )
        case (nil, let identifier?):
            let items = try await sales.items(
                identifier: identifier,
                on: chain,
                for: context.signedIn
            )
            return try reply(.ok, items, context)
        case (nil, nil), (_?, _?):
            throw Refusal(.malformedValue, "Give either 'token' or 'identifier'.", field: "token")
        }
    }
}

extension Reviews {
    /// Returns listings that state an identifier, with how many sales of each author are complete,
    /// and since when each has its token.
    func uses(
        _ listings: [Listing],
        since: @Sendable (Listing) throws -> Date?
    ) async throws -> [IdentifierCheck.Use] {
        var uses: [IdentifierCheck.Use] = []
        for listing in listings {
            uses.append(
                IdentifierCheck.Use(
                    listing: listing.id,
                    title: listing.content.title,
                    author: listing.author,
                    state: listing.state,
                    authorsSales: try completedSales(of: listing.author),
                    tokenSince: try since(listing)
                )
            )
        }
        return uses
    }
}
