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
}

extension PeerStream {
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
    package func messages(bytesMax: Int) -> MessageReader {
        MessageReader(stream: self, bytesMax: bytesMax)
    }
}

/// Reads a stream's length-delimited messages one by one.
package struct MessageReader: Sendable {
    private static let readBytesMax = 65_536

    private let stream: any PeerStream
    private var splitter: MessageSplitter

    package init(stream: any PeerStream, bytesMax: Int) {
        self.stream = stream
        splitter = MessageSplitter(bytesMax: bytesMax)
    }

    /// Takes the next message; `nil` where the peer ended between two.
    ///
    /// A message that is too long, malformed or cut off resets the stream. The whole message may
    /// take as long as `limit`; for ever where that is `nil`.
    package mutating func next(within limit: Duration? = nil) async throws -> [UInt8]? {
        let clock = ContinuousClock()
        let deadline = limit.map { clock.now.advanced(by: $0) }
        while true {
            switch splitter.next() {
            case .message(let message): return message
            case .needsMore: break
            case .tooLong(let byteCount): throw refuse(.messageTooLong(byteCount: byteCount))
            case .malformedLength: throw refuse(.malformedLength)
            }
            let rest = deadline.map { clock.now.duration(to: $0) }
            guard let bytes = try await stream.read(atMost: Self.readBytesMax, within: rest) else {
                if splitter.isBetweenMessages { return nil }
                throw refuse(.cutOff)
            }
            splitter.append(bytes)
        }
    }

    private func refuse(_ error: LinkError) -> LinkError {
        stream.reset()
        return error
    }
}
