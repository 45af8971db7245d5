import Answers
import Client
import Hummingbird
import Mail

/// Adds the routes of reports: `/v1/reports`.
func addReportRoutes(to group: RouterGroup<APIContext>, reports: Reports, ids: IDResolver) {
    group.post("reports") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        var draft: ReportDraft = try await request.read(context)
        if let listing = draft.listing {
            // A title could choose another's listing unseen.
            draft.listing = try await ids.listing(listing, by: .none)
        }
        if let reported = draft.account {
            draft.account = try await ids.account(
                reported,
                context,
                findsSellers: true,
                field: "account"
            )
        }
        return try reply(.created, try await reports.send(draft, by: account, key: key), context)
    }
    group.get("reports") { request, context in
        let account = try context.account()
        let page = try await reports.page(
            of: account,
            isOwn: try request.flag("sent"),
            after: request.uri.queryParameters.text("after"),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
}
