extension CoursesContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 12.
    package static let clearSigning = ClearSigningTexts.money + texts

    private static let texts = ClearSigningTexts(
        [
            ClearSigningField("salt", "label.listing", .plain),
            ClearSigningField("promise", "label.listingHash", .plain),
            ClearSigningField("id", "label.course", .plain),
            ClearSigningField("round", "label.round", .plain),
            ClearSigningField("terms.currency", "label.currency", .address),
            ClearSigningField("terms.price", "label.price", .amount(currency: "terms.currency")),
            ClearSigningField("terms.seats", "label.seats", .plain),
            ClearSigningField("terms.start", "label.starts", .date),
            ClearSigningField("terms.end", "label.ends", .date),
            ClearSigningField("terms.begin_grace", "label.beginGrace", .duration),
            ClearSigningField("terms.rating_window", "label.ratingWindow", .duration),
            ClearSigningField("points.[0]", "label.preparation", .plain),
            ClearSigningField("points.[1]", "label.content", .plain),
            ClearSigningField("points.[2]", "label.delivery", .plain),
            ClearSigningField("points.[3]", "label.communication", .plain),
            ClearSigningField("points.[4]", "label.overall", .plain),
            ClearSigningField("@.value", "label.paid", .native),
        ],
        [
            ClearSigningCall("open", "call.offerCourse", offered),
            ClearSigningCall("repeat", "call.repeat", ["id"] + offered),
            ClearSigningCall("enrol", "call.enrol", round + ["@.value"]),
            ClearSigningCall("leave", "call.leave", round),
            ClearSigningCall("begin", "call.begin", round),
            ClearSigningCall("cancel", "call.cancelRound", round),
            ClearSigningCall("refund", "call.refundSeat", round),
            ClearSigningCall(
                "evaluate",
                "call.evaluate",
                ["id", "round"] + (0..<5).map { "points.[\($0)]" }
            ),
            ClearSigningCall("settle", "call.settleRound", round),
        ]
    )

    private static let offered = [
        "terms.price", "terms.seats", "terms.start", "terms.end", "terms.begin_grace",
        "terms.rating_window",
    ]

    private static let round = ["id", "round", "terms.price", "terms.start", "terms.end"]
}
