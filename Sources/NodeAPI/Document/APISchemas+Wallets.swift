import Client

/// The examples for accounts whose keys are in wallets outside the node.
extension APISchemas {
    static var walletExamples: [any Codable] {
        [
            ExternalAccountRequest(name: "ana", address: address),
            ExternalAccountStatement(summary: "…", typedData: "{…}", validUntil: 1_767_225_600),
            ExternalAccountCreation(
                name: "ana",
                address: address,
                password: "correct horse",
                validUntil: 1_767_225_600,
                signature: "0x…"
            ),
            signatureRequest,
            SignatureAnswer(signature: "0x…", transaction: "0x…", hash: "0x…"),
        ]
    }

    private static let signatureRequest = SignatureRequest(
        operation: hash,
        kind: .buy,
        subject: hash,
        words: ["…"],
        typedData: "{…}",
        transaction: UnsignedTransaction(
            chain: 1,
            from: address,
            to: address,
            value: "1",
            data: "0x…",
            nonce: 1,
            nonceMax: 16,
            gas: 200_000,
            maxFeePerGas: "2",
            maxPriorityFeePerGas: "1",
            gasPrice: "1",
            feeMax: "400000",
            unsigned: "0x…"
        )
    )
}
