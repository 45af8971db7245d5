package import Keys
package import Market

/// The properties of the listings that match a query, as far as they were looked at.
package struct CatalogueProperties: Sendable {
    /// One match; the numbers are places in ``Names``.
    package struct Row: Sendable {
        package let category: Int
        package let method: Int
        package let delivery: Int
        package let currency: Int
        package let seller: Int
        let storedPrice: StoredBytes

        /// The listed price.
        package var price: Amount { Amount(bigEndian: storedPrice.bytes) ?? .zero }
    }

    /// Each value once, as the index has it.
    struct Names: Sendable {
        var categories = Values<String>()
        var methods = Values<String>()
        var deliveries = Values<String>()
        var currencies = Values<StoredBytes>()
        var sellers = Values<StoredBytes>()
    }

    /// The values of one property, numbered as they occur.
    struct Values<Value: Hashable & Sendable>: Sendable {
        private(set) var values: [Value] = []
        private var numbers: [Value: Int] = [:]
        /// Neighbours are often alike.
        private var last = 0

        mutating func number(of value: Value) -> Int {
            if last < values.count, values[last] == value { return last }
            if let number = numbers[value] {
                last = number
                return number
            }
            last = values.count
            numbers[value] = last
            values.append(value)
            return last
        }
    }

    package let rows: [Row]
    /// The sale that each row names, `nil` if it names none.
    package let sales: [SaleReference?]
    let names: Names
    /// Whether all that could match was looked at; otherwise more can match.
    package let isComplete: Bool

    package var categories: [String] { names.categories.values }
    package var methods: [String] { names.methods.values }
    package var deliveries: [String] { names.deliveries.values }
    package var currencies: [Currency] {
        names.currencies.values.map { stored in
            guard let address = Address(stored.bytes), address != .zero else { return .native }
            return .token(address)
        }
    }
    package var sellers: [Address] {
        names.sellers.values.map { Address($0.bytes) ?? .zero }
    }
}
