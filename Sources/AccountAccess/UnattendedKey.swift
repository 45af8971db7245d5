package import Keys
package import Market

/// The key of an account that is left alone.
///
/// It never leaves this type: it signs a use whose move the account has allowed, and nothing else.
package struct UnattendedKey: Sendable {
    private let key: PrivateKey
    private let moves: Set<UnattendedMove>

    init(_ key: PrivateKey, for moves: Set<UnattendedMove>) {
        (self.key, self.moves) = (key, moves)
    }

    /// Signs a use; `nil` if the account has not allowed its move.
    package func sign(_ use: some UnattendedUse) -> Signature? {
        moves.contains(use.move) ? key.sign(use.digest) : nil
    }

    /// Returns the secret that seals the account's works and mail; `nil` if the account has not
    /// allowed the delivery of works.
    package var deliverySecret: SecretBytes? {
        moves.contains(.deliver) ? Accounts.localSecret(of: key) : nil
    }
}

/// Something to sign with the key of an account that is left alone.
///
/// A type that conforms can be made only of a content that was checked to be that of its move.
package protocol UnattendedUse: Sendable {
    var move: UnattendedMove { get }
    /// The hash to sign.
    var digest: Bytes32 { get }
}
