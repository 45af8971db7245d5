import Concurrency
import GossipProtocol
import Market
import Synchronization

/// One stream of a link, with an agreed protocol.
///
/// When its last holder releases it, it closes: written bytes are still sent, received ones are
/// dropped.
final class LinkStream: PeerStream {
    let remotePeer: PeerID
    let protocolID: String
    private let handle: StreamHandle
    /// Bytes that arrived together with the last line of the negotiation.
    private let early: Mutex<[UInt8]>

    init(handle: StreamHandle, remotePeer: PeerID, protocolID: String, early: [UInt8]) {
        self.handle = handle
        self.remotePeer = remotePeer
        self.protocolID = protocolID
        self.early = Mutex(early)
    }

    deinit { handle.abandon() }

    func read(atMost bytesMax: Int, within limit: Duration?) async throws -> [UInt8]? {
        let first = early.withLock { early in
            let first = Array(early.prefix(bytesMax))
            early.removeFirst(first.count)
            return first
        }
        if !first.isEmpty { return first }
        return try await handle.read(atMost: bytesMax, within: limit)
    }

    func write(_ bytes: [UInt8], within limit: Duration?) async throws {
        try await handle.write(bytes, within: limit)
    }

    func closeWrite() async throws {
        try await handle.finish()
    }

    func reset() {
        handle.reset()
    }

    var messageBytes: (any ByteHolding)? { handle.messages }

    func room(for byteCount: Int) async throws -> (any Sendable)? {
        try await handle.answerBytes.wait(for: byteCount)
    }

    /// Negotiates the protocol of a new stream.
    ///
    /// Resets the stream if that fails, or takes longer than `limit` in all.
    static func negotiate(
        _ negotiation: Multistream,
        _ wanted: [String],
        on handle: StreamHandle,
        with peer: PeerID,
        within limit: Duration
    ) async throws -> LinkStream {
        var negotiation = negotiation
        let deadline = Deadline(after: limit, on: .system)
        do {
            try await handle.write(negotiation.opening, within: limit)
            while true {
                let rest = deadline.rest
                guard let bytes = try await handle.read(atMost: 1_024, within: rest) else {
                    throw LinkError.negotiation(.endedEarly)
                }
                for directive in negotiation.receive(bytes) {
                    switch directive {
                    case .send(let bytes): try await handle.write(bytes, within: rest)
                    case .refused: throw LinkError.protocolsRefused(wanted)
                    case .offend(let offence): throw LinkError.negotiation(offence)
                    case .agreed(let name, let early):
                        return LinkStream(
                            handle: handle,
                            remotePeer: peer,
                            protocolID: name,
                            early: early
                        )
                    }
                }
            }
        } catch {
            handle.reset()
            throw error
        }
    }
}
