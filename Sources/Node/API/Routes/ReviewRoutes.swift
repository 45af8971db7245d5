import Client
import Hummingbird

/// Reviews: `/v1/reviews`.
func addReviewRoutes(to group: RouterGroup<APIContext>, reviews: Reviews) {
    group.get("reviews") { request, context in
        let query = request.uri.queryParameters
        if let sale = query["sale"] {
            return try reply(.ok, try await reviews.reviews(ofSale: String(sale)), context)
        }
        if let listing = query["listing"] {
            return try reply(.ok, try await reviews.reviews(ofListing: String(listing)), context)
        }
        guard let account = query["account"] else {
            throw Refusal(
                .malformedValue,
                "Say whose reviews: '?sale=', '?listing=' or '?account='."
            )
        }
        return try reply(.ok, try await reviews.reviews(ofAccount: String(account)), context)
    }
    group.post("reviews") { request, context in
        let account = try context.account()
        let draft: ReviewDraft = try await request.read(context)
        return try reply(.created, try await reviews.write(draft, by: account), context)
    }
}
