import Concurrency
package import Market

/// One conversation with a peer in one protocol, in bytes both ways.
///
/// One task reads and one writes at a time. A reader that does not read makes the peer wait, and a
/// peer that does not read makes the writer wait. Every function throws ``LinkError``, or
/// `CancellationError`; a cancelled call resets the stream, since its bytes may be half out.
package protocol PeerStream: Sendable {
    var remotePeer: PeerID { get }
    var protocolID: String { get }

    /// Takes what has arrived, at least one byte; `nil` at the peer's end.
    ///
    /// Waits at most `limit`; for ever where that is `nil`.
    func read(atMost bytesMax: Int, within limit: Duration?) async throws -> [UInt8]?

    /// Returns once all of `bytes` are on their way.
    func write(_ bytes: [UInt8], within limit: Duration?) async throws

    /// Says that nothing more will be written; reading goes on.
    func closeWrite() async throws

    /// Ends both directions at once.
    func reset()

    /// Counts the bytes of messages that are read from this stream; `nil` if nobody counts them.
    var messageBytes: (any ByteHolding)? { get }

    /// Waits until the peer's link may hold an answer of so many bytes.
    ///
    /// To be asked for before the answer is made; what is returned is held until it is written.
    func room(for byteCount: Int) async throws -> (any Sendable)?
}

/// Counts bytes that are kept for a peer, within what the peer's link and the node may hold.
package protocol ByteHolding: AnyObject, Sendable {
    /// Says how many bytes are kept now; `false` if they are too many and must be let go of.
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

    /// Writes `message` behind its length, as every protocol of ours frames.
    package func writeMessage(_ message: [UInt8], within limit: Duration? = nil) async throws {
        try await write(Varint.encode(message.count) + message, within: limit)
    }

    /// Reads length-delimited messages; make one reader a stream, it may read ahead.
    ///
    /// A message that has begun must be whole within `messageMax`.
    package func messages(
        bytesMax: Int,
        messageMax: Duration = MessageReader.messageMax
    ) -> MessageReader {
        MessageReader(stream: self, bytesMax: bytesMax, messageMax: messageMax)
    }
}

/// Reads a stream's length-delimited messages one by one.
///
/// What it holds is counted as the peer's until the next message is asked for.
package struct MessageReader: Sendable {
    /// How long a peer may take to send the rest of a message.
    package static let messageMax = Duration.seconds(30)
    /// The longest message of any protocol, so that one always finds room in its link's share.
    package static let bytesMax = 440 << 10
    /// What is read at once, and may be of the next message.
    static let readBytesMax = 65_536

    private let stream: any PeerStream
    private let messageMax: Duration
    private var splitter: MessageSplitter
    /// When the message that is being read has to be whole.
    private var wholeBy: Deadline?

    package init(
        stream: any PeerStream,
        bytesMax: Int,
        messageMax: Duration = Self.messageMax
    ) {
        precondition(bytesMax <= Self.bytesMax, "no link holds a message of \(bytesMax) bytes")
        self.stream = stream
        self.messageMax = messageMax
        splitter = MessageSplitter(bytesMax: bytesMax)
    }

    /// Whether bytes of the next message are here already.
    package var hasMore: Bool { !splitter.isBetweenMessages }

    /// Takes the next message; `nil` if the peer ended between two.
    ///
    /// A message that is too long, malformed, cut off or not whole in time resets the stream, and
    /// so does one for which the peer's link has no room. Waiting for the message may take as long
    /// as `limit`; for ever if that is `nil`.
    package mutating func next(within limit: Duration? = nil) async throws -> [UInt8]? {
        let deadline = limit.map(Deadline.init(after:))
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
            wholeBy = Deadline(after: messageMax)
        }
        let end = [deadline, wholeBy].compactMap(\.self).min()
        do {
            return try await stream.read(
                atMost: Self.readBytesMax,
                within: end?.rest
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
