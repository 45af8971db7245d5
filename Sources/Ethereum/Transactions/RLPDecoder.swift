/// Decodes one RLP item; it reads each byte once, and copies only the bytes of the result.
struct RLPDecoder {
    private let bytes: [UInt8]
    private let limits: RLPLimits
    private var offset = 0
    private var itemCount = 0

    init(bytes: [UInt8], limits: RLPLimits) {
        (self.bytes, self.limits) = (bytes, limits)
    }

    mutating func decodeAll() throws(RLPError) -> RLPItem {
        guard !bytes.isEmpty else { throw .empty }
        let item = try item(end: bytes.count, depth: 1)
        guard offset == bytes.count else { throw .trailingBytes(offset: offset) }
        return item
    }

    private mutating func item(end: Int, depth: Int) throws(RLPError) -> RLPItem {
        guard depth <= limits.depthMax else { throw .tooDeep(maximum: limits.depthMax) }
        itemCount += 1
        guard itemCount <= limits.itemsMax else { throw .tooManyItems(maximum: limits.itemsMax) }
        let start = offset
        let first = bytes[start]
        offset += 1
        switch first {
        case 0x00...0x7F: return .bytes([first])
        case 0x80...0xB7: return try string(byteCount: Int(first - 0x80), start: start, end: end)
        case 0xB8...0xBF:
            let byteCount = try length(byteCount: Int(first - 0xB7), start: start, end: end)
            return try string(byteCount: byteCount, start: start, end: end)
        case 0xC0...0xF7:
            return try list(byteCount: Int(first - 0xC0), start: start, end: end, depth: depth)
        default:
            let byteCount = try length(byteCount: Int(first - 0xF7), start: start, end: end)
            return try list(byteCount: byteCount, start: start, end: end, depth: depth)
        }
    }

    private mutating func string(
        byteCount: Int,
        start: Int,
        end: Int
    ) throws(RLPError) -> RLPItem {
        guard byteCount <= end - offset else { throw .truncated(offset: start) }
        let value = bytes[offset..<offset + byteCount]
        if byteCount == 1, let only = value.first, only < 0x80 {
            throw .prefixedByte(offset: start)
        }
        offset += byteCount
        return .bytes([UInt8](value))
    }

    private mutating func list(
        byteCount: Int,
        start: Int,
        end: Int,
        depth: Int
    ) throws(RLPError) -> RLPItem {
        guard byteCount <= end - offset else { throw .truncated(offset: start) }
        let listEnd = offset + byteCount
        var items: [RLPItem] = []
        while offset < listEnd { items.append(try item(end: listEnd, depth: depth + 1)) }
        return .list(items)
    }

    /// Decodes the length in the long form, which must need that form and have no leading zero.
    private mutating func length(
        byteCount: Int,
        start: Int,
        end: Int
    ) throws(RLPError) -> Int {
        guard byteCount <= end - offset else { throw .truncated(offset: start) }
        guard bytes[offset] != 0 else { throw .longLength(offset: start) }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + byteCount] { value = value << 8 | UInt64(byte) }
        offset += byteCount
        guard value > 55 else { throw .longLength(offset: start) }
        guard let length = Int(exactly: value) else { throw .truncated(offset: start) }
        return length
    }
}
