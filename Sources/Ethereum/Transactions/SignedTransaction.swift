package import Keys
package import Market

/// A transaction with a valid signature, and its encoding.
package struct SignedTransaction: Hashable, Sendable {
    package let transaction: Transaction
    package let signature: Signature
    /// The account that signed, recovered from the signature.
    package let sender: Address
    /// The bytes for `eth_sendRawTransaction`.
    package let encoded: [UInt8]
    /// The transaction's hash, which identifies it on its chain.
    package let hash: Bytes32

    init(_ transaction: Transaction, signature: Signature, sender: Address) {
        self.transaction = transaction
        self.signature = signature
        self.sender = sender
        encoded = transaction.encoded(with: signature)
        hash = Keccak256.hash(encoded)
    }

    /// Decodes a signed transaction and recovers its sender.
    ///
    /// Accepts transactions that a London chain accepts, as far as this can be checked without
    /// state: canonical RLP, shortest numbers, low `s`, fees and gas in range, gas not below the
    /// intrinsic gas.
    ///
    /// - Parameters:
    ///   - encoded: The bytes as sent, with the type byte first, if there is one.
    ///   - chain: If given, a transaction that names another chain is refused; one that names no
    ///     chain (before EIP-155) is accepted.
    ///   - limits: The limits of the decoder.
    /// - Returns: The transaction, its sender and its hash.
    /// - Throws: ``TransactionError``.
    package static func decode(
        _ encoded: [UInt8],
        chain: ChainID? = nil,
        limits: RLPLimits = .standard
    ) throws(TransactionError) -> SignedTransaction {
        let (transaction, signature) = try TransactionDecoder.decode(encoded, limits: limits)
        if let chain, let named = transaction.chain, named != chain { throw .otherChain(named) }
        try transaction.check()
        guard let signer = signature.signer(of: transaction.signingHash) else { throw .signature }
        return SignedTransaction(transaction, signature: signature, sender: signer.address)
    }
}
