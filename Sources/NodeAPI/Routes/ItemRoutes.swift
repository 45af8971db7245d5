import Answers
import Client
import Hummingbird
import Trade

/// Adds the handlers of the history of tokens and of identifiers.
func addItemRoutes(to group: RouterGroup<APIContext>, market: MarketServices) {
    let (searcher, listings, reviews) = (market.items, market.listings, market.reviews)
    group.on(API.listings.identifier) { request in
        let text = try request[Query.identifier] ?? ""
        let (identifier, found) = try await listings.listings(withIdentifier: text)
        let uses = try await reviews.uses(found) { try listings.tokenSince(of: $0) }
        let open = found.filter { $0.state == "open" }.map(\.author)
        return IdentifierCheck(
            identifier: identifier,
            isContested: Set(open).count > 1,
            listings: uses,
            items: try await searcher.items(
                identifier: identifier,
                on: request[Query.chain],
                for: request.context.signedIn
            )
        )
    }
    group.on(API.listings.items) { request in
        let (chain, caller) = (try request[Query.chain], request.context.signedIn)
        let own = try request[Query.own]
        return switch (try request[Query.token], try request[Query.identifier], own) {
        case (let token?, nil, false):
            try await searcher.items(token: token, on: chain, for: caller)
        case (nil, let identifier?, false):
            try await searcher.items(identifier: identifier, on: chain, for: caller)
        case (nil, nil, true): try await searcher.items(ownedBy: request.account, on: chain)
        default:
            throw Refusal(.malformedValue, Sentence("refusal.giveOneItem"), field: "token")
        }
    }
}
