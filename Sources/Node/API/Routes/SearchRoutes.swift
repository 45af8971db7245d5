import Client
import Hummingbird

/// Adds the routes of saved searches and of drafts: `/v1/searches`, `/v1/drafts`.
func addSearchRoutes(
    to group: RouterGroup<APIContext>,
    searches: SavedSearches,
    drafts: Drafts,
    ids: IDResolver
) {
    group.get("searches") { _, context in
        try reply(.ok, try await searches.all(of: try context.account()), context)
    }
    group.put("searches/{id}") { request, context in
        let account = try context.account()
        var terms: SearchTerms = try await request.read(context)
        if let author = terms.author {
            terms.author = try await ids.account(
                author,
                context,
                findsSellers: true,
                field: "author"
            )
        }
        let saved = try await searches.put(terms, as: try context.id(), of: account)
        return try reply(.ok, saved, context)
    }
    group.delete("searches/{id}") { _, context in
        try await searches.remove(try context.id(), of: try context.account())
        return Response(status: .noContent)
    }
    group.get("drafts") { _, context in
        try reply(.ok, try await drafts.all(of: try context.account()), context)
    }
    group.get("drafts/{id}") { _, context in
        let account = try context.account()
        return try reply(.ok, try await drafts.draft(try context.id(), of: account), context)
    }
    group.put("drafts/{id}") { request, context in
        let account = try context.account()
        let content: ListingContent = try await request.read(context)
        let draft = try await drafts.put(content, as: try context.id(), of: account)
        return try reply(.ok, draft, context)
    }
    group.delete("drafts/{id}") { _, context in
        try await drafts.remove(try context.id(), of: try context.account())
        return Response(status: .noContent)
    }
}
