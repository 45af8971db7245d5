package import Foundation
package import Keys

/// Drafts whose author signs with a wallet outside this node.
extension RecordDraft {
    /// The typed data that the wallet signs, in the JSON of `eth_signTypedData_v4`.
    ///
    /// Its digest is the record's id. The same draft always gives the same bytes.
    ///
    /// Source: EIP-712, "Specification of the eth_signTypedData JSON RPC"; Docs/protocol.md,
    /// section 4.2.
    package var typedDataJSON: Data {
        let message = RecordMessage(
            network: network,
            kind: kind,
            author: author.checksummed,
            slot: slot.hex,
            createdAt: createdAt.milliseconds,
            summary: summary,
            payloadHash: Keccak256.hash(payload).hex
        )
        return WalletTypedData(type: RecordDigest.type, message).json
    }

    /// Makes the record from a signature that the author's wallet made.
    ///
    /// - Throws: ``RecordFault/wrongSigner`` if another account signed, if something else was
    ///   signed, or for a high `s`; else the fault of the content.
    package func signed(with signature: Signature) throws(RecordFault) -> SignedRecord {
        try UnverifiedRecord(self, signature: signature).verified()
    }
}

/// The members of a record's typed data.
private struct RecordMessage: Encodable {
    let network: String
    let kind: UInt8
    let author: String
    let slot: String
    let createdAt: UInt64
    let summary: String
    let payloadHash: String
}
