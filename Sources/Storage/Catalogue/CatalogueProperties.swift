package import Keys
package import Market

/// The properties of the listings that match a query, as far as they were looked at.
package struct CatalogueProperties: Sendable {
    /// One match; the numbers represent values that the functions of the result return.
    package struct Row: Sendable {
        // In this order, it takes 104 bytes.
        /// The listed price.
        package let price: Amount
        let sale: Bytes32
        let ends: Int64
        package let category: UInt32
        package let currency: UInt32
        package let seller: UInt32
        let chain: UInt32
        private let storedContract: UInt32
        /// Where it can be sent; ``NumberedReaches/unknown`` if its reach has no number.
        package let reach: UInt16
        private let storedMethod: UInt8
        /// The number of the delivery, and in the highest bit whether it stands for several pieces.
        private let storedDelivery: UInt8
        /// Both `Int32.min` if the listing states no point.
        private let latitude: Int32
        private let longitude: Int32

        package var method: UInt16 { UInt16(storedMethod) }
        package var delivery: UInt16 { UInt16(storedDelivery & Self.deliveryMax) }
        /// Whether it is the first of several pieces, and stands for all of them.
        package var hasPieces: Bool { storedDelivery > Self.deliveryMax }

        private static let deliveryMax: UInt8 = 0x7f

        /// The number of the contract of its sale; `nil` if it names no sale.
        var contract: UInt32? { storedContract == .max ? nil : storedContract }

        init(
            category: UInt32,
            method: UInt16,
            delivery: UInt16,
            currency: UInt32,
            seller: UInt32,
            chain: UInt32,
            contract: UInt32?,
            sale: Bytes32,
            price: Amount,
            ends: Int64,
            reach: UInt16 = NumberedReaches.unknown,
            point: ShippingLimits.Point? = nil,
            hasPieces: Bool = false
        ) {
            (self.category, self.reach) = (category, reach)
            storedMethod = UInt8(clamping: method)
            let delivery = min(UInt8(clamping: delivery), Self.deliveryMax)
            storedDelivery = hasPieces ? delivery | ~Self.deliveryMax : delivery
            (self.currency, self.seller, self.chain) = (currency, seller, chain)
            (self.sale, self.price, self.ends) = (sale, price, ends)
            // Instead of an optional, which would take eight bytes.
            storedContract = contract ?? .max
            latitude = point?.latitudeE7 ?? .min
            longitude = point?.longitudeE7 ?? .min
        }

        /// The point around which the listing is shipped; `nil` if it states none.
        package var point: ShippingLimits.Point? {
            ShippingLimits.Point(latitudeE7: latitude, longitudeE7: longitude)
        }

        /// Instead of a missing row.
        static let missing = Row(
            category: .max,
            method: 0,
            delivery: 0,
            currency: 0,
            seller: 0,
            chain: 0,
            contract: nil,
            sale: .zero,
            price: .zero,
            ends: 0
        )

        var isMissing: Bool { category == .max }
    }

    package let rows: [Row]
    /// The sale that each row names, `nil` if it names none.
    package let sales: [SaleReference?]
    /// Whether all that could match was looked at; otherwise more can match.
    package let isComplete: Bool
    /// The places of those that stand for several pieces.
    package var placesOfPieces: [Int] { rows.indices.filter { rows[$0].hasPieces } }
    let values: CatalogueValues

    package func category(_ number: UInt32) -> String { values.categories[number] }
    package func method(_ number: UInt16) -> String { values.methods[UInt32(number)] }
    package func delivery(_ number: UInt16) -> String { values.deliveries[UInt32(number)] }
    package func currency(_ number: UInt32) -> Currency { values.currencies[number] }
    package func seller(_ number: UInt32) -> Address { values.sellers[number] }

    /// Returns the places that a listing ships to, by the number in its row; `nil` for
    /// ``NumberedReaches/unknown``.
    package func reach(_ number: UInt16) -> ShippingReach? { values.reaches[number] }
}
