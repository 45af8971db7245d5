import Answers
import Client
import Hummingbird
import Trade

/// Adds the handlers of reviews.
func addReviewRoutes(to group: RouterGroup<APIContext>, reviews: Reviews, ids: IDResolver) {
    group.on(API.reputation.reviews) { request in
        let (sale, listing) = (try request[Query.sale], try request[Query.listing])
        let account = try request[Query.account]
        guard [sale, listing, account].count(where: { $0 != nil }) == 1 else {
            throw Refusal(.malformedValue, Sentence("refusal.whoseReviews"))
        }
        let (after, limit) = (try request[Query.after], try request[Query.limit])
        if let sale {
            let id = try ids.sale(sale, request.context, prefersOver: true)
            return try await reviews.reviews(ofSale: id, after: after, limit: limit)
        }
        if let listing {
            let id = try await ids.listing(listing, by: .all)
            return try await reviews.reviews(ofListing: id, after: after, limit: limit)
        }
        let address = try await ids.account(
            account ?? "",
            request.context,
            findsSellers: true,
            field: "account"
        )
        return try await reviews.reviews(ofAccount: address, after: after, limit: limit)
    }
    group.on(API.reputation.reputation) { request in
        let address = try await ids.account(
            request[Query.account] ?? "",
            request.context,
            findsSellers: true,
            field: "account"
        )
        return try await reviews.reputation(of: address)
    }
    group.on(API.reputation.previewReview) { request in
        let account = try request.account
        var draft = try await request.body
        draft.sale = try ids.sale(draft.sale, request.context, use: .review, prefersOver: true)
        return try await reviews.preview(draft, by: account)
    }
    group.on(API.reputation.review) { request in
        let account = try request.account
        var draft = try await request.body
        draft.sale = try ids.sale(draft.sale, request.context, takesTitles: false)
        return try await reviews.write(draft, by: account)
    }
}
