import Client

extension APISchemas {
    /// Examples of reports and blocks.
    static var moderationExamples: [any Codable] {
        [
            BlockedAccount(account: address, since: time), BlockRequest(account: address),
            ReportDraft(account: address, listing: listing, review: hash, text: "A copy."),
            Report(
                id: hash,
                conversation: hash,
                sender: address,
                account: address,
                listing: listing,
                title: "Red bicycle",
                review: hash,
                text: "A copy.",
                sentAt: time,
                state: "received",
                answer: "Thank you."
            ),
        ]
    }
}
