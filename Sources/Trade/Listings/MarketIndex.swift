package import Answers
import Client
package import Concurrency
import Contracts
package import Keys
import Market
import Setup
package import Storage

/// Finds listings and sales by the prefix of an id or by words of a title.
package struct MarketIndex: Sendable {
    let store: Store
    let catalogue: Catalogue
    let saleIndexes: SaleIndexes
    private let clock: any WallClock

    /// The maximum number of catalogue pages that are read for a title.
    private static let pagesMax = 20

    /// The maximum number of listings that are searched for those of one author with a prefix.
    private static let prefixedMax = 1_000

    /// The maximum number of sellers that are compared with a shortened address.
    private static let sellersMax = 100

    /// The listings that words of a title can find.
    package enum Titles: Sendable {
        /// None: a title must not choose anything that is signed.
        case none
        /// All listings here, sold ones too: anybody can give a listing any title.
        case all
        /// Those that the chain shows on sale; if there are none, sold ones, so that they can be
        /// named.
        case onSale
    }

    /// The use of a sale that words of a title name.
    ///
    /// Of several sales with these words, those in which it is possible are meant, if there are
    /// any.
    package enum SaleUse: Sendable {
        case any
        /// A move, by its API name.
        case move(String)
        case review
        /// Selling again what was bought.
        case resale
    }

    package init(
        store: Store,
        catalogue: Catalogue,
        saleIndexes: SaleIndexes,
        clock: any WallClock
    ) {
        (self.store, self.catalogue, self.saleIndexes) = (store, catalogue, saleIndexes)
        self.clock = clock
    }

    /// Returns the whole id of a listing.
    ///
    /// - Parameters:
    ///   - text: An id or a prefix of its own part, with or without its author before it; or
    ///   - titles: The listings that words of a title can find; a person must see the matches
    ///     before anything is signed.
    ///   - owner: The account whose listings are found before all others, for an action that only
    ///     an owner can take: anybody can give a listing any title.
    /// - Returns: The id, or the text as it is if it finds no listing.
    /// - Throws: ``Refusal`` with `ambiguous_id`.
    package func listing(
        _ text: String,
        by titles: Titles,
        preferring owner: Address? = nil
    ) async throws -> String {
        let text = ListingID.withoutScheme(text)
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        let author = parts.count == 2 ? try? Address(text: parts[0]) : nil
        let own = author == nil ? text : parts[1]
        if author != nil, Bytes32(hex: own) != nil { return text }
        try await catalogue.catchUp()
        if author == nil, let owner {
            let found = try await found(text, own, titles, by: owner)
            if let id = try only(found, text) { return id }
        }
        return try only(try await found(text, own, titles, by: author), text) ?? text
    }

    /// Returns the listings that a text can mean, all of them by `author` if there is one.
    private func found(
        _ text: String,
        _ own: String,
        _ titles: Titles,
        by author: Address?
    ) async throws -> [FoundListing] {
        var found: [FoundListing] = []
        if let prefix = IDPrefix(own) {
            let ids = try await catalogue.listings(
                from: prefix.first,
                through: prefix.last,
                // Others choose the own part of an id, so theirs may come first.
                limit: author == nil ? NamedID.shownMax + 1 : Self.prefixedMax
            )
            found = try store.listings(ids).filter { author == nil || $0.id.author == author }
        }
        if titles != .none, !text.hasPrefix("0x") {
            // An author chooses the id's own part too, so neither is preferred.
            let begun = Set(found.map(\.id))
            found += try await titled(text, titles, by: author).filter { !begun.contains($0.id) }
        }
        return found
    }

    /// Returns the authors of listings here whose addresses are shortened to `prefix`.
    package func sellers(_ prefix: AddressPrefix) async throws -> [Address] {
        try await catalogue.catchUp()
        return try await catalogue.authors(
            from: prefix.first,
            through: prefix.last,
            limit: Self.sellersMax
        ).filter(prefix.matches)
    }

    /// Returns the whole id of a sale; words of a title mean a sale of the account's own.
    ///
    /// The title is the one promised on the chain. A seller can change a listing's title after the
    /// sale, and could otherwise choose which sale is found.
    ///
    /// - Parameters:
    ///   - text: An id or a prefix of it, or words of a title.
    ///   - account: The account whose sales are found by their titles.
    ///   - takesTitles: Whether words of a title are accepted; a person must see the matches
    ///     before anything is signed.
    ///   - use: The purpose of the search.
    ///   - prefersOver: Whether words of a title mean sales that are over, if any match, as for
    ///     reviews; otherwise those that are not.
    /// - Returns: The id, or the text as it is if it finds no sale.
    /// - Throws: ``Refusal`` with `ambiguous_id`.
    package func sale(
        _ text: String,
        for account: Address?,
        takesTitles: Bool,
        use: SaleUse = .any,
        prefersOver: Bool = false
    ) throws -> String {
        if Bytes32(hex: text) != nil { return text }
        var found: [Market.Sale] = []
        if let prefix = IDPrefix(text) {
            let begun = saleIndexes.sales(between: prefix.first, prefix.last)
            found = Array(begun.prefix(NamedID.shownMax + 1))
        }
        if let account, takesTitles, !text.isEmpty, !text.hasPrefix("0x") {
            let begun = Set(found.map(\.reference))
            found += try titled(text, of: account, for: use, prefersOver).filter {
                !begun.contains($0.reference)
            }
        }
        let candidates = try found.map { try candidate($0) }
        return try NamedID.only(candidates, text, field: "sale") ?? text
    }

    /// Returns the id of the sale that a listing names, by the listing's id or the first digits of
    /// it; `nil` if the text is no such id, or that of a sale.
    package func sale(ofListing text: String) async throws -> String? {
        guard try saleIndexes.onlyView(entered: text) == nil,
            let id = try? ListingID(try await listing(text, by: .none))
        else { return nil }
        return try store.listing(id)?.listing.sale?.id.description
    }

    /// Returns the account's sales that were promised with these words in the title.
    ///
    /// Only those that can be used so, if there are any; or else
    /// only those that are over, or only those that are not, if there are any. They do not hide
    /// others with exactly this title, unless one of them also has it.
    private func titled(
        _ text: String,
        of account: Address,
        for use: SaleUse,
        _ prefersOver: Bool
    ) throws -> [Market.Sale] {
        var (matching, preferred, others): ([Market.Sale], [Market.Sale], [Market.Sale]) = (
            [], [], []
        )
        var isWhole = false
        for sale in saleIndexes.views(of: account).map(\.sale) {
            guard let title = try store.promise(of: sale)?.title, title.hasWords(of: text) else {
                continue
            }
            matching.append(sale)
            let isTitle = title.folded == text.folded
            if (sale.stage == .over) == prefersOver {
                preferred.append(sale)
                isWhole = isWhole || isTitle
            } else if isTitle {
                others.append(sale)
            }
        }
        let usable = try matching.filter { try allows(use, in: $0, by: account) }
        if !usable.isEmpty { return usable }
        if preferred.isEmpty { return matching }
        return isWhole ? preferred : preferred + others
    }

    /// Returns the listings with these words in their title.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_id` if there are too many to look at.
    private func titled(
        _ text: String,
        _ titles: Titles,
        by author: Address?
    ) async throws -> [FoundListing] {
        var query = CatalogueQuery(text: text)
        query.author = author
        query.limit = CatalogueQuery.limitMax
        var (found, sold): ([FoundListing], [FoundListing]) = ([], [])
        for _ in 0..<Self.pagesMax {
            let page = try await catalogue.search(query)
            for listing in try store.listings(page.ids)
            where listing.listing.title.hasWords(of: text) {
                if try titles == .all || isOnSale(listing) {
                    found.append(listing)
                } else if isPromised(listing) {
                    sold.append(listing)
                }
            }
            guard found.count <= NamedID.shownMax else { return found }
            guard let next = page.next else { return found.isEmpty ? sold : found }
            query.cursor = next
        }
        throw Refusal(
            .ambiguousID,
            Sentence("refusal.tooManyFound", ["text": text.quoted]),
            field: "listing"
        )
    }

    /// Returns whether the offer is open for purchases or bids, even if there is a bid.
    private func isOnSale(_ found: FoundListing) throws -> Bool {
        let time = saleIndexes.time(by: clock)
        return try store.pieces(of: found).free(on: saleIndexes, at: time)
            .contains(where: isPromised)
    }

    /// Returns whether the chain shows a sale that was made for this listing.
    private func isPromised(_ found: FoundListing) -> Bool {
        guard let reference = found.listing.sale, let sale = saleIndexes.view(of: reference)?.sale,
            sale.seller == found.id.author
        else { return false }
        return found.listing.fulfilment(slot: found.id.slot, sale: sale) != .notPromised
    }

    private func only(_ found: [FoundListing], _ text: String) throws -> String? {
        guard found.count > 1 else { return found.first?.id.description }
        return try NamedID.only(try found.map { try candidate($0) }, text, field: "listing")
    }
}

/// The words by which a person chooses among several listings or sales.
extension MarketIndex {
    private func candidate(_ found: FoundListing) throws -> NamedID {
        let (listing, offer) = (found.listing, found.listing.terms.offer)
        let sale = listing.sale.flatMap { saleIndexes.view(of: $0)?.sale }
        return NamedID(
            id: found.id.description,
            try words(
                found.id.description,
                listing.title,
                offer.price.value(in: offer.currency, on: listing.chain),
                found.id.author,
                sale.map { "phase.\($0.status.name)" } ?? "state.without_sale",
                on: listing.chain
            )
        )
    }

    private func candidate(_ sale: Market.Sale) throws -> NamedID {
        let chain = sale.reference.contract.chain
        return NamedID(
            id: sale.id.description,
            try words(
                sale.id.description,
                try store.promise(of: sale)?.title ?? "",
                sale.price.value(in: sale.currency, on: chain),
                sale.seller,
                "phase.\(sale.status.name)",
                on: chain
            )
        )
    }

    private func words(
        _ id: String,
        _ title: String,
        _ price: String,
        _ seller: Address,
        _ state: String,
        on chain: ChainID
    ) throws -> Sentence {
        let address = seller.checksummed
        let short = "\(address.prefix(6))…\(address.suffix(4))"
        let name = try store.read { try $0.profileName(of: seller) }
        let values = [
            "id": id, "title": title.quoted, "price": price,
            "seller": name.map { "\($0.quoted), \(short)" } ?? short, "state": state,
        ]
        guard let registry = saleIndexes[chain]?.deployment.registry else {
            return Sentence("match.offer", values)
        }
        return Sentence("match.offer", values, in: registry)
    }

    /// Returns whether a sale can be used by an account of it now.
    private func allows(
        _ use: SaleUse,
        in sale: Market.Sale,
        by account: Address
    ) throws -> Bool {
        switch use {
        case .any: return false
        case .move(let name):
            guard let view = saleIndexes.view(of: sale.reference) else { return false }
            let index = saleIndexes[sale]
            let time = index.time ?? sale.position.time
            return index.actions(in: view, for: account, at: time).contains { $0.move == name }
        case .review:
            return try store.read { try $0.roundToReview(of: sale, by: account) } != nil
        case .resale: return sale.buyer == account && sale.isHandedOver
        }
    }
}

extension String {
    /// Returns whether each word of `text` begins a word of this one.
    func hasWords(of text: String) -> Bool {
        let own = folded.split { !$0.isLetter && !$0.isNumber }
        let words = text.folded.split { !$0.isLetter && !$0.isNumber }
        return !words.isEmpty && words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
}
