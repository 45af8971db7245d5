package import BigInt
package import Keys

/// What RLP can say: some bytes, or a list of items.
///
/// Source: Ethereum Yellow Paper, appendix B.
package enum RLPItem: Hashable, Sendable {
    case bytes([UInt8])
    case list([RLPItem])

    package static let empty = RLPItem.bytes([])

    /// A number in its shortest big-endian bytes; zero is no bytes.
    package static func small(_ value: UInt64) -> RLPItem {
        let byteCount = (64 - value.leadingZeroBitCount + 7) / 8
        return .bytes(
            (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
        )
    }

    /// A number in its shortest big-endian bytes; zero is no bytes.
    package static func number(_ value: BigUInt) -> RLPItem { .bytes(value.bigEndianBytes) }

    /// Twenty bytes, or none, which in a transaction means: make a contract.
    package static func address(_ address: Address?) -> RLPItem { .bytes(address?.bytes ?? []) }
}
