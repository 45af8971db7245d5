/// Writes protobuf in the canonical form that ``EnvelopeReader`` reads.
struct EnvelopeWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a number; omits the default.
    mutating func write(_ field: UInt64, _ value: UInt64) {
        guard value != 0 else { return }
        varint(field << 3 | EnvelopeReader.WireType.varint.rawValue)
        varint(value)
    }

    /// Writes bytes or text; omits empty ones.
    mutating func write(_ field: UInt64, _ value: some Collection<UInt8>) {
        guard !value.isEmpty else { return }
        varint(field << 3 | EnvelopeReader.WireType.bytes.rawValue)
        varint(UInt64(value.count))
        bytes += value
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
