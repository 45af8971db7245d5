import BigInt
import Keys
package import Market

/// A number in an answer: `0x` and at most 64 hexadecimal digits.
///
/// Leading zeros are accepted, against the specification, because some chains send them.
///
/// Source: Ethereum JSON-RPC specification, "Hex value encoding".
package struct Quantity: Decodable, Equatable, Sendable {
    package let amount: Amount

    package init(_ amount: Amount) { self.amount = amount }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let amount = Self.amount(of: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a quantity of at most 256 bits"
            )
        }
        self.amount = amount
    }

    /// The number, if it fits into 64 bits.
    package var number: UInt64? { UInt64(exactly: amount.units) }

    private static func amount(of text: String) -> Amount? {
        let digits = text.utf8.dropFirst(2)
        guard text.utf8.starts(with: "0x".utf8), (1...64).contains(digits.count) else { return nil }
        let isSmall = digits.count <= 16
        var small: UInt64 = 0
        for digit in digits {
            guard let value = Hex.value(of: digit) else { return nil }
            if isSmall { small = small << 4 | UInt64(value) }
        }
        if isSmall { return Amount(small: small) }
        return BigUInt(text.dropFirst(2), radix: 16).flatMap { Amount($0) }
    }
}

/// Bytes in an answer: `0x` and an even number of hexadecimal digits.
package struct HexBytes: Decodable, Equatable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.utf8.starts(with: "0x".utf8), let bytes = Hex.decode(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not bytes in hexadecimal"
            )
        }
        self.bytes = bytes
    }
}

extension KeyedDecodingContainer {
    /// Decodes a quantity up to a limit that no honest endpoint exceeds.
    ///
    /// The limit keeps arithmetic with it from overflowing.
    func number(_ key: Key, most: UInt64 = ChainLimits.numberMax) throws -> UInt64 {
        guard let number = try decode(Quantity.self, forKey: key).number, number <= most else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "is beyond all bounds"
            )
        }
        return number
    }

    func amount(_ key: Key) throws -> Amount { try decode(Quantity.self, forKey: key).amount }

    func hash(_ key: Key) throws -> Bytes32 {
        guard let hash = Bytes32(try decode(HexBytes.self, forKey: key).bytes) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "not 32 bytes"
            )
        }
        return hash
    }

    func address(_ key: Key) throws -> Address {
        guard let address = Address(try decode(HexBytes.self, forKey: key).bytes) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "not 20 bytes"
            )
        }
        return address
    }
}
