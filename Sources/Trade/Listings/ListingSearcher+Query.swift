package import Answers
package import Client
import Foundation
import Keys
import Market
import Setup
import Storage

extension ListingSearcher {
    /// Reads a query as a caller sent it.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `bad_amount`, `bad_address`, `unknown_chain`
    ///   or `ambiguous_chain`, and the field.
    func query(
        for wanted: ListingQuery,
        at time: Timestamp
    ) throws -> CatalogueQuery {
        var query = CatalogueQuery(text: wanted.text)
        (query.category, query.tag) = (wanted.category, wanted.tag)
        if let chain = wanted.chain { query.chain = try markets.chain(entered: chain).chain }
        if let author = wanted.author { query.author = try .entered(author, field: "author") }
        try readPrices(of: wanted, into: &query)
        try Self.readOrder(of: wanted, into: &query)
        if let stars = wanted.starsMin, !(1...5).contains(stars) {
            throw Refusal(.malformedValue, Sentence("refusal.starsRange"), field: "stars")
        }
        query.buyers = { [saleIndexes] in
            saleIndexes.sales(of: $0).map { $0?.state.buyerCount ?? 0 }
        }
        try Self.readKinds(of: wanted, into: &query)
        query.movingPrices = saleIndexes.kinds.movingPrices
        if !wanted.includesOver { query.openAt = time }
        if let after = wanted.after {
            guard let cursor = CatalogueCursor(text: after) else { throw Refusal.badPlace }
            (query.cursor, query.closeness) = (cursor, cursor.closeness)
        }
        return query
    }

    /// Reads the currency, and the prices in it.
    private func readPrices(of wanted: ListingQuery, into query: inout CatalogueQuery) throws {
        if let currency = wanted.currency {
            query.currency =
                currency == "native"
                ? .native : .token(try .entered(currency, field: "currency"))
            // On another chain, the same name means other money.
            if query.chain == nil, markets.all.count > 1 {
                query.chain = try markets.chain(ofCurrency: currency).chain
            }
        }
        if let most = wanted.priceMax { query.priceMax = try .entered(most, field: "priceMax") }
        if let least = wanted.priceMin { query.priceMin = try .entered(least, field: "priceMin") }
        guard query.currency != nil || (query.priceMin == nil && query.priceMax == nil) else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.priceNeedsCurrency"),
                field: "currency"
            )
        }
        if let least = query.priceMin, let most = query.priceMax, least > most {
            throw Refusal(.malformedValue, Sentence("refusal.pricesCrossed"), field: "priceMin")
        }
    }

    /// Reads the order, the caller's point, and the distance from it.
    private static func readOrder(
        of wanted: ListingQuery,
        into query: inout CatalogueQuery
    ) throws {
        if let sort = wanted.sort {
            query.order = try named(sort, CatalogueQuery.Order.init(rawValue:), orders, "sort")
            guard query.order != .nearest || wanted.near != nil else { throw needsPoint }
            guard query.currency != nil || query.order != .cheapest && query.order != .costliest
            else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.sortNeedsCurrency"),
                    field: "currency"
                )
            }
        }
        if let near = wanted.near { query.point = try point(near) }
        if let within = wanted.within {
            guard query.point != nil else { throw needsPoint }
            guard (1...ListingQuery.kilometresMax).contains(within) else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.withinRange", ["most": "\(ListingQuery.kilometresMax)"]),
                    field: "within"
                )
            }
            query.metresMax = within * 1_000
        }
    }

    /// Reads the kind of sale, the delivery, and its country.
    private static func readKinds(
        of wanted: ListingQuery,
        into query: inout CatalogueQuery
    ) throws {
        if let payment = wanted.payment {
            let names = SaleKinds.standard.names
            query.method = try named(payment, SaleKind.init(rawValue:), names, "payment")
        }
        if let delivery = wanted.delivery {
            let names = Delivery.Method.allCases.map(\.rawValue)
            query.delivery = try named(delivery, Delivery.Method.init(rawValue:), names, "delivery")
        }
        if let country = wanted.shipsTo {
            query.country = try Countries.entered(country, .malformedValue, field: "shipsTo")
        }
    }

    private static let needsPoint = Refusal(
        .malformedValue,
        Sentence("refusal.giveNear"),
        field: "near"
    )

    private static func point(
        _ entered: GeographicPoint
    ) throws(Refusal) -> ShippingLimits.Point {
        guard
            let point = ShippingLimits.Point(
                latitude: entered.latitude,
                longitude: entered.longitude
            )
        else { throw .noPoint("\(entered.latitude),\(entered.longitude)") }
        return point
    }

    /// The names of the orders in the API.
    package static let orders = CatalogueQuery.Order.allCases.map(\.rawValue)

    /// Reads one of some names.
    private static func named<Value>(
        _ text: String,
        _ value: (String) -> Value?,
        _ names: [String],
        _ field: String
    ) throws(Refusal) -> Value {
        guard names.contains(text), let value = value(text) else {
            let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
            throw Refusal(
                .malformedValue,
                Sentence(
                    "refusal.unknownValue",
                    ["text": text.quoted, "field": field, "values": all]
                ),
                field: field
            )
        }
        return value
    }
}

extension GeographicPoint {
    /// Reads latitude and longitude in degrees, such as `48.137,11.575`.
    package static func entered(_ text: String) throws(Refusal) -> GeographicPoint {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.trimmingCharacters(in: .whitespaces))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
            throw .noPoint(text)
        }
        return GeographicPoint(latitude: latitude, longitude: longitude)
    }
}

extension Refusal {
    fileprivate static func noPoint(_ text: String) -> Refusal {
        Refusal(
            .malformedValue,
            Sentence("refusal.notAPoint", ["text": text.quoted]),
            field: "near"
        )
    }
}
