import Keys

/// The EIP-712 digest that a record's author signs, which is also the record's id.
///
/// The constant hashes are computed once; a test compares the result with a general encoder.
///
/// Source: EIP-712, "Definition of hashStruct"; Docs/protocol.md, section 4.2.
package enum RecordDigest {
    package static let domainName = "Stoa"
    package static let domainVersion = "1"
    /// The result of `encodeType` for a record.
    package static let type = """
        Record(string network,uint8 kind,address author,bytes32 slot,uint64 createdAt,\
        string summary,bytes32 payloadHash)
        """

    static let domainSeparator: Bytes32 = {
        let type = "EIP712Domain(string name,string version)"
        var hasher = StructHasher(typeHash: Keccak256.hash(type.utf8))
        hasher.add(domainName)
        hasher.add(domainVersion)
        return hasher.finalize()
    }()

    static let typeHash = Keccak256.hash(type.utf8)

    static func digest(of draft: RecordDraft) -> Bytes32 {
        var hasher = StructHasher(typeHash: typeHash)
        hasher.add(draft.network)
        hasher.add(UInt64(draft.kind))
        hasher.add(draft.author)
        hasher.add(draft.slot)
        hasher.add(draft.createdAt.milliseconds)
        hasher.add(draft.summary)
        hasher.add(hashing: draft.payload)
        return StructHasher.digest(domainSeparator: domainSeparator, structHash: hasher.finalize())
    }
}
