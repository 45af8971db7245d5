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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(RecordTypedData(self))
        } catch {
            preconditionFailure("texts and whole numbers can be encoded: \(error)")
        }
    }

    /// Makes the record from a signature that the author's wallet made.
    ///
    /// - Throws: ``RecordFault/wrongSigner`` if another account signed, if something else was
    ///   signed, or for a high `s`; else the fault of the content.
    package func signed(with signature: Signature) throws(RecordFault) -> SignedRecord {
        try UnverifiedRecord(self, signature: signature).verified()
    }
}

/// The four parts of a record's typed data, as JSON writes them.
private struct RecordTypedData: Encodable {
    struct Member: Encodable {
        let name: String
        let type: String
    }

    struct Domain: Encodable {
        let name = RecordDigest.domainName
        let version = RecordDigest.domainVersion
    }

    struct Message: Encodable {
        let network: String
        let kind: UInt8
        let author: String
        let slot: String
        let createdAt: UInt64
        let summary: String
        let payloadHash: String
    }

    let types = [
        "EIP712Domain": [
            Member(name: "name", type: "string"), Member(name: "version", type: "string"),
        ],
        "Record": RecordTypedData.members,
    ]
    let primaryType = "Record"
    let domain = Domain()
    let message: Message

    init(_ draft: RecordDraft) {
        message = Message(
            network: draft.network,
            kind: draft.kind,
            author: draft.author.checksummed,
            slot: draft.slot.hex,
            createdAt: draft.createdAt.milliseconds,
            summary: draft.summary,
            payloadHash: Keccak256.hash(draft.payload).hex
        )
    }

    /// The members that ``RecordDigest/type`` lists, in its order.
    private static let members = RecordDigest.type.drop { $0 != "(" }.dropFirst().dropLast()
        .split(separator: ",")
        .compactMap { part -> Member? in
            let words = part.split(separator: " ")
            guard let type = words.first, let name = words.last else { return nil }
            return Member(name: String(name), type: String(type))
        }
}
