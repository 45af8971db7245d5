import Foundation
import GRDB
package import Keys
package import Market

/// The properties of the listings that match a query, as far as they were looked at.
package struct CatalogueProperties: Sendable {
    /// One match; the numbers are places in ``Names``.
    package struct Row: Sendable {
        package let sale: SaleReference?
        package let category: Int
        package let method: Int
        package let delivery: Int
        package let currency: Int
        package let seller: Int
        /// The listed price.
        package let price: Amount
    }

    /// Each value once, as the index has it.
    struct Names: Sendable {
        var categories = Values()
        var methods = Values()
        var deliveries = Values()
        var currencies = Values()
        var sellers = Values()

        mutating func number(
            of row: GRDB.Row,
            _ column: Int,
            in values: WritableKeyPath<Names, Values>
        ) throws -> Int {
            try row.withUnsafeData(atIndex: column) {
                self[keyPath: values].number(of: $0 ?? Data())
            }
        }
    }

    /// The values of one property, numbered as they occur.
    struct Values: Sendable {
        private(set) var values: [Data] = []
        private var numbers: [Data: Int] = [:]
        /// Neighbours are often alike.
        private var last = 0

        /// - Parameter value: Bytes that may be gone when this returns.
        mutating func number(of value: Data) -> Int {
            if last < values.count, values[last] == value { return last }
            if let number = numbers[value] {
                last = number
                return number
            }
            let copy = Data([UInt8](value))
            last = values.count
            numbers[copy] = last
            values.append(copy)
            return last
        }
    }

    package let rows: [Row]
    let names: Names
    /// Whether all that could match was looked at; otherwise more can match.
    package let isComplete: Bool

    package var categories: [String] { Self.texts(names.categories) }
    package var methods: [String] { Self.texts(names.methods) }
    package var deliveries: [String] { Self.texts(names.deliveries) }
    package var currencies: [Currency] {
        names.currencies.values.map { data in
            guard let address = Address([UInt8](data)), address != .zero else { return .native }
            return .token(address)
        }
    }
    package var sellers: [Address] {
        names.sellers.values.map { Address([UInt8]($0)) ?? .zero }
    }

    private static func texts(_ values: Values) -> [String] {
        values.values.map { String(decoding: $0, as: UTF8.self) }
    }
}
