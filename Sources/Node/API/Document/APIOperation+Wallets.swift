/// The calls for accounts whose keys are in wallets outside the node.
extension APIOperation {
    static let wallets = [
        APIOperation(
            "post",
            "external-accounts/statement",
            "Get the statement that the owner of a key signs, so that this node keeps an account for "
                + "it whose key stays in a wallet outside the node.",
            .local,
            takes: "ExternalAccountRequest",
            gives: "ExternalAccountStatement"
        ),
        APIOperation(
            "post",
            "external-accounts",
            "Add an account whose key is in a wallet outside the node, with its signed statement.",
            .local,
            takes: "ExternalAccountCreation",
            gives: "Account",
            status: 201
        ),
        APIOperation(
            "get",
            "signatures",
            "List what waits for a signature of the account's wallet outside the node, the oldest "
                + "first.",
            gives: "[SignatureRequest]"
        ),
        APIOperation(
            "get",
            "signatures/{id}",
            "Get what an operation waits for: a transaction or typed data, and its meaning in words.",
            gives: "SignatureRequest"
        ),
        APIOperation(
            "post",
            "signatures/{id}",
            "Give what the wallet signed for an operation: the signature, the signed transaction, or "
                + "the hash of the transaction that it has sent.",
            takes: "SignatureAnswer",
            gives: "Operation",
            status: 202
        ),
    ]
}
