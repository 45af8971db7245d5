/// The account keys of one recovery phrase, by index.
///
/// Source: Docs/protocol.md, section 2.6.
package struct AccountKeys: Sendable {
    private let root: HDKey

    /// Takes the seed of a phrase.
    ///
    /// - Throws: ``HDKeyError/seedLength(_:)`` if the seed has another length.
    package init(seed: SecretBytes) throws(HDKeyError) {
        root = try HDKey(seed: seed)
    }

    /// Returns the key of account `index`, the same as in other Ethereum wallets.
    package func key(_ index: UInt32) throws(HDKeyError) -> PrivateKey {
        try root.derive(try HDPath.account(index)).privateKey
    }
}
