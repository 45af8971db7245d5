extension ItemContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 2.
    static let clearSigning = ClearSigningTexts(
        [
            ClearSigningField("approved", "label.approved", .address),
            ClearSigningField("token_id", "label.item", .item),
            ClearSigningField("operator", "label.account", .address),
            ClearSigningField("minter", "label.contract", .address),
            ClearSigningField("allowed", "label.allowed", .plain),
            ClearSigningField("maker", "label.maker", .address),
            ClearSigningField("content_hash", "label.contentHash", .plain),
            ClearSigningField("owner", "label.from", .address),
            ClearSigningField("to", "label.to", .address),
            ClearSigningField("data", "label.data", .plain),
        ],
        [
            ClearSigningCall("approve", "call.approve", ["token_id", "approved"]),
            ClearSigningCall(
                "setApprovalForAll",
                "call.approveAll",
                ["operator", "approved"],
                fields: [ClearSigningField("approved", "label.allowed", .plain)]
            ),
            ClearSigningCall("allow_minter", "call.allowMinter", ["minter", "allowed"]),
            ClearSigningCall("mint", "call.mint", ["maker", "content_hash"]),
            ClearSigningCall("transferFrom", "call.transferItem", ["token_id", "owner", "to"]),
            ClearSigningCall(
                "safeTransferFrom(address,address,uint256)",
                "call.transferItem",
                ["token_id", "owner", "to"]
            ),
            ClearSigningCall(
                "safeTransferFrom(address,address,uint256,bytes)",
                "call.transferItem",
                ["token_id", "owner", "to", "data"]
            ),
        ]
    )
}
