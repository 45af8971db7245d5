import Answers
package import Client
import Keys
import Market
import Setup
import Storage

/// Lists of reviews, page by page.
extension Reviews {
    /// Returns one page of the reviews of one sale, newest first.
    ///
    /// - Parameters:
    ///   - text: The sale's id.
    ///   - after: The `next` of the previous page.
    ///   - limit: The maximum number of reviews.
    /// - Returns: The reviews, and where the next page begins.
    /// - Throws: ``Refusal`` with `unknown_sale` or `malformed_value`.
    package func reviews(
        ofSale text: String,
        after: String? = nil,
        limit: Int
    ) throws -> Page<Client.Review> {
        guard let hash = Bytes32(hex: text) else {
            throw Refusal(
                .unknownSale,
                Sentence("refusal.noSaleWithWords", ["text": text.quoted]),
                field: "sale"
            )
        }
        return try page(about: [hash], after: after, limit: limit)
    }

    /// Returns one page of the reviews of the sale that a listing names, newest first; if it has
    /// several pieces, the reviews of all.
    ///
    /// - Parameters: As ``reviews(ofSale:after:limit:)``; `text` is the listing's id.
    /// - Returns: The reviews, and where the next page begins.
    /// - Throws: ``Refusal`` with `unknown_listing` or `malformed_value`.
    package func reviews(
        ofListing text: String,
        after: String? = nil,
        limit: Int
    ) throws -> Page<Client.Review> {
        guard let found = try store.listing(try ListingID(text)) else {
            throw Refusal.unknownListing(text.quoted)
        }
        let sales = try store.pieces(of: found).pieces.compactMap { $0.listing.sale?.id.hash }
        return try page(about: sales, after: after, limit: limit)
    }

    /// Returns one page of the reviews about an account, over all its sales, newest first.
    ///
    /// - Parameters: As ``reviews(ofSale:after:limit:)``; `text` is the account's address.
    /// - Returns: The reviews, and where the next page begins.
    /// - Throws: ``Refusal`` with `bad_address` or `malformed_value`.
    package func reviews(
        ofAccount text: String,
        after: String? = nil,
        limit: Int
    ) throws -> Page<Client.Review> {
        let account = try Address.entered(text, field: "account")
        // Nobody reviews one of many students or a bidder that was outbid.
        let sales = saleIndexes.sales(of: account).filter {
            $0.seller == account || $0.buyer == account
        }
        return try page(about: sales.map(\.id.hash), after: after, limit: limit) {
            $0.subject == account.checksummed
        }
    }

    private func page(
        about sales: [Bytes32],
        after: String?,
        limit: Int,
        where isWanted: (Client.Review) -> Bool = { _ in true }
    ) throws -> Page<Client.Review> {
        let place = try after.map { RecordOrderKey(try PageCursor(entered: $0)) }
        // Of one sale, the account's own review alone is not about it; one more says if more
        // follow.
        let most = limit + 2
        let lists = try store.read { transaction in
            try sales.map {
                try transaction.recordPlaces(of: .review, about: $0, beyond: place, limit: most)
            }
        }
        // After it, lists that continue lack entries.
        let end = lists.filter { $0.count == most }.compactMap(\.last).max()
        var items: [Client.Review] = []
        var last: RecordOrderKey?
        for place in lists.joined().sorted(by: >) {
            if let end, place < end { break }
            guard items.count < limit else { return Page(items: items, next: last?.cursor.text) }
            last = place
            guard let review = try review(place.id), isWanted(review) else { continue }
            items.append(review)
        }
        return Page(items: items, next: end?.cursor.text)
    }

    private func review(_ id: RecordID) throws -> Client.Review? {
        guard let record = try store.read({ try $0.record(id) })?.readable(),
            case .review(let review) = record.content
        else { return nil }
        return try shown(record, review)
    }
}

extension RecordOrderKey {
    fileprivate init(_ cursor: PageCursor) {
        let time = Timestamp(milliseconds: cursor.major)
        self.init(kind: .review, time: time, id: RecordID(cursor.id))
    }

    fileprivate var cursor: PageCursor { PageCursor(time.milliseconds, id: id.digest) }
}
