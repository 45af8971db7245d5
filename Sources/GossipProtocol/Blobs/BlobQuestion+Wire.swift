import Keys
import Market

extension BlobQuestion {
    private static let wireSchema = WireSchema(.bytes, .uint32, .uint32)

    /// Reads a question in its canonical form; `nil` if it is not one.
    package init?(_ bytes: [UInt8], limits: BlobExchangeLimits) {
        guard let frame = WireFields(bytes, Self.wireSchema), !frame.hasUnknown,
            let id = Bytes32(frame.bytes(1)), frame.number(2) < BlobLength.chunksMax,
            (1...UInt64(limits.chunksMax)).contains(frame.number(3))
        else { return nil }
        let first = Int(frame.number(2))
        self.init(id: id, chunks: first..<first + Int(frame.number(3)))
    }

    package var bytes: [UInt8] {
        var frame = WireWriter()
        frame.write(1, id.bytes)
        frame.write(2, UInt64(chunks.lowerBound))
        frame.write(3, UInt64(chunks.count))
        return frame.bytes
    }
}
