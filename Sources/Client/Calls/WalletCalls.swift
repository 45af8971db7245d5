/// The account's own money.
package struct WalletCalls: Sendable {
    package let wallet = APICall<NoBody, Wallet>(.get, "wallet")
        .about("Get the account's balances and credits on a chain.")
        .taking(Query.chain)
    package let currencies = APICall<NoBody, [CurrencyUnit]>(.get, "currencies", .reader)
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

extension Set<ProblemCode> {
    /// Of a call that replaces a transaction, whose chain may no longer be followed.
    fileprivate static var replacing: Self {
        [
            .unknownOperation, .moveNotOpen, .nodeLocked, .contractRefused, .feeAboveLimit,
            .unknownChain,
        ]
    }
}
