extension APIOperation {
    /// The calls about the account's own money.
    static let wallet = [
        APIOperation(
            "get",
            "wallet",
            "Get the account's balances and credits on a chain.",
            gives: "Wallet",
            query: ["chain"]
        ),
        APIOperation(
            "post",
            "wallet/collect",
            "Collect credits: all of them, or those of one currency, or a part of these.",
            takes: "CreditCollection",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"],
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
            "wallet/history",
            "List the movements of the account's money that are final, the newest first.",
            gives: "Page[WalletMovement]",
            query: ["chain", "limit", "after"]
        ),
        APIOperation(
            "post",
            "wallet/send",
            "Send money of the account to another account; the amount 'max' sends all that it has, "
                + "less the fee.",
            takes: "Transfer",
            gives: "Operation",
            status: 202,
            query: ["feeMax", "feeSpeed"],
            isOnce: true
        ),
        APIOperation(
            "get",
            "currencies",
            "List the currencies of the node's chains and how their amounts are written for people.",
            .reader,
            gives: "[CurrencyUnit]",
            query: ["chain"]
        ),
    ]
}
