import Keys
import Market

extension BlobAnswer {
    /// The form of an answer: a refusal, or a chunk.
    ///
    /// Source: Docs/protocol.md, section 11.6.
    private static let wireSchema = WireSchema(
        .uint32,
        .message(WireSchema(.uint64, .uint32, .bytes, .repeated(.bytes))),
        oneOf: 1...2
    )

    /// Reads a message in its canonical form; `nil` if it is not one.
    package init?(_ bytes: [UInt8]) {
        guard let frame = WireFields(bytes, Self.wireSchema), !frame.hasUnknown else { return nil }
        if frame.has(1) {
            guard let refusal = BlobRefusal(rawValue: frame.uint32(1)) else { return nil }
            self = .refused(refusal)
        } else {
            guard let chunk = BlobChunk(frame.message(2)) else { return nil }
            self = .chunk(chunk)
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .refused(let refusal):
            var frame = WireWriter()
            frame.member(1, UInt64(refusal.rawValue))
            return frame.bytes
        case .chunk(let chunk): return chunk.message()
        }
    }

    /// The message after its length, as streams carry it.
    package var framed: [UInt8] {
        switch self {
        case .refused: Varint.encode(bytes.count) + bytes
        case .chunk(let chunk): chunk.message { Varint.encode($0) }
        }
    }
}

/// A chunk's message, written without a further copy of the chunk's bytes: these are most of the
/// traffic between nodes.
extension BlobChunk {
    fileprivate init?(_ fields: WireFields) {
        let parts = fields.allBytes(4)
        let proof = parts.compactMap { Bytes32($0) }
        guard let length = BlobLength(fields.number(1)), proof.count == parts.count,
            proof.count <= BlobTree.proofMax
        else { return nil }
        let index = Int(fields.uint32(2))
        self.init(length: length, index: index, bytes: [UInt8](fields.bytes(3)), proof: proof)
    }

    /// Writes the message; the length determines the bytes before it.
    fileprivate func message(after prefix: (_ byteCount: Int) -> [UInt8] = { _ in [] }) -> [UInt8] {
        let (head, tail) = ends
        let byteCount = head.count + bytes.count + tail.count
        var message = prefix(byteCount)
        message.reserveCapacity(message.count + byteCount)
        message += head
        message += bytes
        message += tail
        return message
    }

    /// The message's bytes before and after the chunk's own.
    private var ends: (head: [UInt8], tail: [UInt8]) {
        var (frame, head, tail) = (WireWriter(), WireWriter(), WireWriter())
        tail.write(4, all: proof.map(\.bytes))
        head.write(1, UInt64(length.byteCount))
        head.write(2, UInt64(index))
        if !bytes.isEmpty { head.begin(3, byteCount: bytes.count) }
        frame.begin(2, byteCount: head.bytes.count + bytes.count + tail.bytes.count)
        return (frame.bytes + head.bytes, tail.bytes)
    }
}
