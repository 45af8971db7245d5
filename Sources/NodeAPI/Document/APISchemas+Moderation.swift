import Client

extension APISchemas {
    private static let entry = CurationEntry(
        account: address,
        listing: listing,
        reason: "A copy."
    )

    /// Examples of reports, of blocks, and of lists that hide.
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
            CurationDraft(name: "Copies", about: "Of others' work.", entries: [entry]),
            Curation(
                id: listing,
                author: address,
                name: "Copies",
                about: "Of others' work.",
                entries: [entry],
                createdAt: time,
                isFollowed: true
            ),
            Subscription(list: listing),
            HiddenEntry(
                account: address,
                listing: listing,
                list: listing,
                by: address,
                reason: "A copy."
            ),
        ]
    }
}
