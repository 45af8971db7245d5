import Client
import Hummingbird

/// Reviews: `/v1/reviews`.
func addReviewRoutes(to group: RouterGroup<APIContext>, reviews: Reviews, ids: IDResolver) {
    group.get("reviews") { request, context in
        let query = request.uri.queryParameters
        if let sale = query["sale"] {
            let id = try ids.sale(String(sale), context)
            return try reply(.ok, try await reviews.reviews(ofSale: id), context)
        }
        if let listing = query["listing"] {
            let id = try await ids.listing(String(listing), takesTitles: true)
            return try reply(.ok, try await reviews.reviews(ofListing: id), context)
        }
        guard let account = query["account"] else {
            throw Refusal(
                .malformedValue,
                "Say whose reviews: '?sale=', '?listing=' or '?account='."
            )
        }
        let address = try await ids.account(String(account), context, field: "account")
        return try reply(.ok, try await reviews.reviews(ofAccount: address), context)
    }
    group.post("reviews") { request, context in
        let account = try context.account()
        var draft: ReviewDraft = try await request.read(context)
        draft.sale = try ids.sale(draft.sale, context)
        return try reply(.created, try await reviews.write(draft, by: account), context)
    }
}
