import Answers
import Client
import Hummingbird
import Mail
import Trade

/// Adds the handlers of reports.
func addReportRoutes(to group: RouterGroup<APIContext>, reports: Reports, ids: IDResolver) {
    group.on(API.conversations.report) { request in
        let (account, key) = (try request.account, try request.key)
        var draft = try await request.body
        if let listing = draft.listing {
            // A title could choose another's listing unseen.
            draft.listing = try await ids.listing(listing, by: .none)
        }
        if let reported = draft.account {
            draft.account = try await ids.account(
                reported,
                request.context,
                findsSellers: true,
                field: "account"
            )
        }
        return try await reports.send(draft, by: account, key: key)
    }
    group.on(API.conversations.reports) { request in
        try await reports.page(
            of: request.account,
            isOwn: request[Query.sent],
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
}
