package import BigInt
package import Keys

/// A value in RLP: bytes, or a list of items.
///
/// Source: Ethereum Yellow Paper, appendix B.
package enum RLPItem: Hashable, Sendable {
    case bytes([UInt8])
    case list([RLPItem])

    package static let empty = RLPItem.bytes([])

    /// Creates a number from its shortest big-endian bytes; zero has no bytes.
    package static func small(_ value: UInt64) -> RLPItem {
        let byteCount = (64 - value.leadingZeroBitCount + 7) / 8
        return .bytes(
            (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
        )
    }

    /// Creates a number from its shortest big-endian bytes; zero has no bytes.
    package static func number(_ value: BigUInt) -> RLPItem { .bytes(value.bigEndianBytes) }

    /// Creates an address of 20 bytes, or of none, which in a transaction means a new contract.
    package static func address(_ address: Address?) -> RLPItem { .bytes(address?.bytes ?? []) }
}
