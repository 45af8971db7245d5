import Market

/// The conditions of a query that do not select rows of the index.
struct CatalogueFilter {
    private let chain: UInt32?
    private let currency: UInt32?
    private let priceMin: Amount
    private let priceMax: Amount
    /// The kinds of sale that are found whatever their listed price.
    private let movingPrices: [UInt32]
    /// The time after which a row must end.
    private let openAt: Int64
    /// A point, and a distance in metres that a row's point must be nearer than.
    private let around: (point: ShippingLimits.Point, metres: Double)?

    /// Creates it for rows whose values have numbers already; `nil` if none of them can match.
    init?(_ query: CatalogueQuery, _ values: CatalogueValues) {
        let wanted = CatalogueMatch.isNeeded(for: query) ? nil : query.currency
        chain = query.chain.flatMap { values.chains.number(ifKnown: $0) }
        currency = wanted.flatMap { values.currencies.number(ifKnown: $0) }
        guard (chain == nil) == (query.chain == nil), (currency == nil) == (wanted == nil)
        else { return nil }
        (priceMin, priceMax) = (query.priceMin ?? .zero, query.priceMax ?? .max)
        movingPrices = query.movingPrices.compactMap {
            values.methods.number(ifKnown: $0.rawValue)
        }
        openAt = query.openAt?.stored ?? .min
        around = query.metresMax.flatMap { metres in
            query.point.map { (point: $0, metres: Double(metres)) }
        }
    }

    /// Whether a query has such conditions.
    static func isNeeded(for query: CatalogueQuery) -> Bool {
        query.chain != nil || query.openAt != nil || query.priceMin != nil || query.priceMax != nil
            || query.metresMax != nil
            || query.currency != nil && !CatalogueMatch.isNeeded(for: query)
    }

    func matches(_ row: CatalogueProperties.Row) -> Bool {
        guard !row.isMissing, row.ends > openAt else { return false }
        if let chain, row.chain != chain { return false }
        if let currency, row.currency != currency { return false }
        if let around {
            guard let point = row.point, point.metres(to: around.point) < around.metres
            else { return false }
        }
        return row.price >= priceMin && row.price <= priceMax
            || movingPrices.contains(UInt32(row.method))
    }
}
