/// Sales, and what their parties do.
package struct SaleCalls: Sendable {
    package let list = APICall<NoBody, Page<Sale>>(.get, "sales")
        .about("List the account's sales, most recently changed first.")
        .taking(Query.list, Query.phase, Query.byDeadline, Query.limit, Query.after)
        .failing([.unknownChain])
    package let sale = APICall<NoBody, Sale>(.get, "sales/{id}", .reader)
        .about("Get a sale, as this node reads it from the chain.")
        .failing([.unknownSale])
    package let resale = APICall<NoBody, DraftContent>(.get, "sales/{id}/resale")
        .about(
            "Get the content with which the account can sell again what it bought: words, files, type, "
                + "identifier and token, without a price and terms."
        )
        .failing([.unknownSale, .badListing])
    package let buy = APICall<Purchase, Operation>(.post, "sales")
        .about("Buy a listing, bid for it, or take a seat in it.")
        .once.withFees
        .failing(.money, [.unknownListing, .listingGone, .bidTooLow, .ownListing, .notAsPromised])
        .failing([
            .notFinalYet, .oneSource, .shippingNotPossible, .signsElsewhere, .unknownChain,
        ])
    package let previewBuy = APICall<Purchase, ActionPreview>(preview: "sales", of: "buying")
        .failing([.unknownListing, .listingGone, .unknownChain])
    package let move = APICall<SaleMove, Operation>(.post, "sales/{id}/moves")
        .about("Make a move in a sale.")
        .once.withFees
        .failing(.money, .ownSale, [.notFinalYet, .oneSource, .signsElsewhere])
    package let previewMove = APICall<SaleMove, ActionPreview>(
        preview: "sales/{id}/moves",
        of: "a move in a sale"
    )
    .failing(.ownSale)
    package let students = APICall<NoBody, Page<Student>>(.get, "sales/{id}/students", .reader)
        .about(
            "List the students of a round, who are public on the chain; the last round "
                + "without 'round'."
        )
        .taking(Query.round, Query.limit, Query.after)
        .failing([.unknownSale])
    package let attendance = APICall<NoBody, Page<Attendance>>(.get, "sales/{id}/attendance")
        .about(
            "Get the teacher's own list of a round: who was present in which session, and notes."
        )
        .taking(Query.round, Query.limit, Query.after)
        .failing(.ownSale, [.nodeLocked])
    package let mark = APICall<AttendanceMarks, NoBody>(.put, "sales/{id}/attendance")
        .about("Change the teacher's own list of a round; the same change again changes nothing.")
        .failing(.ownSale, [.nodeLocked, .badAddress])
    package let disclose = APICall<AddressDisclosure, Message>(.post, "sales/{id}/address")
        .about("Tell the seller of a sale, sealed, where to send the item.")
        .created.once
        .failing(.recipient, .ownSale, [.messageTooLong])
    package let work = APICall<NoBody, FileBody>(.get, "sales/{id}/work")
        .about(
            "Get the file that the account bought, once the seller has delivered its key; it is "
                + "checked against its identifier."
        )
        .failing(.ownSale, .locked, [.unknownMedia, .unknownListing, .notAsPromised])
        .failing([.mediaNoRoom, .tooManyTries])
    package let picture = APICall<NoBody, FileBody>(.get, "sales/{id}/picture")
        .about(
            "Get a picture of a note in a sale, decrypted and re-encoded, if the account has sent or "
                + "received the note."
        )
        .taking(Query.picture)
        .failing(.locked, [.unknownSale, .unknownMedia, .badMedia, .mediaUnavailable])
        .failing([.mediaNoRoom])
}

extension Set<ProblemCode> {
    /// Of a call about a sale of the account.
    fileprivate static var ownSale: Self { [.unknownSale, .notYourSale] }
}

/// Arbiters, reviews and reputations.
package struct ReputationCalls: Sendable {
    package let arbitration = APICall<NoBody, [Arbitration]>(.get, "arbitration")
        .about(
            "Get the terms on which an account is an arbiter, one for each currency; without "
                + "'account' the caller's own."
        )
        .taking(Query.account, Query.chain)
        .failing([.badAddress])
    package let arbitrate = APICall<Arbitration, Operation>(.post, "arbitration")
        .about("Register the account as an arbiter, or change the terms on which it is one.")
        .once.withFees
        .failing(.money, .chainNamed, [.badTerms, .badAddress])
    package let previewArbitrate = APICall<Arbitration, ActionPreview>(
        preview: "arbitration",
        of: "registering as an arbiter"
    )
    .failing(.chainNamed, [.badTerms, .badAddress])
    package let review = APICall<ReviewDraft, Review>(.post, "reviews")
        .about("Review a finished sale.")
        .created
        .failing(.review, .locked, [.clockWrong])
    package let previewReview = APICall<ReviewDraft, ActionPreview>(
        preview: "reviews",
        of: "a review"
    )
    .failing(.review)
    package let reviews = APICall<NoBody, Page<Review>>(.get, "reviews", .reader)
        .about("List the reviews of a listing, an account or a sale, newest first.")
        .taking(Query.listing, Query.account, Query.sale, Query.limit, Query.after)
        .failing([.unknownSale, .unknownListing, .badAddress])
    package let reputation = APICall<NoBody, Reputation>(.get, "reputation", .reader)
        .about("Get an account's record on the chains, and the average of its reviews.")
        .taking(Query.account)
        .failing([.badAddress])
}

extension Set<ProblemCode> {
    fileprivate static var review: Self {
        [.unknownSale, .reviewRefused, .alreadyReviewed, .notFinalYet]
    }
}
