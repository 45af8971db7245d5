import Answers
import Client
import Foundation
import Keys
import Mail
import Market
import MediaFiles
import Setup
import Storage

/// Shows the listings that entries of a vault name, as this node knows them now.
struct SavedListings: Sendable {
    let store: Store
    /// `nil` on a node without a chain.
    let listings: Listings?

    /// Returns an entry of the API; if this node does not have the listing, with only the title
    /// that the vault has.
    func shown(_ entry: VaultContents.SavedEntry) throws -> SavedListing {
        var saved = try shown(entry.id, since: entry.time)
        // The one in the vault is of the time when it was saved.
        if saved.title == nil { saved.title = entry.title }
        saved.sale = entry.sale?.description
        if let sale = entry.sale, let found = try store.listing(entry.id) {
            // Of several pieces it can have been any.
            saved.isListedAgain = try !store.pieces(of: found).pieces.contains {
                $0.listing.sale?.id.hash == sale
            }
        }
        return saved
    }

    /// Returns the title of a listing as a value in a vault.
    static func vaultTitle(of saved: SavedListing) -> [UInt8] {
        Array((saved.title ?? "").utf8.prefix(ListingRules.titleByteCountMax))
    }

    /// Returns a listing as this node knows it now; without a title if it is not here.
    func shown(_ id: ListingID, since time: Timestamp) throws -> SavedListing {
        var saved = SavedListing(
            listing: id.description,
            seller: id.author.checksummed,
            since: time.date,
            profile: try store.read { try $0.summary(of: id.author) }
        )
        guard let found = try store.listing(id) else { return saved }
        let content = ListingContent(found.listing)
        (saved.title, saved.chain) = (content.title, content.chain)
        (saved.payment, saved.price) = (content.payment, content.price)
        saved.picture = found.listing.media.first { $0.form.isImage }.map(ListingMedia.init)
        if let listing = listings?.shown(found) {
            (saved.state, saved.status) = (listing.state, listing.status)
            saved.price = listing.price ?? content.price
        }
        return saved
    }

    /// Returns the saved listing that a person names: by its id, the first digits of the id's own
    /// part, or words of its title.
    ///
    /// Only saved ones are looked at, so that no other listing with the same words is in the way.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_id`.
    func id(_ text: String, among entries: [VaultContents.SavedEntry]) throws -> ListingID? {
        let text = ListingID.withoutScheme(text)
        if let id = try? ListingID(text) { return id }
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        let author = parts.count == 2 ? try? Address(text: parts[0]) : nil
        let prefix = IDPrefix(author == nil ? text : parts[1])
        let found = try entries.compactMap { entry -> (ListingID, String)? in
            let isBegun =
                prefix?.matches(entry.id.slot) == true
                && author.map { $0 == entry.id.author } ?? true
            guard let title = try store.listing(entry.id)?.listing.title ?? entry.title else {
                return isBegun ? (entry.id, "") : nil
            }
            return isBegun || !text.hasPrefix("0x") && title.hasWords(of: text)
                ? (entry.id, title) : nil
        }
        let candidates = found.map { id, title in
            NamedID(
                id: id.description,
                Sentence(
                    "match.saved",
                    [
                        "id": id.description, "title": title.quoted,
                        "author": id.author.checksummed,
                    ]
                )
            )
        }
        let only = try NamedID.only(candidates, text, field: "listing")
        return found.first { $0.0.description == only }?.0
    }

    /// Returns the id of a listing that is here.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`.
    func known(_ text: String) throws -> (id: ListingID, saved: SavedListing) {
        let id = try ListingID(text)
        guard try store.listing(id) != nil else {
            throw Refusal.unknownListing("\(id)")
        }
        return (id, try shown(id, since: Timestamp(milliseconds: 0)))
    }
}

extension Listings {
    /// Returns a listing that was read already.
    func shown(_ found: FoundListing) -> Client.Listing {
        let time = saleIndexes.time(by: clock)
        return Client.Listing(
            store.shown(found, on: saleIndexes, at: time),
            on: saleIndexes,
            at: time
        )
    }
}

extension ListingID {
    /// The name of a listing in a vault: its author, then its slot.
    var vaultName: [UInt8] { author.bytes + slot.bytes }

    /// Reads a name; `nil` if it is none of a listing.
    init?(vaultName name: [UInt8]) {
        guard name.count == Address.byteCount + Bytes32.byteCount,
            let author = Address(name.prefix(Address.byteCount)),
            let slot = Bytes32(name.dropFirst(Address.byteCount))
        else { return nil }
        self.init(author: author, slot: slot)
    }
}

extension VaultContents {
    /// A listing that an account has saved.
    struct SavedEntry {
        let id: ListingID
        let time: Timestamp
        /// Its title when it was saved; `nil` if its entry has none.
        let title: String?
        /// The id of the sale that it had then; only a cart has it.
        let sale: Bytes32?
    }

    /// The listings of a section, latest first.
    ///
    /// A title is the end of the value; in a cart it follows the quantity, and a zero byte and the
    /// sale follow it.
    func listings(in section: VaultSection) -> [SavedEntry] {
        present(in: section).compactMap { entry in
            let value = (entry.value ?? []).dropFirst(section == .cart ? 1 : 0)
            let title = value.prefix { $0 != 0 }
            return ListingID(vaultName: entry.name).map { id in
                SavedEntry(
                    id: id,
                    time: entry.time,
                    title: title.isEmpty ? nil : String(validating: title, as: UTF8.self),
                    sale: Bytes32(value.dropFirst(title.count + 1))
                )
            }
        }
    }
}
