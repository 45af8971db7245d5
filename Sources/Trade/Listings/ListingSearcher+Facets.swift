import Client
import Keys
import Market
import Storage

extension ListingSearcher {
    /// The maximum number of values of one facet.
    private static let valuesMax = 20
    /// Of how many sellers the stars are counted: of those with most listings.
    private static let ratedMax = 100

    /// Counts the matches by their properties, without those that are over unless they are wanted.
    func facets(
        of filter: ListingFilter
    ) async throws -> (facets: ListingFacets, total: ListingPage.Total) {
        let (query, wanted) = (filter.query, filter.wanted)
        let found = try await catalogue.properties(query)
        var counts = FacetCounts(point: query.point)
        var lookups = SellerStars.Lookups()
        var reaches = wanted.destination.map { Reaches(to: $0) }
        var pieces = PieceLookups(store, on: saleIndexes, at: filter.time)
        let matches = try matches(found.sales, found.placesOfPieces, filter, &pieces)
        for (place, (row, match)) in zip(found.rows, matches).enumerated() {
            guard let match,
                !wanted.hidden.hides(saleOf: found.seller(row.seller), found.sales[place]?.id.hash)
            else { continue }
            guard try hasStars(found.seller(row.seller), wanted, &lookups) else { continue }
            let isReached = reaches?.include(row, in: found)
            guard !wanted.reachesOnly || isReached == true else { continue }
            if isReached == true { counts.reachesMe += 1 }
            counts.add(row, state: match.state, price: match.price ?? row.price)
        }
        let total = ListingPage.Total(
            count: counts.total,
            isLowerBound: !found.isComplete || lookups.areOver || pieces.areOver
                || wanted.reachesOnly && reaches?.areAllKnown == false
        )
        var facets = counts.facets(found, valuesMax: Self.valuesMax)
        // A count without the undecided listings would be wrong.
        if reaches?.areAllKnown == true { facets.reachesMe = counts.reachesMe }
        var rated: [(stars: Int, count: Int)] = []
        for seller in counts.sellers(found, countMax: Self.ratedMax) {
            guard let average = try stars.average(of: seller.value, &lookups) else { continue }
            rated.append((average, seller.count))
        }
        facets.stars = (1...5).reversed().map { least in
            let count = rated.filter { $0.stars >= least * 100 }.reduce(0) { $0 + $1.count }
            return ListingFacets.Count(value: "\(least)", count: count)
        }.filter { $0.count > 0 }
        // The same currency's name means other money on another chain.
        if query.chain == nil, markets.all.count > 1 { facets.prices = [] }
        return (facets, total)
    }
}

/// Finds which listings are shipped to a destination, handed over or delivered online.
private struct Reaches {
    private let destination: Destination
    /// Whether those without a point, by their numbers, include it.
    private var known: [UInt16: Bool] = [:]
    /// Whether all were known; those that are not count as outside.
    private(set) var areAllKnown = true

    init(to destination: Destination) { self.destination = destination }

    mutating func include(_ row: CatalogueProperties.Row, in found: CatalogueProperties) -> Bool {
        if let known = known[row.reach] { return known }
        guard let reach = found.reach(row.reach) else {
            areAllKnown = false
            return false
        }
        let isIncluded = reach.includes(destination, around: row.point)
        if row.point == nil { known[row.reach] = isIncluded }
        return isIncluded
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

        /// The values that occur, the most frequent first; on a tie, in their own order.
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
    var reachesMe = 0
    private var categories = Counts()
    private var payments = Counts()
    private var deliveries = Counts()
    private var sellers = Counts()
    private var currencies = Counts()
    private var states = Counts()
    private var prices: [UInt32: Prices] = [:]
    /// The distances of listings with a point, in metres, if the caller says where it is.
    private var distances: [Double] = []
    private let point: ShippingLimits.Point?

    /// The distances up to which is counted, in kilometres.
    private static let kilometres = [5, 10, 25, 50, 100, 250, 500]

    init(point: ShippingLimits.Point?) { self.point = point }

    mutating func add(_ row: CatalogueProperties.Row, state: ListingState, price: Amount) {
        total += 1
        categories.add(row.category)
        payments.add(row.method)
        deliveries.add(row.delivery)
        sellers.add(row.seller)
        currencies.add(row.currency)
        states.add(state.number)
        if let point, let place = row.point { distances.append(place.metres(to: point)) }
        if let known = prices[row.currency] {
            if price < known.least { prices[row.currency]?.least = price }
            if price > known.most { prices[row.currency]?.most = price }
        } else {
            prices[row.currency] = Prices(least: price, most: price)
        }
    }

    /// The sellers with most listings.
    func sellers(
        _ found: CatalogueProperties,
        countMax: Int
    ) -> [(value: Address, number: Int, count: Int)] {
        sellers.sorted(countMax) { found.seller(UInt32($0)) }
    }

    func facets(_ found: CatalogueProperties, valuesMax: Int) -> ListingFacets {
        func counts(
            _ counts: Counts,
            in area: String,
            _ name: (Int) -> String
        ) -> [ListingFacets.Count] {
            let named = SentencePatterns.english.values(in: area)
            return counts.sorted(valuesMax, name).map { value, _, count in
                let name = named.contains(value) ? Sentence("\(area).\(value)") : nil
                return ListingFacets.Count(value: value, count: count, name: name)
            }
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
        let sellers = sellers(found, countMax: valuesMax)
            .map { ListingFacets.Count(value: $0.value.checksummed, count: $0.count) }
        return ListingFacets(
            categories: counts(categories, in: "category") { found.category(UInt32($0)) },
            payments: counts(payments, in: "payment") { found.method(UInt16($0)) },
            deliveries: counts(deliveries, in: "delivery") { found.delivery(UInt16($0)) },
            states: counts(states, in: "state") { ListingState.names[$0] },
            sellers: sellers,
            prices: prices,
            distances: Self.kilometres.map { kilometres in
                ListingFacets.Count(
                    value: "\(kilometres)",
                    count: distances.count { $0 < Double(kilometres) * 1_000 }
                )
            }.filter { $0.count > 0 }
        )
    }
}
