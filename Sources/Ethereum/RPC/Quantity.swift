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

    static func amount(of text: String) -> Amount? {
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
        guard let bytes = Self.bytes(of: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not bytes in hexadecimal"
            )
        }
        self.bytes = bytes
    }

    static func bytes(of text: String) -> [UInt8]? {
        text.utf8.starts(with: "0x".utf8) ? Hex.decode(text) : nil
    }
}

// Texts are decoded as such and then read: a separate type would need a decoder for each field,
// which for events takes longer than everything else.
extension KeyedDecodingContainer {
    /// Decodes a quantity up to a limit that no honest endpoint exceeds.
    ///
    /// The limit keeps arithmetic with it from overflowing.
    func number(_ key: Key, most: UInt64 = ChainLimits.numberMax) throws -> UInt64 {
        guard let number = UInt64(exactly: try amount(key).units), number <= most else {
            throw fault(key, "is beyond all bounds")
        }
        return number
    }

    func amount(_ key: Key) throws -> Amount {
        guard let amount = Quantity.amount(of: try decode(String.self, forKey: key)) else {
            throw fault(key, "not a quantity of at most 256 bits")
        }
        return amount
    }

    func hash(_ key: Key) throws -> Bytes32 {
        guard let hash = Bytes32(try bytes(key)) else { throw fault(key, "not 32 bytes") }
        return hash
    }

    func address(_ key: Key) throws -> Address {
        guard let address = Address(try bytes(key)) else { throw fault(key, "not 20 bytes") }
        return address
    }

    func bytes(_ key: Key) throws -> [UInt8] {
        guard let bytes = HexBytes.bytes(of: try decode(String.self, forKey: key)) else {
            throw fault(key, "not bytes in hexadecimal")
        }
        return bytes
    }

    private func fault(_ key: Key, _ description: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: description)
    }
}
