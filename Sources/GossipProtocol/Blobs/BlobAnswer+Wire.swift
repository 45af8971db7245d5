import Keys
import Market

extension BlobAnswer {
    /// The form of a refusal; ``BlobChunk`` reads the other member of the `oneof`.
    private static let refusalSchema = WireSchema(.uint32, oneOf: 1...1)

    /// Reads a message in its canonical form; `nil` if it is not one.
    package init?(_ bytes: [UInt8]) {
        if let chunk = BlobChunk(message: bytes) {
            self = .chunk(chunk)
            return
        }
        guard let frame = WireFields(bytes, Self.refusalSchema), !frame.hasUnknown, frame.has(1),
            let refusal = BlobRefusal(rawValue: frame.uint32(1))
        else { return nil }
        self = .refused(refusal)
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

/// A chunk's message, read and written without a further copy of the chunk's bytes: these are most
/// of the traffic between nodes.
extension BlobChunk {
    /// The field of an answer that holds a chunk.
    private static let field: UInt64 = 2

    /// The fields of a chunk.
    ///
    /// Source: Docs/protocol.md, section 11.6.
    private enum Field {
        static let byteCount: UInt64 = 1
        static let index: UInt64 = 2
        static let bytes: UInt64 = 3
        static let proof: UInt64 = 4
    }

    fileprivate init?(message: [UInt8]) {
        guard let answer = ProtobufFields(message, fieldsMax: 1), answer.fields.count == 1,
            let part = answer.parts(Self.field).first,
            let chunk = ProtobufFields(part, fieldsMax: BlobTree.proofMax + 3),
            let length = chunk.number(Field.byteCount).flatMap({ BlobLength($0) }),
            let index = UInt32(exactly: chunk.number(Field.index) ?? 0)
        else { return nil }
        let proof = chunk.parts(Field.proof).compactMap { Bytes32($0) }
        self.init(
            length: length,
            index: Int(index),
            bytes: chunk.bytes(Field.bytes) ?? [],
            proof: proof
        )
        guard proof.count <= BlobTree.proofMax, isCanonical(message) else { return nil }
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

    /// Whether the message encodes this chunk, if it contains the chunk's bytes.
    private func isCanonical(_ message: [UInt8]) -> Bool {
        let (head, tail) = ends
        return message.count == head.count + bytes.count + tail.count
            && message.starts(with: head) && message.suffix(tail.count).elementsEqual(tail)
    }

    /// The message's bytes before and after the chunk's own.
    private var ends: (head: [UInt8], tail: [UInt8]) {
        let tail = proof.flatMap { ProtobufFields.write(Field.proof, $0.bytes) }
        var head = ProtobufFields.write(Field.byteCount, UInt64(length.byteCount))
        if index > 0 { head += ProtobufFields.write(Field.index, UInt64(index)) }
        if !bytes.isEmpty { head += ProtobufFields.begin(Field.bytes, byteCount: bytes.count) }
        let byteCount = head.count + bytes.count + tail.count
        return (ProtobufFields.begin(Self.field, byteCount: byteCount) + head, tail)
    }
}
