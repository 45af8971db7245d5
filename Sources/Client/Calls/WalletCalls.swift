/// The account's own money.
package struct WalletCalls: Sendable {
    package let wallet = APICall<NoBody, Wallet>(.get, "wallet")
        .about("Get the account's balances and credits on a chain.")
        .taking(Query.chain)
    package let currencies = APICall<NoBody, [CurrencyUnit]>(.get, "currencies", .localOrReader)
        .about(
            "List the currencies of the node's chains and how their amounts are written for people."
        )
        .taking(Query.chain)
    package let history = APICall<NoBody, Page<WalletMovement>>(.get, "wallet/history")
        .about("List the final movements of the account's money, newest first.")
        .taking(Query.chain, Query.limit, Query.after)
    package let send = APICall<Transfer, Operation>(.post, "wallet/send")
        .about(
            "Send money from the account to another account; the amount 'max' sends its whole "
                + "balance, less the fee."
        )
        .once.withFees
        .failing(.money, .chainNamed, [.badAddress])
    package let previewSend = APICall<Transfer, ActionPreview>(
        preview: "wallet/send",
        of: "sending money"
    )
    .failing(.chainNamed, [.badAddress])
    package let collect = APICall<CreditCollection, Operation>(.post, "wallet/collect")
        .about("Collect credits: all of them, those of one currency, or a part of these.")
        .once.withFees
        .failing(.money, .chainNamed, [.badAddress])
    package let previewCollect = APICall<CreditCollection, ActionPreview>(
        preview: "wallet/collect",
        of: "collecting credits"
    )
    .failing(.chainNamed, [.badAddress])
    package let acknowledge = APICall<NoBody, NoBody>(.post, "wallet/acknowledge")
        .about("Resume sending after another program used the account's key.")
        .failing([.moveNotOpen, .nodeLocked])
}

extension StoaClient {
    /// Returns the account's money on a chain; without `chain`, on the node's only one.
    public func wallet(chain: UInt64? = nil) async throws -> Wallet {
        try await call(API.wallet.wallet, query: [Query.chain(chain)])
    }

    /// Returns the currencies of the node's chains, the native one of each first; without `chain`,
    /// those of all.
    public func currencies(chain: UInt64? = nil) async throws -> [CurrencyUnit] {
        try await call(API.wallet.currencies, query: [Query.chain(chain)])
    }

    /// Returns one page of the movements of the account's money, newest first.
    ///
    /// At most `limit` movements, which is at most 100, after the ``Page/next`` of the page before.
    /// Those of the newest blocks are missing until they are final. Without `chain`, they are those
    /// on the node's only one.
    public func history(
        limit: Int = 20,
        after: String? = nil,
        chain: UInt64? = nil
    ) async throws -> Page<WalletMovement> {
        try await call(
            API.wallet.history,
            query: [Query.limit(limit), Query.after(after), Query.chain(chain)]
        )
    }

    /// Sends money of the account to another account.
    public func send(
        _ transfer: Transfer,
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.wallet.send, transfer, feeMax: feeMax, key: key)
    }

    public func preview(_ transfer: Transfer) async throws -> ActionPreview {
        try await call(API.wallet.previewSend, transfer)
    }

    /// Pays out money that contracts hold for the account, by default all of it to the account.
    public func collect(
        _ collection: CreditCollection = CreditCollection(),
        feeMax: String? = nil,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(API.wallet.collect, collection, feeMax: feeMax, key: key)
    }

    public func preview(_ collection: CreditCollection) async throws -> ActionPreview {
        try await call(API.wallet.previewCollect, collection)
    }

    /// Lets the node continue to sign although the account's key is used elsewhere too.
    public func acknowledgeForeignUse() async throws {
        try await call(API.wallet.acknowledge)
    }
}

/// Operations, and the events that they wait for.
package struct OperationCalls: Sendable {
    package let list = APICall<NoBody, Page<Operation>>(.get, "operations")
        .about("List the account's operations, newest first.")
        .taking(Query.limit, Query.after)
        .failing([.unknownChain])
    package let operation = APICall<NoBody, Operation>(.get, "operations/{id}")
        .about("Get an operation.")
        .failing([.unknownOperation, .unknownChain])
    package let speedUp = APICall<NoBody, Operation>(.post, "operations/{id}/speed-up")
        .about("Speed up the transaction that waits to be mined, by paying more for it.")
        .withFees
        .failing(.replacing)
    package let previewSpeedUp = APICall<NoBody, ActionPreview>(
        preview: "operations/{id}/speed-up",
        of: "speeding up a waiting transaction"
    )
    .failing([.unknownOperation, .unknownChain])
    package let cancel = APICall<NoBody, Operation>(.post, "operations/{id}/cancel")
        .about("Cancel the transaction that waits to be mined, or drop one that is not signed yet.")
        .withFees
        .failing(.replacing)
    package let previewCancel = APICall<NoBody, ActionPreview>(
        preview: "operations/{id}/cancel",
        of: "cancelling a waiting transaction"
    )
    .failing([.unknownOperation, .unknownChain])
    package let signatures = APICall<NoBody, [SignatureRequest]>(.get, "signatures")
        .about(
            "List what waits for a signature of the account's wallet outside the node, the oldest "
                + "first."
        )
    package let signature = APICall<NoBody, SignatureRequest>(.get, "signatures/{id}")
        .about(
            "Get an operation's signature request: a transaction or typed data, and its meaning in "
                + "words."
        )
        .failing([.unknownOperation, .moveNotOpen])
    package let sign = APICall<SignatureAnswer, Operation>(.post, "signatures/{id}")
        .about(
            "Submit the wallet's answer for an operation: the signature, the signed transaction, "
                + "or the hash of the transaction that it has sent."
        )
        .failing([
            .unknownOperation, .moveNotOpen, .badSignature, .badListing, .notAsPromised,
            .clockWrong,
        ])
}

extension StoaClient {
    /// Returns one page of the account's operations, newest first.
    ///
    /// At most `limit` operations, which is at most 100, after the ``Page/next`` of the page
    /// before.
    public func operations(limit: Int = 20, after: String? = nil) async throws -> Page<Operation> {
        try await call(API.operations.list, query: [Query.limit(limit), Query.after(after)])
    }

    public func operation(_ id: String) async throws -> Operation {
        try await call(API.operations.operation, at: id)
    }

    /// Raises the fee of the operation's transaction that waits to be mined.
    ///
    /// - Throws: ``Problem`` with `move_not_open` if none waits.
    public func speedUp(operation id: String, feeMax: String? = nil) async throws -> Operation {
        try await call(API.operations.speedUp, at: id, feeMax: feeMax)
    }

    public func previewOfSpeedUp(operation id: String) async throws -> ActionPreview {
        try await call(API.operations.previewSpeedUp, at: id)
    }

    /// Replaces the operation's transaction that waits to be mined by one that does nothing.
    ///
    /// Whichever of the two is mined counts.
    ///
    /// - Throws: ``Problem`` with `move_not_open` if none waits.
    public func cancel(operation id: String, feeMax: String? = nil) async throws -> Operation {
        try await call(API.operations.cancel, at: id, feeMax: feeMax)
    }

    public func previewOfCancel(operation id: String) async throws -> ActionPreview {
        try await call(API.operations.previewCancel, at: id)
    }

    /// Returns the requests that wait for a signature of the account's wallet, oldest first.
    public func signatureRequests() async throws -> [SignatureRequest] {
        try await call(API.operations.signatures)
    }

    /// Returns the signature request of one operation.
    ///
    /// - Throws: ``Problem`` with `unknown_operation`, or `move_not_open` if it waits for none.
    public func signatureRequest(operation id: String) async throws -> SignatureRequest {
        try await call(API.operations.signature, at: id)
    }

    /// Submits the account's wallet's signature; it is accepted only if it matches the request.
    ///
    /// - Returns: The operation, which continues.
    /// - Throws: ``Problem`` with `bad_signature`, `move_not_open` or `unknown_operation`.
    public func give(
        _ answer: SignatureAnswer,
        operation id: String
    ) async throws -> Operation {
        try await call(API.operations.sign, at: id, answer)
    }
}

extension Set<ProblemCode> {
    /// Of a call that replaces a transaction, whose chain may no longer be followed.
    fileprivate static var replacing: Self {
        [
            .unknownOperation, .moveNotOpen, .nodeLocked, .contractRefused, .feeAboveLimit,
            .unknownChain,
        ]
    }
}
