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
        let key = key(author)
        let content: RecordContent =
            switch kind {
            case .profile: .withdrawal(.profile)
            case .device: .withdrawal(.device)
            case .listing: .withdrawal(.listing)
            case .review: .review(try review(of: slot))
            }
        let slot = content.slot(author: key.address) ?? Bytes32(repeating: slot)
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: content,
            slot: slot,
            createdAt: time
        )
        return try draft.signed(by: key)
    }

    /// A review of the sale with that number, as a review cannot be withdrawn.
    private static func review(of sale: UInt8) throws -> Review {
        try Review(
            sale: SaleReference(
                contract: ContractReference(chain: ChainID(1), address: key(20).address),
                id: SaleID(Bytes32(repeating: sale))
            ),
            stars: 5,
            text: "Good",
            outcome: .complete,
            currency: .native,
            price: Amount(small: 1)
        )
    }
}

extension Timestamp {
    /// Some day in 2026, and milliseconds later.
    static func sample(_ milliseconds: UInt64 = 0) -> Timestamp {
        Timestamp(milliseconds: 1_780_000_000_000 + milliseconds)
    }
}
