extension CoursesContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 12.
    package static let clearSigning = ClearSigningTexts.money + texts

    private static let texts = ClearSigningTexts(
        [
            ClearSigningField("salt", "Listing", .plain),
            ClearSigningField("promise", "Hash of the listing's text", .plain),
            ClearSigningField("id", "Course", .plain),
            ClearSigningField("round", "Round, counted from 0", .plain),
            ClearSigningField("terms.currency", "Currency", .address),
            ClearSigningField("terms.price", "Price", .amount(currency: "terms.currency")),
            ClearSigningField("terms.seats", "Seats", .plain),
            ClearSigningField("terms.start", "Starts", .date),
            ClearSigningField("terms.end", "Ends", .date),
            ClearSigningField("terms.begin_grace", "Begins at most this much later", .duration),
            ClearSigningField("terms.rating_window", "Time to rate after the end", .duration),
            ClearSigningField("points.[0]", "Preparation", .plain),
            ClearSigningField("points.[1]", "Content", .plain),
            ClearSigningField("points.[2]", "Delivery", .plain),
            ClearSigningField("points.[3]", "Communication", .plain),
            ClearSigningField("points.[4]", "Overall", .plain),
            ClearSigningField("@.value", "Paid now", .native),
        ],
        [
            ClearSigningCall("open", "Offer a course", offered),
            ClearSigningCall("repeat", "Offer another round of a course", ["id"] + offered),
            ClearSigningCall("enrol", "Pay for a seat in a course", round + ["@.value"]),
            ClearSigningCall("leave", "Give your seat back for the price", round),
            ClearSigningCall("begin", "Begin a course; students can no longer be refunded", round),
            ClearSigningCall("cancel", "Cancel a round; its students get their money back", round),
            ClearSigningCall("refund", "Get your money of a cancelled round back", round),
            ClearSigningCall(
                "evaluate",
                "Rate a course, from 0 to 100 points; it cannot be changed",
                ["id", "round"] + (0..<5).map { "points.[\($0)]" }
            ),
            ClearSigningCall("settle", "Pay the teacher of a round", round),
        ]
    )

    private static let offered = [
        "terms.price", "terms.seats", "terms.start", "terms.end", "terms.begin_grace",
        "terms.rating_window",
    ]

    private static let round = ["id", "round", "terms.price", "terms.start", "terms.end"]
}
