import Keys

/// The EIP-712 digest that a record's author signs, which is also the record's id.
///
/// The hashes that never change are made once; a test holds the result against the general
/// encoder of Keys.
///
/// Source: EIP-712, "Definition of hashStruct"; Docs/protocol.md, section 4.2.
enum RecordDigest {
    static let domainSeparator = Keccak256.hash(
        Keccak256.hash("EIP712Domain(string name,string version)".utf8).bytes
            + Keccak256.hash("Stoa".utf8).bytes + Keccak256.hash("1".utf8).bytes
    )

    static let typeHash = Keccak256.hash(
        """
        Record(string network,uint8 kind,address author,bytes32 slot,uint64 createdAt,\
        string summary,bytes32 payloadHash)
        """.utf8
    )

    static func digest(of draft: RecordDraft) -> Bytes32 {
        var words: [UInt8] = []
        words.reserveCapacity(8 * 32)
        words += typeHash.bytes
        words += Keccak256.hash(draft.network.utf8).bytes
        words += Bytes32(words: 0, 0, 0, UInt64(draft.kind)).bytes
        words += repeatElement(0, count: 12)
        words += draft.author.bytes
        words += draft.slot.bytes
        words += Bytes32(words: 0, 0, 0, draft.createdAt.milliseconds).bytes
        words += Keccak256.hash(draft.summary.utf8).bytes
        words += Keccak256.hash(draft.payload).bytes
        return Keccak256.hash([0x19, 0x01] + domainSeparator.bytes + Keccak256.hash(words).bytes)
    }
}
