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
        at time: ListingTimes
    ) async throws -> (facets: ListingFacets, total: ListingPage.Total) {
        let found = try await catalogue.properties(query)
        var counts = FacetCounts()
        let matches = matches(found.sales, query, wanted, at: time)
        for (place, (row, match)) in zip(found.rows, matches).enumerated() {
            guard let match,
                !wanted.hidden.hides(
                    saleOf: found.seller(row.seller),
                    found.sales[place]?.id.hash
                )
            else { continue }
            counts.add(row, state: match.state, price: match.price ?? row.price)
        }
        let total = ListingPage.Total(count: counts.total, isLowerBound: !found.isComplete)
        var facets = counts.facets(found, valuesMax: Self.valuesMax)
        // The same currency's name means other money on another chain.
        if query.chain == nil, markets.all.count > 1 { facets.prices = [] }
        return (facets, total)
    }
}

/// Counts of listings by the numbers of their properties.
private struct FacetCounts {
    /// How many listings have the value of each number.
    private struct Counts {
        private var counts: [Int] = []

        mutating func add(_ number: some UnsignedInteger) {
            let number = Int(number)
            if number >= counts.count {
                counts += [Int](repeating: 0, count: number + 1 - counts.count)
            }
            counts[number] += 1
        }

        /// The values that occur, the most frequent first; of equal counts, in their own order.
        func sorted<Value: Comparable>(
            _ countMax: Int,
            _ value: (Int) -> Value
        ) -> [(value: Value, number: Int, count: Int)] {
            let found = counts.indices.filter { counts[$0] > 0 }
                .map { (value: value($0), number: $0, count: counts[$0]) }
            return Array(
                found.sorted { ($1.count, $0.value) < ($0.count, $1.value) }.prefix(countMax)
            )
        }
    }

    private struct Prices {
        var least: Amount
        var most: Amount
    }

    private(set) var total = 0
    private var categories = Counts()
    private var payments = Counts()
    private var deliveries = Counts()
    private var sellers = Counts()
    private var currencies = Counts()
    private var states = Counts()
    private var prices: [UInt32: Prices] = [:]

    mutating func add(_ row: CatalogueProperties.Row, state: ListingState, price: Amount) {
        total += 1
        categories.add(row.category)
        payments.add(row.method)
        deliveries.add(row.delivery)
        sellers.add(row.seller)
        currencies.add(row.currency)
        states.add(state.number)
        if let known = prices[row.currency] {
            if price < known.least { prices[row.currency]?.least = price }
            if price > known.most { prices[row.currency]?.most = price }
        } else {
            prices[row.currency] = Prices(least: price, most: price)
        }
    }

    func facets(_ found: CatalogueProperties, valuesMax: Int) -> ListingFacets {
        func counts(_ counts: Counts, _ name: (Int) -> String) -> [ListingFacets.Count] {
            counts.sorted(valuesMax, name)
                .map { ListingFacets.Count(value: $0.value, count: $0.count) }
        }
        let prices = currencies.sorted(valuesMax) { found.currency(UInt32($0)).name }
            .compactMap { name, number, count -> ListingFacets.Prices? in
                guard let range = self.prices[UInt32(number)] else { return nil }
                return ListingFacets.Prices(
                    currency: name,
                    count: count,
                    least: range.least.decimal,
                    most: range.most.decimal
                )
            }
        // The text of an address takes a hash, so it is made for those that are shown.
        let sellers = sellers.sorted(valuesMax) { found.seller(UInt32($0)) }
            .map { ListingFacets.Count(value: $0.value.checksummed, count: $0.count) }
        return ListingFacets(
            categories: counts(categories) { found.category(UInt32($0)) },
            payments: counts(payments) { found.method(UInt16($0)) },
            deliveries: counts(deliveries) { found.delivery(UInt16($0)) },
            states: counts(states) { ListingState.names[$0] },
            sellers: sellers,
            prices: prices
        )
    }
}
