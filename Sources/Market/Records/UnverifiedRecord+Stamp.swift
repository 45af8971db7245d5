extension UnverifiedRecord {
    static let stampField: UInt64 = 9
    /// The bytes of a stamp: tag, length and the nonce.
    static let stampByteCount = 10
    private static let nonceByteCount = 8

    /// The length of the same record without a stamp.
    package var unstampedByteCount: Int { bytes.count - (stamp == nil ? 0 : Self.stampByteCount) }

    /// Returns the same record with this stamp; the id does not depend on it.
    func stamped(_ stamp: UInt64) -> UnverifiedRecord {
        UnverifiedRecord(draft, signature: signature, stamp: stamp)
    }

    /// Reads the stamp, big-endian; `nil` if there is none.
    static func stamp(in fields: WireFields) throws(FramingFault) -> UInt64? {
        let nonce = fields.bytes(Int(stampField))
        if nonce.isEmpty { return nil }
        guard nonce.count == nonceByteCount else { throw .fieldOutOfRange(stampField) }
        return nonce.reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func write(_ stamp: UInt64, to writer: inout WireWriter) {
        let bytes = (0..<nonceByteCount).reversed().map { index in
            UInt8(truncatingIfNeeded: stamp >> UInt64(8 * index))
        }
        writer.write(stampField, bytes)
    }
}
