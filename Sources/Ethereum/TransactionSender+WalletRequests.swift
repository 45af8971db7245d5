package import Keys

/// The answer of the owner of a key outside the node.
package enum WalletAnswer: Hashable, Sendable {
    /// A signature of exactly the requested transaction.
    case signature(Signature)
    /// The signed transaction, as it would be sent.
    case transaction([UInt8])
    /// The hash of the transaction, which the wallet has sent itself.
    case hash(Bytes32)
}

/// Transactions that a wallet outside the node signs.
extension TransactionSender {
    /// See ``SendQueue/walletRequest(of:)``.
    package func walletRequest(of id: IntentID) -> WalletRequest? { queue.walletRequest(of: id) }

    /// Accepts a wallet's signature, if it is for the requested transaction.
    ///
    /// When this returns, it is durable, and is sent and watched like one that was signed here.
    ///
    /// - Throws: ``IntentError/nothingAsked``, ``IntentError/unknownTransaction(_:)``,
    ///   ``AskedTransactionFault``, ``EthereumError``, or the journal's error.
    package func take(_ answer: WalletAnswer, for id: IntentID) async throws {
        guard let request = queue.walletRequest(of: id) else { throw IntentError.nothingAsked }
        let signed =
            switch answer {
            case .signature(let signature): try request.asked.signed(with: signature)
            case .transaction(let raw): try request.asked.signed(raw: raw)
            case .hash(let hash): try request.asked.signed(raw: try await sent(hash))
            }
        guard let entry = queue.answer(request, with: signed) else {
            throw IntentError.nothingAsked
        }
        var isKept = false
        defer { queue.decisionIsRecorded(entry, isKept: isKept) }
        try await record(entry)
        isKept = true
        wake.yield()
    }

    /// Returns a transaction that is on the chain or waits there.
    private func sent(_ hash: Bytes32) async throws -> [UInt8] {
        guard let found = try await client.sentTransaction(hash) else {
            throw IntentError.unknownTransaction(hash)
        }
        return found.encoded
    }
}
