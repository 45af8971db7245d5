import Client
import Hummingbird

/// Adds the routes of reviews: `/v1/reviews`.
func addReviewRoutes(to group: RouterGroup<APIContext>, reviews: Reviews, ids: IDResolver) {
    group.get("reviews") { request, context in
        let query = request.uri.queryParameters
        guard query.count == 1 else {
            throw Refusal(
                .malformedValue,
                "Say whose reviews, by one of '?sale=', '?listing=' and '?account='."
            )
        }
        if let sale = query["sale"] {
            let id = try ids.sale(String(sale), context, prefersOver: true)
            return try reply(.ok, page(try await reviews.reviews(ofSale: id)), context)
        }
        if let listing = query["listing"] {
            let id = try await ids.listing(String(listing), by: .all)
            return try reply(.ok, page(try await reviews.reviews(ofListing: id)), context)
        }
        let account = String(query["account"] ?? "")
        let address = try await ids.account(
            account,
            context,
            findsSellers: true,
            field: "account"
        )
        return try reply(.ok, page(try await reviews.reviews(ofAccount: address)), context)
    }
    group.post("reviews/preview") { request, context in
        let account = try context.account()
        var draft: ReviewDraft = try await request.read(context)
        draft.sale = try ids.sale(draft.sale, context, prefersOver: true)
        return try reply(.ok, try await reviews.preview(draft, by: account), context)
    }
    group.post("reviews") { request, context in
        let account = try context.account()
        var draft: ReviewDraft = try await request.read(context)
        draft.sale = try ids.sale(draft.sale, context, takesTitles: false)
        return try reply(.created, try await reviews.write(draft, by: account), context)
    }
}

private func page(_ reviews: [Client.Review]) -> Page<Client.Review> {
    Page(
        items: Array(reviews.prefix(Reviews.listMax)),
        isLast: reviews.count <= Reviews.listMax
    )
}
