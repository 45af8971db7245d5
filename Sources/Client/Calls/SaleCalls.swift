/// Sales, and what their parties do.
package struct SaleCalls: Sendable {
    package let list = APICall<NoBody, Page<Sale>>(.get, "sales")
        .about("List the account's sales, most recently changed first.")
        .taking(Query.list, Query.phase, Query.byDeadline, Query.replaced, Query.limit, Query.after)
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
    package let sent = APICall<SentNotice, NoBody>(.put, "sales/{id}/sent")
        .about(
            "Tell the buyer, sealed, that the item was sent, or is ready to be picked up, if the "
                + "sale ended with its payment; in others the move 'transfer' does. The same again "
                + "changes nothing."
        )
        .failing(.ownSale, .locked, [.notAllowed, .notFinalYet, .mediaNoRoom])
    package let work = APICall<NoBody, FileBody>(.get, "sales/{id}/work")
        .about(
            "Get the file that the account bought, once the seller has delivered its key; it is "
                + "checked against its identifier."
        )
        .taking(Query.actAs)
        .failing(.ownSale, .locked, [.unknownMedia, .unknownListing, .notAsPromised])
        .failing([.mediaNoRoom, .tooManyTries])
    package let picture = APICall<NoBody, FileBody>(.get, "sales/{id}/picture")
        .about(
            "Get a picture of a note in a sale, decrypted and re-encoded, if the account has sent or "
                + "received the note."
        )
        .taking(Query.picture, Query.actAs)
        .failing(.locked, [.unknownSale, .unknownMedia, .badMedia, .mediaUnavailable])
        .failing([.mediaNoRoom])
}

extension StoaClient {
    /// Returns one page of the account's sales, most recently moved first.
    ///
    /// The account is seller, buyer or arbiter in them. At most `limit` sales, which is at most
    /// 100, after the ``Page/next`` of the page before; a sale that moves in the meantime is on the
    /// first page. With `phase`, only sales in that phase. With `list`, only sales of that list:
    /// `running` (somebody has bought), `bids` (sales in which the account bids), `postings` (what
    /// it offers, and what ended unsold), `purchases` (running ones too), `sold`, `to_review`
    /// (ended within 30 days and not reviewed by the account), `to_send` (ended with its payment,
    /// and the seller has not said that the item was sent), or `to_collect` (credited to it and not
    /// collected). Sales that the account ended and listed again, as at another price, are there
    /// only with `showsReplaced`.
    public func sales(
        list: String? = nil,
        phase: String? = nil,
        byDeadline: Bool = false,
        showsReplaced: Bool = false,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Sale> {
        try await call(
            API.sales.list,
            query: [
                Query.list(list), Query.phase(phase), Query.byDeadline(byDeadline),
                Query.replaced(showsReplaced), Query.limit(limit), Query.after(after),
            ]
        )
    }

    public func sale(_ id: String) async throws -> Sale {
        try await call(API.sales.sale, at: id)
    }

    /// Tells the buyer, sealed, that the item was sent, or is ready to be picked up, if the sale
    /// ended with its payment.
    ///
    /// In others the move `transfer` does.
    public func tellSent(_ notice: SentNotice, forSale sale: String) async throws {
        try await call(API.sales.sent, at: sale, notice)
    }

    /// Returns the content with which the account can sell again what it bought in a sale.
    ///
    /// It has the words, files, type, identifier and token of that sale; set price and terms. The
    /// type, the identifier and the token must stay.
    public func resale(of sale: String) async throws -> ListingContent {
        try await call(API.sales.resale, at: sale).content
    }

    /// Buys: pays the price, and the deposit if its kind of sale has one.
    public func buy(
        _ purchase: Purchase,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.sales.buy, purchase, feeMax: feeMax, key: key)
    }

    public func preview(_ purchase: Purchase) async throws -> ActionPreview {
        try await call(API.sales.previewBuy, purchase)
    }

    /// Makes a move in a sale; ``Sale/actions`` lists the moves that are open.
    public func move(
        sale id: String,
        _ move: SaleMove,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.sales.move, at: id, move, feeMax: feeMax, key: key)
    }

    public func preview(sale id: String, _ move: SaleMove) async throws -> ActionPreview {
        try await call(API.sales.previewMove, at: id, move)
    }

    /// Returns one page of the students of a round, those who enrolled first first.
    ///
    /// - Parameters:
    ///   - sale: The course's sale.
    ///   - round: The number of the round, from 0; the last one if it is `nil`.
    ///   - limit: The maximum number of students, at most 100.
    ///   - after: The ``Page/next`` of the page before.
    /// - Returns: The students.
    /// - Throws: ``Problem`` or ``ClientError``.
    public func students(
        of sale: String,
        round: UInt64? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Student> {
        try await call(
            API.sales.students,
            at: sale,
            query: [
                Query.round(round.map { Int(clamping: $0) }), Query.limit(limit),
                Query.after(after),
            ]
        )
    }

    /// Returns one page of the account's own list of a round that it teaches: all students, then
    /// the applicants without a seat.
    ///
    /// - Parameters: As those of ``students(of:round:limit:after:)``.
    /// - Returns: The entries.
    /// - Throws: ``Problem`` or ``ClientError``; the account has to be the teacher's.
    public func attendance(
        of sale: String,
        round: UInt64? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Attendance> {
        try await call(
            API.sales.attendance,
            at: sale,
            query: [
                Query.round(round.map { Int(clamping: $0) }), Query.limit(limit),
                Query.after(after),
            ]
        )
    }

    /// Changes the account's own list of a round that it teaches.
    public func mark(_ marks: AttendanceMarks, in sale: String) async throws {
        try await call(API.sales.mark, at: sale, marks)
    }

    /// Sends the seller of a sale the address to which the item goes, sealed.
    public func disclose(
        _ disclosure: AddressDisclosure,
        forSale sale: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.sales.disclose, at: sale, disclosure, key: key)
    }

    /// Returns the file of a sale to its buyer, once the seller has delivered its key.
    ///
    /// The node has checked it against the identifier that the seller committed to.
    public func boughtWork(ofSale sale: String) async throws -> BoughtWork {
        var call = try Call(API.sales.work.facts, at: sale)
        call.answerBytesMax = Self.mediaBytesMax
        let content = try await exchange.content(of: call)
        let parts = content.location?.split(separator: "/").map(String.init) ?? []
        return BoughtWork(
            name: content.name ?? "work",
            bytes: content.bytes,
            sale: parts.count == 4 && parts.last == "work" ? parts[2] : nil
        )
    }

    /// Returns a picture of a note in a sale, as ``Sale/Step/pictures`` names it, to the accounts
    /// that sent or received the note.
    ///
    /// The node gets it from its peers if it does not have it, and encodes it again.
    public func picture(_ id: String, ofSale sale: String) async throws -> MediaContent {
        var call = try Call(API.sales.picture.facts, at: sale, query: [Query.picture(id)])
        call.answerBytesMax = Self.mediaBytesMax
        return try await exchange.content(of: call)
    }
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
    package let reviews = APICall<NoBody, Page<Review>>(.get, "reviews", .localOrReader)
        .about("List the reviews of a listing, an account or a sale, newest first.")
        .taking(Query.listing, Query.account, Query.sale, Query.limit, Query.after)
        .failing([.unknownSale, .unknownListing, .badAddress])
    package let reputation = APICall<NoBody, Reputation>(.get, "reputation", .localOrReader)
        .about("Get an account's record on the chains, and the average of its reviews.")
        .taking(Query.account)
        .failing([.badAddress])
}

extension StoaClient {
    /// Returns the terms on which an account is an arbiter, one for each currency.
    ///
    /// Empty if it has not registered. `account` is an address or a name; without it, the signed-in
    /// account's terms are returned.
    public func arbitration(
        of account: String? = nil,
        chain: UInt64? = nil
    ) async throws -> [Arbitration] {
        try await call(
            API.reputation.arbitration,
            query: [Query.account(account), Query.chain(chain)]
        )
    }

    /// Registers the account as an arbiter, or changes the terms on which it is one.
    public func register(
        _ arbitration: Arbitration,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.reputation.arbitrate, arbitration, feeMax: feeMax, key: key)
    }

    public func preview(_ arbitration: Arbitration) async throws -> ActionPreview {
        try await call(API.reputation.previewArbitrate, arbitration)
    }

    /// Publishes a review; the node refuses one by an account that was not a party to the sale.
    public func review(_ draft: ReviewDraft) async throws -> Review {
        try await call(API.reputation.review, draft)
    }

    public func preview(_ draft: ReviewDraft) async throws -> ActionPreview {
        try await call(API.reputation.previewReview, draft)
    }

    /// Returns one page of reviews, newest first.
    ///
    /// At most `limit` reviews, which is at most 100, after the ``Page/next`` of the page before.
    public func reviews(
        _ scope: ReviewScope,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Review> {
        let query =
            switch scope {
            case .listing(let id): Query.listing(id)
            case .account(let address): Query.account(address)
            case .sale(let id): Query.sale(id)
            }
        return try await call(
            API.reputation.reviews,
            query: [query, Query.limit(limit), Query.after(after)]
        )
    }

    /// Returns an account's record on the node's chains, and the average of its reviews.
    ///
    /// - Parameter account: Its address, or a name that the caller knows.
    /// - Returns: Its reputation, which is empty for an account that was in no sale.
    /// - Throws: ``Problem`` with `bad_address` or `ambiguous_id`.
    public func reputation(of account: String) async throws -> Reputation {
        try await call(API.reputation.reputation, query: [Query.account(account)])
    }
}

extension Set<ProblemCode> {
    fileprivate static var review: Self {
        [.unknownSale, .reviewRefused, .alreadyReviewed, .notFinalYet]
    }
}
