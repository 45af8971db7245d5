import Client
import Hummingbird
import Trade

/// Adds the handlers of saved searches and of drafts.
func addSearchRoutes(
    to group: RouterGroup<APIContext>,
    searches: SavedSearches,
    drafts: Drafts,
    ids: IDResolver
) {
    group.on(API.saved.searches) { try await searches.all(of: $0.account) }
    group.on(API.saved.saveSearch) { request in
        let account = try request.account
        var terms = try await request.body
        if let author = terms.author {
            terms.author = try await ids.account(
                author,
                request.context,
                findsSellers: true,
                field: "author"
            )
        }
        return try await searches.put(terms, as: request.id, of: account)
    }
    group.perform(API.saved.removeSearch) { try await searches.remove($0.id, of: $0.account) }
    group.on(API.saved.drafts) { try await drafts.all(of: $0.account) }
    group.on(API.saved.draft) { try await drafts.draft($0.id, of: $0.account) }
    group.on(API.saved.saveDraft) { request in
        try await drafts.put(request.body.content, as: request.id, of: request.account)
    }
    group.perform(API.saved.removeDraft) { try await drafts.remove($0.id, of: $0.account) }
}
