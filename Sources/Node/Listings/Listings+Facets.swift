import Client
import Keys
import Market
import Storage

extension Listings {
    /// The maximum number of values of one facet.
    private static let valuesMax = 20

    /// Counts the matches by their properties, without those that are over unless they are wanted.
    nonisolated func facets(
        of query: CatalogueQuery,
        _ wanted: ListingQuery,
        at time: ListingTime
    ) async throws -> (facets: ListingFacets, total: ListingPage.Total) {
        let found = try await catalogue.properties(query)
        var counts = FacetCounts()
        for (row, match) in zip(found.rows, matches(found.sales, query, wanted, at: time)) {
            guard let match else { continue }
            counts.add(row, state: match.state.name, price: match.price ?? row.price)
        }
        let total = ListingPage.Total(count: counts.total, isLowerBound: !found.isComplete)
        return (counts.facets(found, valuesMax: Self.valuesMax), total)
    }
}

/// Counts of listings by the numbers of their properties.
private struct FacetCounts {
    private struct Prices {
        var least: Amount
        var most: Amount
    }

    private(set) var total = 0
    private var categories: [Int: Int] = [:]
    private var payments: [Int: Int] = [:]
    private var deliveries: [Int: Int] = [:]
    private var sellers: [Int: Int] = [:]
    private var currencies: [Int: Int] = [:]
    private var states: [String: Int] = [:]
    private var prices: [Int: Prices] = [:]

    mutating func add(_ row: CatalogueProperties.Row, state: String, price: Amount) {
        total += 1
        categories[row.category, default: 0] += 1
        payments[row.method, default: 0] += 1
        deliveries[row.delivery, default: 0] += 1
        sellers[row.seller, default: 0] += 1
        currencies[row.currency, default: 0] += 1
        states[state, default: 0] += 1
        if let known = prices[row.currency] {
            if price < known.least { prices[row.currency]?.least = price }
            if price > known.most { prices[row.currency]?.most = price }
        } else {
            prices[row.currency] = Prices(least: price, most: price)
        }
    }

    func facets(_ found: CatalogueProperties, valuesMax: Int) -> ListingFacets {
        func counts(_ numbers: [Int: Int], _ name: (Int) -> String) -> [ListingFacets.Count] {
            Self.sorted(numbers.map { (name($0.key), $0.value) }, valuesMax)
        }
        let tokens = found.currencies
        let prices = currencies.compactMap { number, count -> ListingFacets.Prices? in
            guard let range = self.prices[number] else { return nil }
            return ListingFacets.Prices(
                currency: tokens[number].name,
                count: count,
                least: range.least.decimal,
                most: range.most.decimal
            )
        }
        let (names, methods, ways) = (found.categories, found.methods, found.deliveries)
        let accounts = found.sellers
        return ListingFacets(
            categories: counts(categories) { names[$0] },
            payments: counts(payments) { methods[$0] },
            deliveries: counts(deliveries) { ways[$0] },
            states: Self.sorted(states.map { ($0.key, $0.value) }, valuesMax),
            sellers: counts(sellers) { accounts[$0].checksummed },
            prices: Array(
                prices.sorted { ($1.count, $0.currency) < ($0.count, $1.currency) }
                    .prefix(valuesMax)
            )
        )
    }

    /// The most frequent values first.
    private static func sorted(_ counts: [(String, Int)], _ valuesMax: Int) -> [ListingFacets.Count]
    {
        counts.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(valuesMax)
            .map { ListingFacets.Count(value: $0.0, count: $0.1) }
    }
}
