/// Recursive length prefix, Ethereum's encoding of transactions and blocks.
///
/// Source: Ethereum Yellow Paper, appendix B.
package enum RLP {
    private static let shortMax = 55
    private static let bytesMark: UInt8 = 0x80
    private static let listMark: UInt8 = 0xC0

    /// Encodes an item in its only valid form.
    package static func encode(_ item: RLPItem) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(byteCount(of: item))
        write(item, to: &output)
        return output
    }

    /// Encodes a list of items in its only valid form.
    package static func encode(list items: [RLPItem]) -> [UInt8] { encode(.list(items)) }

    /// Decodes the single item that takes up all of `bytes`.
    ///
    /// Only the form that ``encode(_:)`` writes is accepted, so a decoded item encodes to the same
    /// bytes.
    ///
    /// - Throws: ``RLPError``, with the place in the input and the rule that it breaks.
    package static func decode(
        _ bytes: [UInt8],
        limits: RLPLimits = .standard
    ) throws(RLPError) -> RLPItem {
        guard bytes.count <= limits.bytesMax else { throw .tooLong(maximum: limits.bytesMax) }
        var decoder = RLPDecoder(bytes: bytes, limits: limits)
        return try decoder.decodeAll()
    }

    private static func write(_ item: RLPItem, to output: inout [UInt8]) {
        switch item {
        case .bytes(let bytes):
            if bytes.count == 1, bytes[0] < bytesMark {
                output.append(bytes[0])
            } else {
                writePrefix(mark: bytesMark, byteCount: bytes.count, to: &output)
                output.append(contentsOf: bytes)
            }
        case .list(let items):
            let byteCount = items.reduce(0) { $0 + Self.byteCount(of: $1) }
            writePrefix(mark: listMark, byteCount: byteCount, to: &output)
            for item in items { write(item, to: &output) }
        }
    }

    private static func writePrefix(mark: UInt8, byteCount: Int, to output: inout [UInt8]) {
        guard byteCount > shortMax else {
            output.append(mark + UInt8(byteCount))
            return
        }
        let lengthBytes = lengthByteCount(byteCount)
        output.append(mark + UInt8(shortMax + lengthBytes))
        for index in (0..<lengthBytes).reversed() {
            output.append(UInt8(truncatingIfNeeded: byteCount >> (index * 8)))
        }
    }

    private static func byteCount(of item: RLPItem) -> Int {
        switch item {
        case .bytes(let bytes):
            if bytes.count == 1, bytes[0] < bytesMark { return 1 }
            return prefixByteCount(bytes.count) + bytes.count
        case .list(let items):
            let byteCount = items.reduce(0) { $0 + Self.byteCount(of: $1) }
            return prefixByteCount(byteCount) + byteCount
        }
    }

    private static func prefixByteCount(_ byteCount: Int) -> Int {
        byteCount > shortMax ? 1 + lengthByteCount(byteCount) : 1
    }

    private static func lengthByteCount(_ byteCount: Int) -> Int {
        (Int.bitWidth - byteCount.leadingZeroBitCount + 7) / 8
    }
}

/// The limits of a decoder, which bound the memory that an input can cost.
package struct RLPLimits: Sendable {
    package let bytesMax: Int
    package let depthMax: Int
    package let itemsMax: Int

    /// Limits that allow any transaction which a public chain's pool accepts.
    package static let standard = RLPLimits(bytesMax: 1 << 20, depthMax: 16, itemsMax: 65_536)

    package init(bytesMax: Int, depthMax: Int, itemsMax: Int) {
        precondition(bytesMax > 0 && depthMax > 0 && itemsMax > 0, "a limit of zero refuses all")
        (self.bytesMax, self.depthMax, self.itemsMax) = (bytesMax, depthMax, itemsMax)
    }
}

/// Why bytes are not RLP.
///
/// Offsets count from the first byte.
package enum RLPError: Error, Equatable, Sendable {
    case empty
    /// The item that begins at `offset` is longer than the list or input around it.
    case truncated(offset: Int)
    /// Bytes follow the item; `offset` is the first of them.
    case trailingBytes(offset: Int)
    /// A single byte below 0x80 was given a prefix.
    case prefixedByte(offset: Int)
    /// A length has leading zeros, or fits into the short form.
    case longLength(offset: Int)
    case tooLong(maximum: Int)
    case tooDeep(maximum: Int)
    case tooManyItems(maximum: Int)
}
