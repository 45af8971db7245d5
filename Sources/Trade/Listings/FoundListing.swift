import Answers
import Client
import Keys
import Market
import Setup
import Storage

extension Store {
    /// Returns the listing with an id; `nil` if there is none or it was withdrawn.
    nonisolated func listing(_ id: ListingID) throws -> FoundListing? {
        try read { try $0.record(in: id.key) }.flatMap { FoundListing($0) }
    }

    /// Returns the listing with an id that a caller names.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing` or `listing_gone`.
    nonisolated func found(_ id: ListingID) throws -> FoundListing {
        guard let stored = try read({ try $0.record(in: id.key) }) else {
            throw Refusal.unknownListing("\(id)")
        }
        guard let found = FoundListing(stored) else {
            if case .laterListing = stored.readable()?.content {
                throw Refusal(.unknownListing, Sentence("refusal.unknownKind"), field: "listing")
            }
            throw Refusal(.listingGone, Sentence("refusal.listingWithdrawn"))
        }
        return found
    }

    /// Returns the listings that these records carry, without those that are gone.
    nonisolated func listings(_ ids: [RecordID]) throws -> [FoundListing] {
        try read { transaction in try ids.compactMap { try transaction.record($0) } }
            .compactMap { FoundListing($0) }
    }

    /// Returns the id of a sale's listing, if this node has it; if there are several pieces, the id
    /// of the first one while it is here.
    nonisolated func listing(of sale: Market.Sale) throws -> String? {
        try foundListing(of: sale).map { try shownID(of: $0).description }
    }

    /// Returns the id under which people know a listing: of several pieces that of the first one
    /// while it is here.
    nonisolated func shownID(of found: FoundListing) throws -> ListingID {
        let isShown = try found.shownID == found.id || listing(found.shownID) != nil
        return isShown ? found.shownID : found.id
    }

    /// Returns the listing that a sale was made for.
    ///
    /// The hash of its promise is the one that the sale has on the chain. The listing may differ
    /// from it now; see ``FoundListing/promise``.
    nonisolated func foundListing(of sale: Market.Sale) throws -> FoundListing? {
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

extension Store {
    /// Returns the seller's promise for a sale; `nil` if no record here states it.
    ///
    /// A withdrawal repeats the promise, so that both sides can read it after the listing is gone.
    ///
    /// Source: Docs/protocol.md, section 6.3.
    nonisolated func promise(of sale: Market.Sale) throws -> ListingCommitment? {
        if let found = try foundListing(of: sale) { return found.promise }
        let records = try read {
            try $0.records(of: .listing, about: sale.reference.id.hash, limit: 4)
        }
        return records.compactMap { stored -> ListingCommitment? in
            guard let record = stored.readable(), record.author == sale.seller,
                case .withdrawal(.anchoredListing(let withdrawal)) = record.content,
                withdrawal.sale == sale.reference,
                withdrawal.promise.isMade(in: record.slot, for: sale)
            else { return nil }
            return withdrawal.promise
        }.first
    }
}

/// A listing with the node's knowledge about its record.
struct FoundListing: Sendable {
    let id: ListingID
    let record: RecordID
    let listing: Market.Listing
    let createdAt: Timestamp
    let firstSeen: Timestamp

    /// Returns `nil` for a withdrawal, and for a record that today's rules refuse.
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

    /// The id under which people know it; if there are several pieces, the id of the first one.
    var shownID: ListingID {
        guard case .further(let first) = listing.pieces else { return id }
        return ListingID(author: id.author, slot: first)
    }

    /// The content that its sale was made for, whatever the listing says now.
    var promise: ListingCommitment {
        listing.anchor?.promised ?? ListingCommitment(of: listing, slot: id.slot)
    }

    /// Returns an edit of it with its sale, and whether that is as promised.
    func edited(to edited: Market.Listing) -> (listing: Market.Listing, isAsPromised: Bool) {
        guard let anchor = listing.anchor else { return (edited, true) }
        let isAsPromised = promise.changes(in: edited).isEmpty
        let listing = edited.anchored(
            contract: anchor.contract,
            sale: anchor.sale,
            promised: isAsPromised ? nil : promise
        )
        return (listing, isAsPromised)
    }

    /// Returns the record that withdraws it; it names the sale if the chain shows one.
    func withdrawal(isSeen: Bool) -> RecordWithdrawal {
        guard let sale = listing.sale, isSeen else { return .listing }
        return .anchoredListing(ListingWithdrawal(sale: sale, promise: promise))
    }
}
