/// Counts what both sides of a TLS session do with their keys.
///
/// A change of key costs its receiver about a thousand times what its 27 bytes cost on the way, and
/// a ticket for later sessions is worth nothing here, so a peer has a few of both together, and more
/// only for what it sends besides.
///
/// Source: RFC 8446, sections 4.6.3 and 5.5.
struct TLSKeyMeter: Sendable {
    private static let unaskedAtOnceMax: UInt64 = 16
    /// A peer may change its key once more for so many bytes; a careful one changes it after
    /// a thousand times as many.
    private static let bytesPerUnasked: UInt64 = 64 << 20
    /// AES-GCM bears 2^24.5 records of 16 KiB, about 388 GiB, under one key.
    private static let bytesUnderOneKeyMax: UInt64 = 64 << 30

    private var unasked: UInt64 = 0
    private var bytesReceived: UInt64 = 0
    private var bytesSent: UInt64 = 0

    /// Whether the peer has sent no more of what nobody asked for than it may.
    var isTolerable: Bool {
        unasked <= Self.unaskedAtOnceMax + bytesReceived / Self.bytesPerUnasked
    }

    /// A change of key, or a ticket.
    mutating func receivedUnasked() { unasked += 1 }

    mutating func received(byteCount: Int) { bytesReceived += UInt64(byteCount) }

    /// Counts bytes that are about to be sent; `true` if the key has to be changed before.
    mutating func isKeyUsedUp(bySending byteCount: Int) -> Bool {
        bytesSent += UInt64(byteCount)
        guard bytesSent > Self.bytesUnderOneKeyMax else { return false }
        bytesSent = UInt64(byteCount)
        return true
    }
}
