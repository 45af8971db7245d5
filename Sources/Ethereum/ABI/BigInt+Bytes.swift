import BigInt

extension BigUInt {
    /// The shortest big-endian bytes; empty for zero.
    var bigEndianBytes: [UInt8] {
        let byteCount = (bitWidth + 7) / 8
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var index = byteCount
        for word in words {
            for shift in stride(from: 0 as UInt, to: 64, by: 8) where index > 0 {
                index -= 1
                bytes[index] = UInt8(truncatingIfNeeded: word >> shift)
            }
        }
        return bytes
    }
}
