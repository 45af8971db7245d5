package import Keys

/// An account's key, which may be locked, or outside this node.
package protocol TransactionSigner: Sendable {
    var address: Address { get }

    /// Returns whether the key can sign a call now.
    func state(for call: Intent.Step) async throws -> SignerState

    /// Signs a transaction.
    ///
    /// - Throws: ``SignerError/locked`` until the account's owner signs in.
    func sign(_ transaction: Transaction) async throws -> Signature
}

/// Whether a key can sign now.
package enum SignerState: Hashable, Sendable {
    case ready
    /// Its owner must sign in first.
    case locked
    /// It never signs here: a wallet outside this node has it.
    case elsewhere
}

/// Why a key did not sign.
package enum SignerError: Error, Equatable, Sendable {
    /// The account is locked: its owner must sign in first.
    case locked
}

/// A key in memory, never locked.
package struct KeySigner: TransactionSigner {
    private let key: PrivateKey

    package init(_ key: PrivateKey) { self.key = key }

    package var address: Address { key.address }

    package func state(for call: Intent.Step) async -> SignerState { .ready }

    package func sign(_ transaction: Transaction) async throws -> Signature {
        key.sign(transaction.signingHash)
    }
}
