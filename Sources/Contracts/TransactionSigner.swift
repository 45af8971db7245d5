package import Keys

/// An account's key, which may be locked.
package protocol TransactionSigner: Sendable {
    var address: Address { get }

    func isLocked() async -> Bool

    /// Signs a hash.
    ///
    /// - Throws: ``SignerError/locked`` until the account's owner signs in.
    func sign(_ hash: Bytes32) async throws -> Signature
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

    package func isLocked() async -> Bool { false }

    package func sign(_ hash: Bytes32) async throws -> Signature { key.sign(hash) }
}
