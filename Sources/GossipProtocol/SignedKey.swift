/// The host key and its signature in the certificate's extension.
///
/// DER is read strictly: shortest lengths, and nothing after the two strings.
///
/// Source: libp2p specs, tls, section "libp2p Public Key Extension"; X.690 for DER.
package struct SignedKey: Equatable, Sendable {
    private enum Tag {
        static let octetString: UInt8 = 0x04
        static let sequence: UInt8 = 0x30
    }

    package let key: [UInt8]
    package let signature: [UInt8]

    package init(key: [UInt8], signature: [UInt8]) {
        (self.key, self.signature) = (key, signature)
    }

    package init?(der: [UInt8]) {
        var outer = der[...]
        guard var inner = Self.take(Tag.sequence, from: &outer), outer.isEmpty,
            let key = Self.take(Tag.octetString, from: &inner),
            let signature = Self.take(Tag.octetString, from: &inner), inner.isEmpty
        else { return nil }
        (self.key, self.signature) = (Array(key), Array(signature))
    }

    package var der: [UInt8] {
        Self.write(
            Tag.sequence,
            Self.write(Tag.octetString, key) + Self.write(Tag.octetString, signature)
        )
    }

    private static func take(_ tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<
        UInt8
    >? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let byteCount = Int(first & 0x7F)
            guard (1...2).contains(byteCount), bytes.count >= byteCount else { return nil }
            length = bytes.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(byteCount)
            guard length >= (byteCount == 1 ? 0x80 : 0x100) else { return nil }
        }
        guard length <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }

    private static func write(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        precondition(count < 0x10000, "a key of \(count) bytes")
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            }
        return [tag] + length + content
    }
}
