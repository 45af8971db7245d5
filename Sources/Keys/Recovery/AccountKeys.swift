/// The account keys of one recovery phrase, by number.
///
/// Source: Docs/protocol.md, section 2.6.
package struct AccountKeys: Sendable {
    private let root: HDKey

    /// Takes the seed of a phrase.
    ///
    /// - Throws: ``HDKeyError/seedLength(_:)`` for bytes that are none.
    package init(seed: SecretBytes) throws(HDKeyError) {
        root = try HDKey(seed: seed)
    }

    /// The key of account `index`, the same as in other Ethereum wallets.
    package func key(_ index: UInt32) throws(HDKeyError) -> PrivateKey {
        try root.derive(try HDPath.account(index)).privateKey
    }
}
