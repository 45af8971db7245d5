import Answers
import Client
import Hummingbird

/// Adds the routes of reviews: `/v1/reviews`, `/v1/reputation`.
func addReviewRoutes(to group: RouterGroup<APIContext>, reviews: Reviews, ids: IDResolver) {
    group.get("reviews") { request, context in
        let query = request.uri.queryParameters
        let scopes = ["sale", "listing", "account"].filter { query.text($0) != nil }
        guard scopes.count == 1 else {
            throw Refusal(
                .malformedValue,
                "Say whose reviews, by one of '?sale=', '?listing=' and '?account='."
            )
        }
        let after = query.text("after")
        let limit = try request.number("limit", default: 20, in: 1...100)
        if let sale = query.text("sale") {
            let id = try ids.sale(sale, context, prefersOver: true)
            let page = try await reviews.reviews(ofSale: id, after: after, limit: limit)
            return try reply(.ok, page, context)
        }
        if let listing = query.text("listing") {
            let id = try await ids.listing(listing, by: .all)
            let page = try await reviews.reviews(ofListing: id, after: after, limit: limit)
            return try reply(.ok, page, context)
        }
        let address = try await ids.account(
            query.text("account") ?? "",
            context,
            findsSellers: true,
            field: "account"
        )
        let page = try await reviews.reviews(ofAccount: address, after: after, limit: limit)
        return try reply(.ok, page, context)
    }
    group.get("reputation") { request, context in
        let address = try await ids.account(
            request.uri.queryParameters.text("account") ?? "",
            context,
            findsSellers: true,
            field: "account"
        )
        return try reply(.ok, try await reviews.reputation(of: address), context)
    }
    group.post("reviews/preview") { request, context in
        let account = try context.account()
        var draft: ReviewDraft = try await request.read(context)
        draft.sale = try ids.sale(draft.sale, context, prefersOver: true)
        return try await reply(try await reviews.preview(draft, by: account), context)
    }
    group.post("reviews") { request, context in
        let account = try context.account()
        var draft: ReviewDraft = try await request.read(context)
        draft.sale = try ids.sale(draft.sale, context, takesTitles: false)
        return try reply(.created, try await reviews.write(draft, by: account), context)
    }
}
