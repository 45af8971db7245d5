import Foundation
import GRDB
import Keys
import Market
import Synchronization

/// The values that ``CatalogueColumns`` names by numbers: few listings have a unique one.
final class CatalogueValues: Sendable {
    let categories = NumberedValues<String>()
    let methods = NumberedValues<String>()
    let deliveries = NumberedValues<String>()
    let currencies = NumberedValues<Currency>()
    let sellers = NumberedValues<Address>()
    let chains = NumberedValues<ChainID>()
    let contracts = NumberedValues<Address>()
    let reaches = NumberedReaches()

    /// The row of a listing.
    func row(of listing: Listing, by author: Address) -> CatalogueProperties.Row {
        CatalogueProperties.Row(
            category: categories.number(of: listing.category),
            method: UInt16(clamping: methods.number(of: listing.terms.kind.rawValue)),
            delivery: UInt16(clamping: deliveries.number(of: listing.delivery.method.rawValue)),
            currency: currencies.number(of: listing.terms.currency),
            seller: sellers.number(of: author),
            chain: chains.number(of: listing.chain),
            contract: listing.anchor.map { contracts.number(of: $0.contract) },
            sale: listing.anchor?.sale.hash ?? .zero,
            price: listing.terms.price,
            ends: listing.endsAt?.stored ?? .max,
            reach: reaches.number(of: ShippingReach(listing.delivery)),
            point: listing.delivery.point,
            hasPieces: listing.standsForPieces
        )
    }

    /// Reads a row of the table, whose first column is its number; `nil` if it is not as written.
    func row(from row: Row) throws -> CatalogueProperties.Row? {
        func bytes<Value>(_ place: Int, _ value: (Data) -> Value?) throws -> Value? {
            try row.withUnsafeData(atIndex: place) { $0.flatMap(value) }
        }
        guard let currency = try bytes(4, { Address($0) }),
            let author = try bytes(5, { Address($0) }),
            let chain = try bytes(6, { ChainID(stored: $0) }),
            let price = try bytes(9, { Amount(bigEndian: $0) })
        else { return nil }
        let contract = try bytes(7) { Address($0) }
        return CatalogueProperties.Row(
            category: categories.number(of: row[1]),
            method: UInt16(clamping: methods.number(of: row[2])),
            delivery: UInt16(clamping: deliveries.number(of: row[3])),
            currency: currencies.number(of: Currency(address: currency)),
            seller: sellers.number(of: author),
            chain: chains.number(of: chain),
            contract: contract.map { contracts.number(of: $0) },
            sale: try bytes(8) { Bytes32($0) } ?? .zero,
            price: price,
            ends: row[10],
            reach: ShippingReach(text: row[13]).map(reaches.number) ?? NumberedReaches.unknown,
            point: try point(row),
            hasPieces: row[14]
        )
    }

    private func point(_ row: Row) throws -> ShippingLimits.Point? {
        guard let latitude = row[11] as Int32?, let longitude = row[12] as Int32? else {
            return nil
        }
        return ShippingLimits.Point(latitudeE7: latitude, longitudeE7: longitude)
    }

    /// Returns the sale that each row names, `nil` if it names none.
    func sales(of rows: [CatalogueProperties.Row]) -> [SaleReference?] {
        var last: (chain: UInt32, number: UInt32, contract: ContractReference)?
        return rows.map { row in
            guard let number = row.contract else { return nil }
            if let last, last.chain == row.chain, last.number == number {
                return SaleReference(contract: last.contract, id: SaleID(row.sale))
            }
            let contract = ContractReference(chain: chains[row.chain], address: contracts[number])
            last = (row.chain, number, contract)
            return SaleReference(contract: contract, id: SaleID(row.sale))
        }
    }
}

/// Values, each once, numbered as they occur.
final class NumberedValues<Value: Hashable & Sendable>: Sendable {
    private struct Known {
        var values: [Value] = []
        var numbers: [Value: UInt32] = [:]
    }

    private let known = Mutex(Known())

    /// Returns the value's number; a new value gets one.
    func number(of value: Value) -> UInt32 {
        known.withLock { known in
            if let number = known.numbers[value] { return number }
            let number = UInt32(known.values.count)
            known.values.append(value)
            known.numbers[value] = number
            return number
        }
    }

    /// Returns the number of a value; `nil` if no row has it.
    func number(ifKnown value: Value) -> UInt32? { known.withLock { $0.numbers[value] } }

    subscript(number: UInt32) -> Value { known.withLock { $0.values[Int(number)] } }
}

/// The reaches of listings by numbers.
///
/// Sellers can write as many as they like, so these are bounded: a reach that finds no room has no
/// number, and counts are then too low.
package final class NumberedReaches: Sendable {
    private struct Known {
        var reaches: [ShippingReach] = []
        var numbers: [ShippingReach: UInt16] = [:]
        var byteCount = 0
    }

    /// Instead of the number of a reach that found no room.
    package static let unknown = UInt16.max

    private let known = Mutex(Known())
    private let bytesMax: Int

    /// - Parameter bytesMax: The maximum bytes of all texts, each counted with 128 bytes more.
    init(bytesMax: Int = 8 << 20) { self.bytesMax = bytesMax }

    /// Returns the number of a reach; a new one gets one if there is room.
    func number(of reach: ShippingReach) -> UInt16 {
        known.withLock { known in
            if let number = known.numbers[reach] { return number }
            let byteCount = known.byteCount + reach.text.utf8.count + 128
            guard byteCount <= bytesMax, known.reaches.count < Int(Self.unknown) else {
                return Self.unknown
            }
            let number = UInt16(known.reaches.count)
            known.byteCount = byteCount
            known.reaches.append(reach)
            known.numbers[reach] = number
            return number
        }
    }

    /// Returns the reach of a number; `nil` for ``unknown``.
    subscript(number: UInt16) -> ShippingReach? {
        known.withLock { known in
            Int(number) < known.reaches.count ? known.reaches[Int(number)] : nil
        }
    }
}
