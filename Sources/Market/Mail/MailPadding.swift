/// Pads messages to one of a few lengths, to hide their own.
///
/// A byte 0x80 follows the message, then zeros.
///
/// Source: Docs/protocol.md, section 10.2; ISO/IEC 7816-4.
package enum MailPadding {
    /// In bytes, rising.
    package static let buckets = [1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]

    /// Returns the message padded to the smallest bucket; `nil` if it is too long for all.
    package static func pad(_ message: [UInt8]) -> [UInt8]? {
        guard let bucket = buckets.first(where: { $0 > message.count }) else { return nil }
        let zeros = repeatElement(0 as UInt8, count: bucket - message.count - 1)
        return message + [0x80] + zeros
    }

    /// Returns the message; `nil` for bytes that ``pad(_:)`` does not produce.
    package static func unpad(_ padded: [UInt8]) -> [UInt8]? {
        guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 0x80,
            pad(Array(padded[..<end]))?.count == padded.count
        else { return nil }
        return Array(padded[..<end])
    }
}
