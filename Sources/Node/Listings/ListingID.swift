import Client
package import Keys
package import Market
import Storage

/// Names a listing through all its edits: who made it, and the slot it lives in.
package struct ListingID: Hashable, Sendable {
    package let author: Address
    package let slot: Bytes32

    package init(author: Address, slot: Bytes32) {
        (self.author, self.slot) = (author, slot)
    }

    /// Reads the API's form, `<author's address>.<64 hexadecimal digits>`.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`.
    package init(_ text: String) throws(Refusal) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let author = try? Address(text: parts[0]),
            let slot = Bytes32(hex: "0x" + parts[1])
        else {
            throw Refusal(
                .unknownListing,
                "\(text.quoted) names no listing; an id looks like 0x….<64 digits>.",
                field: "listing"
            )
        }
        self.init(author: author, slot: slot)
    }

    package var key: RecordKey { RecordKey(author: author, kind: .listing, slot: slot) }
}

extension ListingID: CustomStringConvertible {
    package var description: String { "\(author.checksummed).\(slot.hex.dropFirst(2))" }
}

extension Store {
    /// The listing that lives under an id; `nil` if there is none or it was withdrawn.
    nonisolated func listing(_ id: ListingID) throws -> FoundListing? {
        try read { try $0.record(in: id.key) }.flatMap { FoundListing($0) }
    }

    /// The listing that a sale stands for, as far as it is here.
    nonisolated func listing(of sale: SaleState) throws -> String? {
        try foundListing(of: sale)?.id.description
    }

    /// The listing that a sale was made for: what it promises has the hash that the sale carries on
    /// the chain.
    ///
    /// What it says by now may be something else; see ``FoundListing/promise``.
    nonisolated func foundListing(of sale: SaleState) throws -> FoundListing? {
        let sought = sale.reference
        let found = try read {
            try $0.records(of: .listing, about: sought.id.hash, limit: 4)
        }
        return found.compactMap { FoundListing($0) }
            .first { found in
                found.listing.sale == sought && found.id.author == sale.seller
                    && found.listing.fulfilment(slot: found.id.slot, sale: sale) != .notPromised
            }
    }
}

/// A listing with what the node knows of its record.
struct FoundListing: Sendable {
    let id: ListingID
    let record: RecordID
    let listing: Market.Listing
    let createdAt: Timestamp
    let firstSeen: Timestamp

    /// `nil` for a withdrawal, and for what today's rules refuse.
    init?(_ stored: StoredRecord) {
        guard let record = stored.readable(), case .listing(let listing) = record.content else {
            return nil
        }
        id = ListingID(author: record.author, slot: record.slot)
        self.record = record.id
        self.listing = listing
        createdAt = record.createdAt
        firstSeen = stored.firstSeen
    }

    /// What its sale was made for, whatever the listing says by now.
    var promise: ListingCommitment {
        listing.anchor?.promised ?? ListingCommitment(of: listing, slot: id.slot)
    }

    /// What takes it back: it names the sale if the chain shows that there is one.
    func withdrawal(isSeen: Bool) -> RecordWithdrawal {
        guard let sale = listing.sale, isSeen else { return .listing }
        return .anchoredListing(ListingWithdrawal(sale: sale, promise: promise))
    }

    /// How it stands to what was promised on the chain; `nil` while the sale is not seen.
    func fulfilment(on saleIndex: SaleIndex) -> Fulfilment? {
        listing.sale.flatMap { saleIndex.view(of: $0.id) }
            .map { listing.fulfilment(slot: id.slot, sale: $0.state) }
    }
}
