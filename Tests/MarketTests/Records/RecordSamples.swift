import Keys
import Market

/// Accounts, terms and content that the tests of this target share.
enum Samples {
    static let network = "test"
    static let ana = key("ana")
    static let bo = key("bo")
    static let chain = ChainID(31_337)
    static let now = Timestamp(milliseconds: 1_763_700_000_000)
    static let chainNow = ChainTime(seconds: 1_763_700_000)
    static let slot = Keccak256.hash("slot".utf8)

    /// A key that is the same in every run.
    static func key(_ name: String) -> PrivateKey {
        guard let key = PrivateKey(SecretBytes(copying: Keccak256.hash(name.utf8).bytes)) else {
            preconditionFailure("a hash is a key but once in 2¹²⁸")
        }
        return key
    }

    static func amount(_ text: String) -> Amount { Amount(decimal: text) ?? .zero }

    static func terms(price: String = "500000000000000000") throws -> EscrowTerms {
        try EscrowTerms.standard(
            price: amount(price),
            currency: .native,
            form: .goods,
            now: chainNow
        )
    }

    static func listing(
        title: String = "Red bicycle",
        description: String = "Rides well.\nOne gear.",
        terms: EscrowTerms? = nil
    ) throws -> Listing {
        try Listing(
            form: .goods,
            title: title,
            description: description,
            category: "vehicle",
            tags: ["bicycle", "red"],
            identifier: ItemIdentifier(normalising: "WTU-123 456"),
            delivery: .shipping(ShippingLimits(.places(.countries, ["germany", "austria"]))),
            chain: chain,
            terms: .escrow(terms ?? Samples.terms())
        )
    }

    static func draft(_ content: RecordContent, by author: PrivateKey = ana) -> RecordDraft {
        RecordDraft(
            network: network,
            author: author.address,
            content: content,
            slot: slot,
            createdAt: now
        )
    }
}
