import Keys
import Market
import Storage
import Support

/// Listings as a plain list, which answers queries by looking at each of them.
struct CatalogueModel {
    static let words = ["red", "blue", "bicycle", "lamp"]
    static let categories = ["tool", "toy", "vehicle"]
    static let currencies: [Currency] = [.native, .token(SampleRecords.key(9).address)]

    /// A listing, and what queries look at.
    struct Entry {
        let record: SignedRecord
        let listing: Listing
        let title: Set<String>
        let words: Set<String>
        /// How many listings were added before it.
        var row: Int
    }

    private(set) var entries: [Entry] = []
    private var added = 0

    /// Adds a listing to the model and to a harness; it replaces one with the same slot and author.
    mutating func add(_ slot: UInt8, to harness: CatalogueHarness, _ random: inout SeededRandom)
        async throws
    {
        func some(_ values: [String], _ random: inout SeededRandom) -> [String] {
            values.filter { _ in Bool.random(using: &random) }
        }
        let title = some(Self.words, &random) + ["thing"]
        let others = some(Self.words, &random) + ["works"]
        let ends = UInt64.random(in: 1...5, using: &random)
        let contract = SampleRecords.key(UInt8.random(in: 10...11, using: &random)).address
        let sale = SaleID(Bytes32.random(using: &random))
        let author = slot % 3 + 1
        let before = entries.filter { $0.record.slot == Bytes32(repeating: slot) }
        let time = (before.first?.record.createdAt.milliseconds).map { $0 + 1 }
        let record = try SampleListings.record(
            slot,
            title: title.joined(separator: " "),
            description: others.joined(separator: " "),
            price: String(10_000 * Int.random(in: 1...9, using: &random)),
            category: Self.categories.randomElement(using: &random) ?? "",
            delivery: try Self.delivery(&random),
            endsAt: ends > 3 ? nil : .sample(ends * 1_000),
            author: author,
            at: time.map { Timestamp(milliseconds: $0) }
                ?? .sample(UInt64.random(in: 1...40, using: &random)),
            currency: Self.currencies.randomElement(using: &random) ?? .native,
            isAuction: Bool.random(using: &random),
            anchor: Bool.random(using: &random)
                ? nil : ListingAnchor(contract: contract, sale: sale, promised: nil)
        )
        guard case .listing(let listing) = record.content else { return }
        entries.removeAll { $0.record.key == record.key }
        entries.append(
            Entry(
                record: record,
                listing: listing,
                title: Set(title),
                words: Set(title + others),
                row: added
            )
        )
        added += 1
        try await harness.add(record)
    }

    private static func delivery(_ random: inout SeededRandom) throws -> Delivery? {
        switch random.next() % 4 {
        case 0, 1: return .pickup(place: "bern")
        case 2: return nil
        default:
            let point = ShippingLimits.Point(latitude: Double(random.next() % 90), longitude: 7)
            return try point.map {
                .shipping(try ShippingLimits(.distance(metres: 1_000, centre: $0, place: "bern")))
            }
        }
    }

    /// Withdraws a listing from the model and from a harness.
    mutating func withdraw(_ slot: UInt8, from harness: CatalogueHarness) async throws {
        guard let old = entries.first(where: { $0.record.slot == Bytes32(repeating: slot) })
        else { return }
        entries.removeAll { $0.record.key == old.record.key }
        let time = Timestamp(milliseconds: old.record.createdAt.milliseconds + 1)
        try await harness.add(
            SampleRecords.record(.listing, by: slot % 3 + 1, slot: slot, at: time)
        )
    }

    /// The listings that match, in the order of the query.
    func matches(_ query: CatalogueQuery) -> [RecordID] {
        let found = newest(query).filter { isSelected($0, query) && passes($0, query) }
        let sorted: [Entry] =
            switch query.order {
            case .newest: found
            case .oldest: found.reversed()
            case .relevance:
                found.filter { isTitled($0, query) } + found.filter { !isTitled($0, query) }
            case .cheapest:
                found.sorted { ($0.listing.terms.price, $0.row) < ($1.listing.terms.price, $1.row) }
            case .costliest:
                found.sorted { ($0.listing.terms.price, $0.row) > ($1.listing.terms.price, $1.row) }
            case .ending: found.sorted { (end($0), $1.row) < (end($1), $0.row) }
            case .nearest:
                found.sorted {
                    (distance($0, query), $1.row) < (distance($1, query), $0.row)
                }
            case .popular:
                found.sorted { (Self.buyers($0), $0.row) > (Self.buyers($1), $1.row) }
            }
        return sorted.map(\.record.id)
    }

    /// The matches among the newest `rowsMax` of those that words and properties select, and whether
    /// that is all.
    func counted(_ query: CatalogueQuery, rowsMax: Int) -> (found: [Entry], isComplete: Bool) {
        let selected = newest(query).filter { isSelected($0, query) }
        let found = selected.prefix(rowsMax).filter { passes($0, query) }
        return (found, selected.count <= rowsMax)
    }

    /// Words and some properties are looked up in the order of rows; the rest, in the order of time.
    private func newest(_ query: CatalogueQuery) -> [Entry] {
        isByRow(query)
            ? entries.sorted { $0.row > $1.row }
            : entries.sorted { (time($0), $0.row) > (time($1), $1.row) }
    }

    private func isByRow(_ query: CatalogueQuery) -> Bool {
        if query.text != nil || query.method != nil || query.delivery != nil { return true }
        if query.author != nil, query.category != nil { return true }
        let isByPrice = query.order == .cheapest || query.order == .costliest
        let isNamed = query.author != nil || query.category != nil
        return query.currency != nil && (isNamed || !isByPrice)
    }

    private func isSelected(_ entry: Entry, _ query: CatalogueQuery) -> Bool {
        let words = query.text?.split(separator: " ").map(String.init) ?? []
        let hasAll = entry.words.isSuperset(of: words)
        let hasSome = words.count > 1 && !entry.words.isDisjoint(with: words)
        return (query.closeness == .whole ? hasAll : hasSome && !hasAll)
            && query.category ?? entry.listing.category == entry.listing.category
            && query.author ?? entry.record.author == entry.record.author
            && query.method ?? entry.listing.terms.kind == entry.listing.terms.kind
            && query.delivery ?? entry.listing.delivery.method == entry.listing.delivery.method
            && (!isByRow(query) || isInCurrency(entry, query))
    }

    private func passes(_ entry: Entry, _ query: CatalogueQuery) -> Bool {
        let price = entry.listing.terms.price
        return isInCurrency(entry, query)
            && query.chain ?? entry.listing.chain == entry.listing.chain
            && (price >= query.priceMin ?? .zero && price <= query.priceMax ?? .max
                || query.movingPrices.contains(entry.listing.terms.kind))
            && query.openAt.map { end(entry) > $0.milliseconds } ?? true
    }

    private func isInCurrency(_ entry: Entry, _ query: CatalogueQuery) -> Bool {
        query.currency ?? entry.listing.terms.currency == entry.listing.terms.currency
    }

    private func isTitled(_ entry: Entry, _ query: CatalogueQuery) -> Bool {
        let words = query.text?.split(separator: " ").map(String.init) ?? []
        return query.closeness == .whole
            ? entry.title.isSuperset(of: words) : !entry.title.isDisjoint(with: words)
    }

    private static func buyers(_ entry: Entry) -> UInt64 { buyers([entry.listing.sale])[0] }

    /// Makes up how many have bought.
    static func buyers(_ sales: [SaleReference?]) -> [UInt64] {
        sales.map { UInt64($0?.id.hash.bytes[0] ?? 0) % 3 }
    }

    private func distance(_ entry: Entry, _ query: CatalogueQuery) -> UInt64 {
        guard let point = query.point, let centre = entry.listing.delivery.point else {
            return .max
        }
        return UInt64(centre.metres(to: point))
    }

    private func end(_ entry: Entry) -> UInt64 { entry.listing.endsAt?.milliseconds ?? .max }
    private func time(_ entry: Entry) -> UInt64 { entry.record.createdAt.milliseconds }
}
