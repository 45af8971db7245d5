package import Foundation
package import Keys

/// The statement with which the owner of a key lets one node keep an account that signs elsewhere.
///
/// It names the node and the account's name there, and is valid for a short time, so that a
/// signature that leaks later opens nothing.
///
/// Source: EIP-712; Docs/protocol.md, section 3.6.
package struct AccountProof: Hashable, Sendable {
    /// The result of `encodeType` for it.
    package static let type = """
        Account(string summary,string network,string node,address account,string name,\
        uint64 validUntil)
        """
    /// How long a statement is valid, in seconds.
    package static let lifetime: UInt64 = 900

    package let network: String
    /// The node's peer id, as text.
    package let node: String
    package let account: Address
    /// The account's name at the node.
    package let name: String
    /// In seconds since 1970.
    package let validUntil: UInt64

    package init(
        network: String,
        node: String,
        account: Address,
        name: String,
        validUntil: UInt64
    ) {
        (self.network, self.node, self.account) = (network, node, account)
        (self.name, self.validUntil) = (name, validUntil)
    }

    /// The texts that the wallet shows.
    package var summary: String {
        "Let the Stoa node \(node) keep the account \(account.checksummed) as '\(name)'. It can ask "
            + "for signatures, and signs nothing itself. This moves no money."
    }

    /// The typed data that the wallet signs, in the JSON of `eth_signTypedData_v4`.
    package var typedDataJSON: Data {
        let message = AccountMessage(
            summary: summary,
            network: network,
            node: node,
            account: account.checksummed,
            name: name,
            validUntil: validUntil
        )
        return WalletTypedData(type: Self.type, message).json
    }

    /// The digest that the account's key signs.
    package var digest: Bytes32 {
        var hasher = StructHasher(typeHash: Keccak256.hash(Self.type.utf8))
        hasher.add(summary)
        hasher.add(network)
        hasher.add(node)
        hasher.add(account)
        hasher.add(name)
        hasher.add(validUntil)
        return StructHasher.digest(
            domainSeparator: RecordDigest.domainSeparator,
            structHash: hasher.finalize()
        )
    }

    /// Returns whether the account's own key signed this, and it is valid now.
    ///
    /// - Parameters:
    ///   - signature: The wallet's result.
    ///   - time: The time, in seconds since 1970.
    /// - Returns: `true` if it did.
    package func isProved(by signature: Signature, at time: UInt64) -> Bool {
        time <= validUntil && validUntil - time <= Self.lifetime
            && signature.signer(of: digest)?.address == account
    }
}

/// The members of the statement's typed data.
private struct AccountMessage: Encodable {
    let summary: String
    let network: String
    let node: String
    let account: String
    let name: String
    let validUntil: UInt64
}
