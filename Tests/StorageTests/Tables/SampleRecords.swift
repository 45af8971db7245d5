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
            case .curation: .withdrawal(.curation)
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

    /// A certificate of a device of the author's, or its withdrawal.
    static func device(
        _ device: UInt8,
        of author: UInt8 = 1,
        isWithdrawn: Bool = false,
        at time: Timestamp = .sample()
    ) throws -> RecordEntry {
        let key = key(author)
        let certificate = try DeviceCertificate(key: self.key(device).publicKey, name: "phone")
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: isWithdrawn ? .withdrawal(.device) : .device(certificate),
            slot: certificate.slot,
            createdAt: time
        )
        return RecordEntry(try draft.signed(by: key), lane: .open)
    }

    /// The slot of a device's certificate, which names it in mail.
    static func slot(_ device: UInt8) -> Bytes32 {
        DeviceCertificate.slot(of: key(device).publicKey)
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
