package import Keys
package import Market

/// A transaction with a valid signature, and the bytes that are sent.
package struct SignedTransaction: Hashable, Sendable {
    package let transaction: Transaction
    package let signature: Signature
    /// Who signed, found from the signature.
    package let sender: Address
    /// What `eth_sendRawTransaction` takes.
    package let encoded: [UInt8]
    /// The name of the transaction on its chain.
    package let hash: Bytes32

    init(_ transaction: Transaction, signature: Signature, sender: Address) {
        self.transaction = transaction
        self.signature = signature
        self.sender = sender
        encoded = transaction.encoded(with: signature)
        hash = Keccak256.hash(encoded)
    }

    /// Reads a signed transaction and recovers its sender.
    ///
    /// Accepts what a London chain accepts as far as that can be told without state: canonical
    /// RLP, shortest numbers, low `s`, fees and gas in range, gas above the intrinsic.
    ///
    /// - Parameters:
    ///   - encoded: The bytes as sent, type byte first where there is one.
    ///   - chain: Where given, a transaction that names another chain is refused; one that names
    ///     none (before EIP-155) is accepted.
    ///   - limits: What the reader takes at most.
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
