package import Keys
package import Market
package import Texts

/// A transaction that an account is asked to sign outside this node, and the fields that its wallet
/// may change.
///
/// A wallet may choose other fees, as long as they are within the agreed limit, and another nonce
/// of the given range. Receiver, value, data and chain must be as requested.
///
/// Source: EIP-155, EIP-1559, EIP-2 (low `s`).
package struct AskedTransaction: Hashable, Sendable {
    /// Who has to sign it.
    package let account: Address
    /// The transaction as the wallet gets it.
    package let transaction: Transaction
    /// The nonces that the wallet may use; exactly one if a waiting transaction is replaced.
    package let nonces: ClosedRange<UInt64>
    /// The nonces of other transactions that wait; one with such a nonce would replace them.
    package let taken: Set<UInt64>
    /// The highest fee that the owner agreed to, in wei.
    package let feeMax: Amount

    /// - Precondition: The transaction names its chain, and `nonces` contains its nonce.
    package init(
        _ transaction: Transaction,
        of account: Address,
        nonces: ClosedRange<UInt64>,
        taken: Set<UInt64> = [],
        feeMax: Amount
    ) {
        precondition(transaction.chain != nil && nonces.contains(transaction.nonce))
        (self.transaction, self.account) = (transaction, account)
        (self.nonces, self.taken, self.feeMax) = (nonces, taken, feeMax)
    }

    /// The bytes whose Keccak-256 hash the wallet signs, in the transaction's own encoding.
    package var unsignedBytes: [UInt8] { transaction.unsignedEncoding }

    /// Takes a signature of exactly this transaction.
    ///
    /// - Throws: ``AskedTransactionFault``.
    package func signed(
        with signature: Signature
    ) throws(AskedTransactionFault) -> SignedTransaction {
        guard let signer = signature.signer(of: transaction.signingHash) else {
            throw .unreadable(.signature)
        }
        do {
            try transaction.check()
        } catch {
            throw .unreadable(error)
        }
        let signed = SignedTransaction(transaction, signature: signature, sender: signer.address)
        try check(signed)
        return signed
    }

    /// Takes a transaction that the wallet has signed, with the fees and nonce of its choice.
    ///
    /// - Parameter raw: As it would be sent.
    /// - Returns: The transaction, which is the requested one.
    /// - Throws: ``AskedTransactionFault``.
    package func signed(raw: [UInt8]) throws(AskedTransactionFault) -> SignedTransaction {
        let signed: SignedTransaction
        do {
            signed = try SignedTransaction.decode(raw)
        } catch {
            throw .unreadable(error)
        }
        try check(signed)
        return signed
    }

    /// Compares the signed transaction with the requested one; the signer comes last, because a
    /// changed transaction also has another signer.
    private func check(_ signed: SignedTransaction) throws(AskedTransactionFault) {
        let found = signed.transaction
        guard found.chain == transaction.chain else { throw .otherChain(found.chain) }
        guard found.to == transaction.to else { throw .otherCall(.to) }
        guard found.value == transaction.value else { throw .otherCall(.value) }
        guard found.data == transaction.data else { throw .otherCall(.data) }
        guard nonces.contains(found.nonce) else { throw .otherNonce(found.nonce, nonces) }
        guard !taken.contains(found.nonce) else { throw .nonceTaken(found.nonce) }
        guard let fee = found.pricing.feeCap.multiplied(by: found.gasLimit), fee <= feeMax else {
            throw .feeAboveLimit(feeMax)
        }
        guard signed.sender == account else { throw .otherSigner(signed.sender) }
    }
}

/// Why a signature or signed transaction is not the requested one; nothing is sent then.
package enum AskedTransactionFault: Error, Equatable, Sendable {
    case unreadable(TransactionError)
    case otherSigner(Address)
    /// `nil`: it names no chain, so every chain would take it.
    case otherChain(ChainID?)
    case otherCall(TransactionField)
    case otherNonce(UInt64, ClosedRange<UInt64>)
    /// Another transaction with this nonce waits to be mined.
    case nonceTaken(UInt64)
    /// The fee can be above this limit, in wei.
    case feeAboveLimit(Amount)
}

extension AskedTransactionFault: CustomStringConvertible {
    package var description: String { reason.detail }

    /// The fault, and the next step in the wallet.
    package var reason: Sentence {
        switch self {
        case .unreadable(.signature): Sentence("refusal.askedSignature")
        case .unreadable(.gasLimitTooLow(let needed)):
            Sentence("refusal.askedGasLimit", ["needed": "\(needed)"])
        case .unreadable(.unknownType(let type)): Sentence("refusal.askedType", ["type": "\(type)"])
        case .unreadable: Sentence("refusal.askedUnreadable")
        case .otherSigner(let signer): Sentence("refusal.askedOtherSigner", ["signer": "\(signer)"])
        case .otherChain(let chain?):
            Sentence("refusal.askedOtherChain", ["chain": "\(chain.number)"])
        case .otherChain(nil): Sentence("refusal.askedNoChain")
        case .otherCall(let field): Sentence("refusal.askedOtherCall", ["field": field.rawValue])
        case .otherNonce(let found, let allowed) where allowed.count == 1:
            Sentence("refusal.askedNonce", ["found": "\(found)", "only": "\(allowed.lowerBound)"])
        case .otherNonce(let found, let allowed):
            Sentence(
                "refusal.askedNonces",
                [
                    "found": "\(found)", "first": "\(allowed.lowerBound)",
                    "last": "\(allowed.upperBound)",
                ]
            )
        case .nonceTaken(let found): Sentence("refusal.askedNonceTaken", ["found": "\(found)"])
        case .feeAboveLimit(let feeMax):
            Sentence("refusal.askedFee", ["most": feeMax.decimal])
        }
    }
}
