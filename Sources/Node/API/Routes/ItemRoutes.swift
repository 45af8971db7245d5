import Client
import Hummingbird

/// Adds the route of the history of tokens: `/v1/items`.
func addItemRoutes(to group: RouterGroup<APIContext>, sales: Sales) {
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
