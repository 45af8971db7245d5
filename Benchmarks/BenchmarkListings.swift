import Foundation
import Keys
import Market
import Storage

/// Signed listings of 1,000 sellers, the same in every run.
enum BenchmarkListings {
    static let now = Timestamp(milliseconds: 1_780_000_000_000)

    private static let text = String(repeating: "rides well, one gear, ", count: 12)
    static let authors = 1_000
    /// The price of the first one; each other one costs one unit more than that before it.
    static let lowestPrice = 10_000
    private static let keys = (0..<authors).compactMap { number in
        PrivateKey(SecretBytes(copying: Keccak256.hash("seller \(number)".utf8).bytes))
    }

    /// One of them, made `number` milliseconds after `now`.
    static func record(
        _ number: Int,
        _ title: String = "Bicycle",
        from now: Timestamp = now
    ) throws -> SignedRecord {
        let terms = try EscrowTerms.standard(
            price: Amount(small: UInt64(lowestPrice + number)),
            currency: .native,
            form: .goods,
            now: ChainTime(seconds: now.milliseconds / 1_000)
        )
        let listing = try Listing(
            form: .goods,
            title: "\(title) \(number)",
            description: text.trimmingCharacters(in: .whitespaces),
            category: number.isMultiple(of: 3) ? "tool" : "vehicle",
            tags: ["bicycle", "used"],
            identifier: ItemIdentifier(normalising: "frame \(number)"),
            delivery: .shipping(ShippingLimits(.places(.countries, ["germany", "austria"]))),
            chain: ChainID(31_337),
            terms: .escrow(terms)
        )
        let key = keys[number % keys.count]
        let draft = RecordDraft(
            network: "bench",
            author: key.address,
            content: .listing(listing),
            slot: Keccak256.hash("slot \(number)".utf8),
            createdAt: Timestamp(milliseconds: now.milliseconds + UInt64(number))
        )
        return try draft.signed(by: key)
    }

    /// Puts so many into a new store, as a node's chain would have anchored them.
    static func fill(_ store: Store, count: Int, from now: Timestamp = now) async throws {
        try await add(0..<count, "Bicycle", to: store, from: now)
    }

    /// Puts those with these numbers into a store.
    static func add(
        _ numbers: Range<Int>,
        _ title: String,
        to store: Store,
        from now: Timestamp = now
    ) async throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1_000) {
            let entries = try (start..<min(start + 1_000, numbers.upperBound)).map {
                RecordEntry(try record($0, title, from: now), lane: .anchored)
            }
            _ = try await store.ingest(entries, at: now)
        }
    }

    /// The columns that people search, of each.
    static func texts(_ count: Int) throws -> [[String]] {
        try (0..<count).map { number in
            guard case .listing(let listing) = try record(number).content else { return [] }
            return [
                listing.title, listing.description, listing.category,
                listing.tags.joined(separator: " "), listing.identifier.text,
            ]
        }
    }
}
