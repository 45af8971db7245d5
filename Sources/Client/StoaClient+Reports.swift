extension StoaClient {
    /// Reports a listing, a review or an account to the operator of the node, as sealed mail.
    public func report(
        _ draft: ReportDraft,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Report {
        try await call(API.conversations.report, draft, key: key)
    }

    /// Returns one page of the reports that the account got, or with `sent` of those it sent, the
    /// latest first.
    ///
    /// At most `limit` reports, which is at most 100, after the ``Page/next`` of the page before.
    public func reports(
        sent: Bool = false,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Report> {
        try await call(
            API.conversations.reports,
            query: [Query.sent(sent), Query.limit(limit), Query.after(after)]
        )
    }
}
