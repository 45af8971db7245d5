/// Splits a byte stream into length-prefixed messages.
///
/// It buffers at most one message and the bytes that arrived with it.
///
/// Source: Docs/protocol.md, section 7 "Transport".
package struct MessageSplitter: Sendable {
    /// The state of the bytes so far.
    package enum Outcome: Equatable, Sendable {
        case message([UInt8])
        case needsMore
        /// The announced length exceeds this side's limit.
        case tooLong(byteCount: UInt64)
        /// The length is not a number in its shortest form.
        case malformedLength
    }

    /// The longest message of any protocol; a link's share always has room for one.
    package static let messageBytesMax = 440 << 10
    /// Bytes requested in one read, which may include the next message.
    package static let readBytesMax = 72 << 10

    private let bytesMax: Int
    private var pending: [UInt8] = []
    private var start = 0

    package init(bytesMax: Int) {
        precondition(bytesMax > 0, "a message limit of \(bytesMax) bytes lets nothing through")
        self.bytesMax = bytesMax
    }

    /// Whether no part of a message is buffered.
    package var isBetweenMessages: Bool { start == pending.count }

    /// The number of buffered bytes.
    package var byteCount: Int { pending.count }

    package mutating func append(_ bytes: [UInt8]) {
        if start == pending.count {
            pending = bytes
        } else {
            pending.removeFirst(start)
            pending.append(contentsOf: bytes)
        }
        start = 0
    }

    /// Takes the next message, if it is complete.
    ///
    /// After `tooLong` or `malformedLength` the remaining bytes are meaningless.
    package mutating func next() -> Outcome {
        switch Varint.read(pending[start...]) {
        case .unfinished: return .needsMore
        case .malformed: return .malformedLength
        case .number(let length, let prefix):
            guard length <= UInt64(bytesMax) else { return .tooLong(byteCount: length) }
            let body = start + prefix
            guard pending.count - body >= Int(length) else { return .needsMore }
            start = body + Int(length)
            guard start == pending.count, body == prefix else {
                let message = Array(pending[body..<start])
                if start == pending.count { (pending, start) = ([], 0) }
                return .message(message)
            }
            // It is all there is: it is moved instead of copied.
            var message: [UInt8] = []
            swap(&message, &pending)
            message.removeFirst(body)
            start = 0
            return .message(message)
        }
    }
}
