extension APIOperation {
    /// Blocked accounts, and lists that hide listings from those who follow them.
    static let hiding = [
        APIOperation("get", "blocked", "List blocked accounts.", gives: "[BlockedAccount]"),
        APIOperation(
            "post",
            "blocked",
            "Block an account: its messages are dropped, and its listings are hidden.",
            takes: "BlockRequest",
            gives: "BlockedAccount",
            status: 201
        ),
        APIOperation("delete", "blocked/{id}", "Unblock an account.", status: 204),
        APIOperation(
            "get",
            "curations",
            "List the lists that hide listings, newest first: all here, or an author's.",
            .reader,
            gives: "Page[Curation]",
            query: ["author", "limit", "after"]
        ),
        APIOperation("get", "curations/{id}", "Get a list.", .reader, gives: "Curation"),
        APIOperation(
            "post",
            "curations",
            "Publish a list, in place of the account's earlier one of the same name.",
            takes: "CurationDraft",
            gives: "Curation",
            status: 201
        ),
        APIOperation("delete", "curations/{id}", "Withdraw an own list.", status: 204),
        APIOperation(
            "get",
            "subscriptions",
            "List the lists that the account follows.",
            gives: "[Curation]"
        ),
        APIOperation(
            "post",
            "subscriptions",
            "Follow a list: it hides listings from the account.",
            takes: "Subscription",
            gives: "Curation",
            status: 201
        ),
        APIOperation("delete", "subscriptions/{id}", "Stop following a list.", status: 204),
        APIOperation(
            "get",
            "hidden",
            "List what is hidden from the account, by whom and why.",
            gives: "[HiddenEntry]"
        ),
    ]
}
