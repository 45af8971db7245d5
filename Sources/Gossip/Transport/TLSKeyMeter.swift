/// Counts key changes and tickets of a TLS session.
///
/// A change of key costs its receiver about a thousand times as much as the transfer of its 27
/// bytes, and session tickets are useless here. Therefore a peer may send a few of both together,
/// and more only in proportion to its other bytes.
///
/// Source: RFC 8446, sections 4.6.3 and 5.5.
struct TLSKeyMeter: Sendable {
    private static let unaskedAtOnceMax: UInt64 = 16
    /// A peer may change its key once more for each 64 MiB.
    ///
    /// A careful peer changes it after a thousand times as many bytes.
    private static let bytesPerUnasked: UInt64 = 64 << 20
    /// AES-GCM bears 2^24.5 records of 16 KiB, about 388 GiB, under one key.
    private static let bytesUnderOneKeyMax: UInt64 = 64 << 30

    private var unasked: UInt64 = 0
    private var bytesReceived: UInt64 = 0
    private var bytesSent: UInt64 = 0

    /// Whether the peer has stayed within its allowance of key changes and tickets.
    var isTolerable: Bool {
        unasked <= Self.unaskedAtOnceMax + bytesReceived / Self.bytesPerUnasked
    }

    /// Counts a change of key or a ticket.
    mutating func receivedUnasked() { unasked += 1 }

    mutating func received(byteCount: Int) { bytesReceived += UInt64(byteCount) }

    /// Counts bytes to be sent; `true` if the key must be changed before sending them.
    mutating func isKeyUsedUp(bySending byteCount: Int) -> Bool {
        bytesSent += UInt64(byteCount)
        guard bytesSent > Self.bytesUnderOneKeyMax else { return false }
        bytesSent = UInt64(byteCount)
        return true
    }
}
