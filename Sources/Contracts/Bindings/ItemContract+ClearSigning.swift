extension ItemContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 2.
    static let clearSigning = ClearSigningTexts(
        [
            ClearSigningField("approved", "May transfer it", .address),
            ClearSigningField("token_id", "Item", .item),
            ClearSigningField("operator", "Account", .address),
            ClearSigningField("minter", "Contract", .address),
            ClearSigningField("allowed", "Allowed", .plain),
            ClearSigningField("maker", "Maker", .address),
            ClearSigningField("content_hash", "Hash of the content", .plain),
            ClearSigningField("owner", "From", .address),
            ClearSigningField("to", "To", .address),
            ClearSigningField("data", "Data", .plain),
        ],
        [
            ClearSigningCall("approve", "Allow to transfer an item", ["token_id", "approved"]),
            ClearSigningCall(
                "setApprovalForAll",
                "Allow to transfer all your items",
                ["operator", "approved"],
                fields: [ClearSigningField("approved", "Allowed", .plain)]
            ),
            ClearSigningCall(
                "allow_minter",
                "Allow to make items in your name",
                ["minter", "allowed"]
            ),
            ClearSigningCall("mint", "Make an item", ["maker", "content_hash"]),
            ClearSigningCall("transferFrom", "Transfer an item", ["token_id", "owner", "to"]),
            ClearSigningCall(
                "safeTransferFrom(address,address,uint256)",
                "Transfer an item",
                ["token_id", "owner", "to"]
            ),
            ClearSigningCall(
                "safeTransferFrom(address,address,uint256,bytes)",
                "Transfer an item",
                ["token_id", "owner", "to", "data"]
            ),
        ]
    )
}
