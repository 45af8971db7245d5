/// One call of the API, as its document describes it.
struct APIOperation: Sendable {
    let method: String
    /// Below `/v1`, with `{names}` for what varies.
    let path: String
    let about: String
    let access: Access
    /// The schema of the request's body.
    let takes: String?
    /// The schema of the answer's body; `[Name]` for a list of them, `Page[Name]` for a page.
    let gives: String?
    let status: Int
    let query: [String]
    /// Whether `Idempotency-Key` is needed.
    let isOnce: Bool

    init(
        _ method: String,
        _ path: String,
        _ about: String,
        _ access: Access = .account,
        takes: String? = nil,
        gives: String? = nil,
        status: Int = 200,
        query: [String] = [],
        isOnce: Bool = false
    ) {
        (self.method, self.path, self.about, self.access) = (method, path, about, access)
        (self.takes, self.gives, self.status) = (takes, gives, status)
        (self.query, self.isOnce) = (query, isOnce)
    }
}

extension APIOperation {
    /// Every call there is; a test holds this list against the router.
    static let all = accounts + market + previews + chat + node

    private static let accounts = [
        APIOperation(
            "post",
            "accounts",
            "Make an account, or recover one; the phrase is shown this once.",
            .newcomer,
            takes: "AccountCreation",
            gives: "CreatedAccount",
            status: 201
        ),
        APIOperation("get", "accounts", "The node's accounts.", .local, gives: "[Account]"),
        APIOperation(
            "post",
            "accounts/{id}/remove",
            "Remove an account from this node: its key, its mail and all it keeps here.",
            .anyone,
            takes: "AccountRemoval",
            status: 204
        ),
        APIOperation(
            "post",
            "sessions",
            "Sign in: unlocks the account and gives a token.",
            .anyone,
            takes: "SignIn",
            gives: "Session",
            status: 201
        ),
        APIOperation("get", "sessions/current", "Who is signed in.", gives: "Account"),
        APIOperation("delete", "sessions/current", "Sign out.", status: 204),
        APIOperation("get", "wallet", "Balances and credits.", gives: "Wallet"),
        APIOperation(
            "post",
            "wallet/collect",
            "Withdraw every credit.",
            gives: "Operation",
            status: 202,
            query: ["feeMax"],
            isOnce: true
        ),
        APIOperation(
            "post",
            "wallet/acknowledge",
            "Resume sending after another program used the account's key.",
            status: 204
        ),
        APIOperation(
            "get",
            "operations",
            "Long work, latest first.",
            gives: "Page[Operation]",
            query: ["limit", "after"]
        ),
        APIOperation("get", "operations/{id}", "One operation.", gives: "Operation"),
        APIOperation(
            "post",
            "operations/{id}/speed-up",
            "Pay more for the transaction that waits to be mined.",
            gives: "Operation",
            status: 202,
            query: ["feeMax"]
        ),
        APIOperation(
            "post",
            "operations/{id}/cancel",
            "Have nothing happen in place of the transaction that waits to be mined.",
            gives: "Operation",
            status: 202,
            query: ["feeMax"]
        ),
        APIOperation(
            "get",
            "events",
            "What happens, as a WebSocket.",
            gives: "Event",
            status: 101,
            query: ["after"]
        ),
    ]

    private static let market = [
        APIOperation(
            "post",
            "listings",
            "List an item: mints it, locks the deposit, publishes the listing.",
            takes: "ListingContent",
            gives: "Operation",
            status: 202,
            query: ["feeMax"],
            isOnce: true
        ),
        APIOperation(
            "get",
            "listings",
            "Find listings; with over=true also those that are sold or over. Prices are of one "
                + "currency, 'native' or a token's address.",
            .reader,
            gives: "Page[Listing]",
            query: [
                "search", "category", "author", "currency", "priceMin", "priceMax", "over",
                "limit", "after",
            ]
        ),
        APIOperation("get", "listings/{id}", "One listing.", .reader, gives: "Listing"),
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
            "Take a listing back.",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "acceptsOneSource"],
            isOnce: true
        ),
        APIOperation(
            "get",
            "sales",
            "The account's sales, the latest moved first.",
            gives: "Page[Sale]",
            query: ["phase", "limit", "after"]
        ),
        APIOperation(
            "get",
            "sales/{id}",
            "One sale, from this node's own chain.",
            .reader,
            gives: "Sale"
        ),
        APIOperation(
            "post",
            "sales",
            "Buy.",
            takes: "Purchase",
            gives: "Operation",
            status: 202,
            query: ["feeMax"],
            isOnce: true
        ),
        APIOperation(
            "post",
            "sales/{id}/moves",
            "Make a move in a sale.",
            takes: "SaleMove",
            gives: "Operation",
            status: 202,
            query: ["feeMax"],
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
            "Reviews of a listing, an account or a sale.",
            .reader,
            gives: "Page[Review]",
            query: ["listing", "account", "sale"]
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
            "The account's conversations, the latest changed first; with requests=true those that "
                + "strangers began and that are not answered.",
            gives: "Page[Conversation]",
            query: ["requests", "limit", "after"]
        ),
        APIOperation("delete", "conversations/{id}", "Delete a conversation.", status: 204),
        APIOperation(
            "post",
            "conversations/{id}/accept",
            "Take its other side's messages as a known sender's.",
            status: 204
        ),
        APIOperation("get", "blocked", "Blocked accounts.", gives: "[BlockedAccount]"),
        APIOperation(
            "post",
            "blocked",
            "Block an account: its messages are dropped.",
            takes: "BlockRequest",
            gives: "BlockedAccount",
            status: 201
        ),
        APIOperation("delete", "blocked/{id}", "Let an account write again.", status: 204),
        APIOperation(
            "get",
            "conversations/{id}/messages",
            "The last messages before the one named, latest last; 'next' is what 'before' takes.",
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
        APIOperation("post", "conversations/{id}/read", "Mark all as read.", status: 204),
        APIOperation("get", "homes", "Nodes that keep the account's mail.", gives: "[Home]"),
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
            "Have a node, named by its peer id, keep the account's mail no longer.",
            status: 204
        ),
    ]

    private static let node = [
        APIOperation("get", "node", "How the node is doing.", .local, gives: "NodeStatus"),
        APIOperation("get", "chains", "The node's chains.", .local, gives: "[ChainStatus]"),
        APIOperation(
            "get",
            "names",
            "What the caller knows accounts as: those of this node, if it asks on its own machine, "
                + "and its contacts.",
            .reader,
            gives: "[AccountName]"
        ),
        APIOperation("get", "peers", "Peers this node knows.", .operator, gives: "[Peer]"),
        APIOperation(
            "post",
            "peers",
            "Link to a peer, and keep linked to it while the node runs.",
            .operator,
            takes: "PeerAddress",
            gives: "Peer"
        ),
        APIOperation("get", "openapi.json", "This document.", .anyone),
    ]
}

extension APIOperation {
    /// The call of a method and path; `nil` if there is none.
    ///
    /// `HEAD` asks what `GET` would answer.
    static func find(_ method: String, at path: String) -> APIOperation? {
        let method = method.uppercased() == "HEAD" ? "GET" : method.uppercased()
        return found(at: path).first { $0.method.uppercased() == method }
    }

    /// The methods that a path takes, as an answer names them; none where there is no such path.
    static func methods(at path: String) -> [String] {
        let methods = Set(found(at: path).map { $0.method.uppercased() })
        return (methods.contains("GET") ? methods.union(["HEAD"]) : methods).sorted()
    }

    /// The calls of a path, by the parts between its slashes as the router sees them.
    private static func found(at path: String) -> [APIOperation] {
        let parts = path.split(separator: "/")
        guard parts.first == "v1" else { return [] }
        let wanted = parts.dropFirst()
        let found = all.filter { operation in
            let own = operation.path.split(separator: "/")
            return own.count == wanted.count
                && zip(own, wanted).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
        // A path that is written out goes before one with an id in that place.
        let exact = found.filter { $0.path == wanted.joined(separator: "/") }
        return exact.isEmpty ? found : exact
    }
}
