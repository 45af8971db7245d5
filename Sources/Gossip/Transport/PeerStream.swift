import Concurrency
import GossipProtocol
package import Market

/// A stream of bytes to and from one peer, in one protocol.
///
/// At most one task reads and one writes at a time. If this side does not read, the peer waits; if
/// the peer does not read, the writer waits. Every function throws ``LinkError`` or
/// `CancellationError`; a cancelled call resets the stream, since part of its bytes may be sent.
package protocol PeerStream: Sendable {
    var remotePeer: PeerID { get }
    var protocolID: String { get }

    /// Takes the bytes that have arrived, at least one; `nil` if the peer closed its half.
    ///
    /// Waits at most `limit`, or without limit if it is `nil`.
    func read(atMost bytesMax: Int, within limit: Duration?) async throws -> [UInt8]?

    /// Returns once all of `bytes` have been sent.
    func write(_ bytes: [UInt8], within limit: Duration?) async throws

    /// Closes the writing half; reading continues.
    func closeWrite() async throws

    /// Ends both directions immediately.
    func reset()

    /// Counts the bytes of messages read from this stream; `nil` if they are not counted.
    var messageBytes: (any ByteHolding)? { get }

    /// Waits until the peer's link has room for an answer of `byteCount` bytes.
    ///
    /// Ask before building the answer, and keep the result until the answer is written.
    func room(for byteCount: Int) async throws -> (any Sendable)?
}

/// Counts bytes held for a peer, within the limits of the peer's link and of the node.
package protocol ByteHolding: AnyObject, Sendable {
    /// Sets the number of bytes held now; `false` if they are too many and must be released.
    @discardableResult
    func set(_ byteCount: Int) -> Bool
}

extension PeerStream {
    package var messageBytes: (any ByteHolding)? { nil }

    package func room(for byteCount: Int) async throws -> (any Sendable)? { nil }

    package func read(atMost bytesMax: Int) async throws -> [UInt8]? {
        try await read(atMost: bytesMax, within: nil)
    }

    package func write(_ bytes: [UInt8]) async throws {
        try await write(bytes, within: nil)
    }

    /// Writes `message` after its length, the framing of all of the node's protocols.
    package func writeMessage(_ message: [UInt8], within limit: Duration? = nil) async throws {
        try await write(Varint.encode(message.count) + message, within: limit)
    }

    /// Returns a reader of length-delimited messages; make one per stream, since it may read ahead.
    ///
    /// A message must be complete within `messageMax` of its first byte.
    package func messages(
        bytesMax: Int,
        messageMax: Duration = MessageReader.messageMax
    ) -> MessageReader {
        MessageReader(stream: self, bytesMax: bytesMax, messageMax: messageMax)
    }
}

/// Reads a stream's length-delimited messages one by one.
///
/// A message's bytes are charged to the peer until the next message is requested.
package struct MessageReader: Sendable {
    /// How long a peer may take to complete a message.
    package static let messageMax = Duration.seconds(30)

    private let stream: any PeerStream
    private let messageMax: Duration
    private var splitter: MessageSplitter
    /// When the message being read must be complete.
    private var wholeBy: Deadline?

    package init(
        stream: any PeerStream,
        bytesMax: Int,
        messageMax: Duration = Self.messageMax
    ) {
        precondition(
            bytesMax <= MessageSplitter.messageBytesMax,
            "no link holds a message of \(bytesMax) bytes"
        )
        self.stream = stream
        self.messageMax = messageMax
        splitter = MessageSplitter(bytesMax: bytesMax)
    }

    /// Whether bytes of the next message have arrived already.
    package var hasMore: Bool { !splitter.isBetweenMessages }

    /// Takes the next message; `nil` if the peer closed its half between two messages.
    ///
    /// Resets the stream if a message is too long, malformed, cut off or late, or if the peer's
    /// link has no room for it. Waits at most `limit` for the message, or without limit if it is
    /// `nil`.
    package mutating func next(within limit: Duration? = nil) async throws -> [UInt8]? {
        let deadline = limit.map { Deadline(after: $0, on: .system) }
        stream.messageBytes?.set(splitter.byteCount)
        while true {
            switch splitter.next() {
            case .message(let message):
                wholeBy = nil
                return message
            case .needsMore: break
            case .tooLong(let byteCount): throw refuse(.messageTooLong(byteCount: byteCount))
            case .malformedLength: throw refuse(.malformedLength)
            }
            guard let bytes = try await read(until: deadline) else {
                if splitter.isBetweenMessages { return nil }
                throw refuse(.cutOff)
            }
            splitter.append(bytes)
            guard stream.messageBytes?.set(splitter.byteCount) ?? true else {
                throw refuse(.full(.bytes))
            }
        }
    }

    private mutating func read(
        until deadline: Deadline?
    ) async throws -> [UInt8]? {
        if !splitter.isBetweenMessages, wholeBy == nil {
            wholeBy = Deadline(after: messageMax, on: .system)
        }
        do {
            return try await stream.read(
                atMost: MessageSplitter.readBytesMax,
                within: [deadline?.rest, wholeBy?.rest].compactMap(\.self).min()
            )
        } catch LinkError.timedOut {
            guard let wholeBy, wholeBy.hasPassed else { throw LinkError.timedOut }
            throw refuse(.stalled)
        }
    }

    private func refuse(_ error: LinkError) -> LinkError {
        stream.reset()
        stream.messageBytes?.set(0)
        return error
    }
}
