/// A call of the API without its types.
package struct CallFacts: Sendable {
    package enum Method: String, Sendable {
        case get, post, put, delete
    }

    package let method: Method
    /// The path below `/v1`, with `{id}` for its variable part.
    package let path: String
    package let access: Access
    /// The type of the request's body.
    package let input: any (Codable & Sendable).Type
    /// The type of the answer's body.
    package let output: any (Codable & Sendable).Type
    /// The status of a good answer.
    package internal(set) var status: Int
    package internal(set) var summary = ""
    package internal(set) var query: [any QueryParameter] = []
    /// Whether the call requires `Idempotency-Key`.
    package internal(set) var isOnce = false
    /// Whether the call keeps the session from going idle.
    package internal(set) var isUse = true
    var ownProblems: Set<ProblemCode> = []

    /// Whether the request's body is JSON.
    package var takesJSON: Bool { input != NoBody.self && !takesFile }
    package var takesFile: Bool { input == FileBody.self }
    package var givesFile: Bool { output == FileBody.self }
    package var isSocket: Bool { status == 101 }

    /// Whether the account's key signs a transaction for it, which a page's session needs a recent
    /// password for; a wallet outside the node asks by itself.
    package var movesMoney: Bool {
        output == Operation.self && method != .get && !path.hasPrefix("signatures")
    }

    /// Whether the call needs one of the node's chains, or says how they are.
    package var readsChain: Bool { Self.chainRoots.contains(String(path.prefix { $0 != "/" })) }

    private static let chainRoots: Set<String> = [
        "arbitration", "categories", "chains", "currencies", "identifiers", "items", "listings",
        "offers", "operations", "reputation", "reviews", "rows", "sales", "signatures", "wallet",
    ]

    /// The problems that can answer the call.
    package var problems: Set<ProblemCode> {
        var codes = ownProblems.union([
            .malformedValue, .signInNeeded, .strangeHost, .strangeOrigin, .internalError,
            .storeFull, .shuttingDown,
        ])
        if [.local, .newcomer, .operator].contains(access) { codes.insert(.operatorNeeded) }
        if path.contains("{") { codes.formUnion([.notFound, .ambiguousID]) }
        if takesJSON || !query.isEmpty { codes.insert(.ambiguousID) }
        if takesJSON { codes.insert(.malformedJSON) }
        if takesJSON || takesFile { codes.formUnion([.bodyTooLarge, .unsupportedMediaType]) }
        if takes(Query.feeMax) { codes.insert(.badAmount) }
        if movesMoney { codes.insert(.passwordNeeded) }
        if takes(Query.chain) { codes.formUnion([.unknownChain, .ambiguousChain]) }
        if isOnce { codes.formUnion([.keyNeeded, .keyReused, .inProgress, .nodeLocked]) }
        if readsChain {
            codes.formUnion([.chainAway, .wrongChain, .wrongMarket, .chainStale])
        }
        return codes
    }

    private func takes(_ parameter: any QueryParameter) -> Bool {
        query.contains { $0.name == parameter.name }
    }
}

/// Problems that several calls have.
extension Set<ProblemCode> {
    /// Of a call that names a chain.
    static var chainNamed: Self { [.unknownChain, .ambiguousChain] }

    /// Of a call that pays.
    static var money: Self {
        [.insufficientBalance, .contractRefused, .moveNotOpen, .badAmount, .feeAboveLimit]
    }

    /// Of a call that needs the account's key in memory.
    static var locked: Self { [.nodeLocked, .signsElsewhere] }

    /// Of a call that sends mail.
    static var recipient: Self {
        [
            .badAddress, .unknownRecipient, .unknownListing, .notAllowed, .nodeLocked,
            .signsElsewhere,
        ]
    }

    /// Of a call that asks for a password or a key.
    static var proof: Self { [.wrongPassword, .tooManyTries, .signsElsewhere] }
}
