package import BigInt
package import Keys
package import Market

/// A value of some ``ABIType``, which determines its encoding.
package enum ABIValue: Hashable, Sendable {
    case uint(BigUInt)
    case int(BigInt)
    case address(Address)
    case bool(Bool)
    /// A `bytes1` to `bytes32`, or a `function`: as many bytes as the type has.
    case fixedBytes([UInt8])
    case bytes([UInt8])
    case string(String)
    /// An array of fixed or variable length.
    case array([ABIValue])
    case tuple([ABIValue])

    package static func small(_ value: UInt64) -> ABIValue { .uint(BigUInt(value)) }
    package static func amount(_ value: Amount) -> ABIValue { .uint(value.units) }
    package static func bytes32(_ value: Bytes32) -> ABIValue { .fixedBytes(value.bytes) }
}

extension ABIValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .uint(let number): String(number)
        case .int(let number): String(number)
        case .address(let address): address.checksummed
        case .bool(let isTrue): String(isTrue)
        case .fixedBytes(let bytes), .bytes(let bytes): "0x" + Hex.encode(bytes)
        case .string(let text): text.debugDescription
        case .array(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .tuple(let values): "(" + values.map(\.description).joined(separator: ", ") + ")"
        }
    }
}
