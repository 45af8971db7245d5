import Keys
import Market
import Storage

/// Signed records whose content does not matter to a test.
enum SampleRecords {
    /// A key that is the same in every run.
    static func key(_ number: UInt8) -> PrivateKey {
        let secret = SecretBytes(copying: [UInt8](repeating: 0, count: 31) + [number])
        guard let key = PrivateKey(secret) else { preconditionFailure("a small number is a key") }
        return key
    }

    /// A withdrawal: the smallest record of its kind.
    static func record(
        _ kind: RecordKind = .listing,
        by author: UInt8 = 1,
        slot: UInt8 = 1,
        at time: Timestamp
    ) throws -> SignedRecord {
        let content = RecordContent.withdrawal(kind)
        let slot = kind == .profile ? Bytes32.zero : Bytes32(repeating: slot)
        let key = key(author)
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: content,
            slot: slot,
            createdAt: time
        )
        return try draft.signed(by: key)
    }
}

extension Timestamp {
    /// Some day in 2026, and milliseconds later.
    static func sample(_ milliseconds: UInt64 = 0) -> Timestamp {
        Timestamp(milliseconds: 1_780_000_000_000 + milliseconds)
    }
}
