/// A call of the API, as the OpenAPI document describes it.
struct APIOperation: Sendable {
    let method: String
    /// The path below `/v1`, with `{names}` for its variable parts.
    let path: String
    let about: String
    let access: Access
    /// The name of the schema of the request's body.
    let takes: String?
    /// The name of the schema of the answer's body; `[Name]` for a list, `Page[Name]` for a page.
    let gives: String?
    let status: Int
    let query: [String]
    /// Whether the call requires `Idempotency-Key`.
    let isOnce: Bool
    /// Whether the request's body is a file.
    let takesFile: Bool
    /// Whether the answer's body is a file.
    let givesFile: Bool

    init(
        _ method: String,
        _ path: String,
        _ about: String,
        _ access: Access = .account,
        takes: String? = nil,
        gives: String? = nil,
        status: Int = 200,
        query: [String] = [],
        isOnce: Bool = false,
        takesFile: Bool = false,
        givesFile: Bool = false
    ) {
        (self.method, self.path, self.about, self.access) = (method, path, about, access)
        (self.takes, self.gives, self.status) = (takes, gives, status)
        (self.query, self.isOnce) = (query, isOnce)
        (self.takesFile, self.givesFile) = (takesFile, givesFile)
    }
}

extension APIOperation {
    /// All calls of the API; a test compares this list with the router.
    static let all =
        accounts + wallets + wallet + market + media + search + previews + chat + devices + hiding
        + saved
        + node

    private static let accounts = [
        APIOperation(
            "post",
            "accounts",
            "Create an account, or recover one. The recovery phrase is shown only in this answer.",
            .newcomer,
            takes: "AccountCreation",
            gives: "CreatedAccount",
            status: 201
        ),
        APIOperation("get", "accounts", "List the node's accounts.", .local, gives: "[Account]"),
        APIOperation(
            "post",
            "accounts/{id}/remove",
            "Remove an account from this node: its key, its mail and all its other data here.",
            .anyone,
            takes: "AccountRemoval",
            status: 204
        ),
        APIOperation(
            "post",
            "accounts/import",
            "Create an account with a private key, or with the key of a keystore file.",
            .local,
            takes: "AccountImport",
            gives: "Account",
            status: 201
        ),
        APIOperation(
            "post",
            "accounts/{id}/password",
            "Set a new password, with the old one, the recovery phrase or the private key. Ends all "
                + "sessions of the account.",
            .local,
            takes: "PasswordChange",
            status: 204
        ),
        APIOperation(
            "post",
            "accounts/{id}/keystore",
            "Get the account's keystore file, which its password opens in other wallets too.",
            .local,
            takes: "PasswordProof",
            gives: "ExportedKeystore"
        ),
        APIOperation(
            "post",
            "accounts/{id}/key",
            "Get the account's private key. Anybody who has it controls the account.",
            .local,
            takes: "PasswordProof",
            gives: "RevealedKey"
        ),
        APIOperation(
            "post",
            "sessions",
            "Sign in: unlocks the account and returns a session token.",
            .anyone,
            takes: "SignIn",
            gives: "Session",
            status: 201
        ),
        APIOperation("get", "sessions/current", "Get the signed-in account.", gives: "Account"),
        APIOperation("delete", "sessions/current", "Sign out.", status: 204),
        APIOperation(
            "get",
            "operations",
            "List the account's operations, newest first.",
            gives: "Page[Operation]",
            query: ["limit", "after"]
        ),
        APIOperation("get", "operations/{id}", "Get an operation.", gives: "Operation"),
        APIOperation(
            "post",
            "operations/{id}/speed-up",
            "Speed up the transaction that waits to be mined, by paying more for it.",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"]
        ),
        APIOperation(
            "post",
            "operations/{id}/cancel",
            "Cancel the transaction that waits to be mined, or drop one that is not signed yet.",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"]
        ),
        APIOperation(
            "get",
            "events",
            "Receive events over a WebSocket: the account's, or those of records the node receives.",
            gives: "Event",
            status: 101,
            query: ["after", "of"]
        ),
    ]

    private static let market = [
        APIOperation(
            "post",
            "listings",
            "List an item for sale: mints its token, locks the deposit, publishes the listing.",
            takes: "ListingContent",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"],
            isOnce: true
        ),
        APIOperation(
            "get",
            "listings/{id}",
            "Get a listing.",
            .reader,
            gives: "Listing",
            query: ["onSale"]
        ),
        APIOperation(
            "put",
            "listings/{id}",
            "Change a listing.",
            takes: "ListingContent",
            gives: "Operation",
            status: 202,
            isOnce: true
        ),
        APIOperation(
            "delete",
            "listings/{id}",
            "Withdraw a listing.",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed", "acceptsOneSource"],
            isOnce: true
        ),
        APIOperation(
            "get",
            "sales",
            "List the account's sales, the one that changed last first.",
            gives: "Page[Sale]",
            query: ["list", "phase", "limit", "after"]
        ),
        APIOperation(
            "get",
            "sales/{id}",
            "Get a sale, as this node reads it from the chain.",
            .reader,
            gives: "Sale"
        ),
        APIOperation(
            "get",
            "sales/{id}/students",
            "List the students of a round, as the chain shows them to everybody; the last round "
                + "without 'round'.",
            .reader,
            gives: "Page[Student]",
            query: ["round", "limit", "after"]
        ),
        APIOperation(
            "get",
            "sales/{id}/attendance",
            "Get the teacher's own list of a round: who was present in which session, and notes.",
            gives: "Page[Attendance]",
            query: ["round", "limit", "after"]
        ),
        APIOperation(
            "put",
            "sales/{id}/attendance",
            "Change the teacher's own list of a round; the same change again changes nothing.",
            takes: "AttendanceMarks",
            status: 204
        ),
        APIOperation(
            "get",
            "items",
            "Get the history of one token, or of the tokens that were sold for an identifier; give "
                + "one of the two.",
            .reader,
            gives: "[Item]",
            query: ["token", "identifier", "chain"]
        ),
        APIOperation(
            "get",
            "identifiers",
            "Look for listings and tokens with an identifier, before something is listed.",
            .reader,
            gives: "IdentifierCheck",
            query: ["identifier", "chain"]
        ),
        APIOperation(
            "post",
            "sales",
            "Buy what is listed, bid for it, or take a seat in it.",
            takes: "Purchase",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"],
            isOnce: true
        ),
        APIOperation(
            "post",
            "sales/{id}/moves",
            "Make a move in a sale.",
            takes: "SaleMove",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"],
            isOnce: true
        ),
        APIOperation(
            "get",
            "arbitration",
            "Get the terms on which an account is an arbiter, one for each currency; without "
                + "'account' the caller's own.",
            gives: "[Arbitration]",
            query: ["account", "chain"]
        ),
        APIOperation(
            "post",
            "arbitration",
            "Register the account as an arbiter, or change the terms on which it is one.",
            takes: "Arbitration",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"],
            isOnce: true
        ),
        APIOperation(
            "post",
            "reviews",
            "Review a finished sale.",
            takes: "ReviewDraft",
            gives: "Review",
            status: 201
        ),
        APIOperation(
            "get",
            "reviews",
            "List the reviews of a listing, an account or a sale, newest first.",
            .reader,
            gives: "Page[Review]",
            query: ["listing", "account", "sale", "limit", "after"]
        ),
        APIOperation(
            "get",
            "reputation",
            "Get what the chains show of an account, and the average of its reviews.",
            .reader,
            gives: "Reputation",
            query: ["account"]
        ),
    ]

    private static let chat = [
        APIOperation(
            "post",
            "conversations",
            "Open a conversation.",
            takes: "ConversationOpening",
            gives: "Conversation",
            status: 201
        ),
        APIOperation(
            "get",
            "conversations",
            "List the account's conversations, the one that changed last first; requests=true "
                + "lists those that strangers began and that are not answered.",
            gives: "Page[Conversation]",
            query: ["requests", "limit", "after"]
        ),
        APIOperation("delete", "conversations/{id}", "Delete a conversation.", status: 204),
        APIOperation(
            "post",
            "conversations/{id}/accept",
            "Accept a conversation: its other side becomes a known sender.",
            status: 204
        ),
        APIOperation(
            "get",
            "conversations/{id}/messages",
            "List the messages before the one named, newest last; 'next' is the next 'before'.",
            gives: "Page[Message]",
            query: ["limit", "before"]
        ),
        APIOperation(
            "post",
            "conversations/{id}/messages",
            "Send a message.",
            takes: "MessageDraft",
            gives: "Message",
            status: 201,
            isOnce: true
        ),
        APIOperation(
            "post",
            "reports",
            "Report a listing, a review or an account to the account that the node's operator names, "
                + "or tell it something about the node, as sealed mail.",
            takes: "ReportDraft",
            gives: "Report",
            status: 201,
            isOnce: true
        ),
        APIOperation(
            "get",
            "reports",
            "List the reports that the account got, newest first; sent=true lists those it sent.",
            gives: "Page[Report]",
            query: ["sent", "limit", "after"]
        ),
        APIOperation(
            "post",
            "conversations/{id}/read",
            "Mark a message as read, and all that arrived before it.",
            takes: "ReadThrough",
            status: 204
        ),
        APIOperation("get", "homes", "List nodes that keep the account's mail.", gives: "[Home]"),
        APIOperation(
            "post",
            "homes",
            "Ask a node to keep the account's mail.",
            takes: "HomeRequest",
            gives: "Home",
            status: 201
        ),
        APIOperation(
            "delete",
            "homes/{id}",
            "Stop a node, named by its peer id, from keeping the account's mail.",
            status: 204
        ),
    ]

    private static let node = [
        APIOperation("get", "node", "Get the node's status.", .local, gives: "NodeStatus"),
        APIOperation("get", "chains", "List the node's chains.", .local, gives: "[ChainStatus]"),
        APIOperation(
            "get",
            "names",
            "List the names of accounts that the caller can use: its contacts and, on the node's "
                + "own machine, this node's accounts.",
            .reader,
            gives: "[AccountName]"
        ),
        APIOperation("get", "peers", "List the peers this node knows.", .operator, gives: "[Peer]"),
        APIOperation(
            "post",
            "peers",
            "Connect to a peer, and keep connected while the node runs.",
            .operator,
            takes: "PeerAddress",
            gives: "Peer"
        ),
        APIOperation("get", "openapi.json", "Get this document.", .anyone),
    ]
}
