import Market
import Synchronization

/// One stream of a link whose protocol is agreed.
///
/// Where nobody holds it any more it closes: what was written still goes out, what comes is dropped.
final class LinkStream: PeerStream {
    let remotePeer: PeerID
    let protocolID: String
    private let port: StreamPort
    /// Bytes that came together with the last line of the negotiation.
    private let early: Mutex<[UInt8]>

    init(port: StreamPort, remotePeer: PeerID, protocolID: String, early: [UInt8]) {
        self.port = port
        self.remotePeer = remotePeer
        self.protocolID = protocolID
        self.early = Mutex(early)
    }

    deinit { port.abandon() }

    func read(atMost bytesMax: Int, within limit: Duration?) async throws -> [UInt8]? {
        let first = early.withLock { early in
            let first = Array(early.prefix(bytesMax))
            early.removeFirst(first.count)
            return first
        }
        if !first.isEmpty { return first }
        return try await port.read(atMost: bytesMax, within: limit)
    }

    func write(_ bytes: [UInt8], within limit: Duration?) async throws {
        try await port.write(bytes, within: limit)
    }

    func closeWrite() async throws {
        try await port.finish()
    }

    func reset() {
        port.reset()
    }

    var messageBytes: (any ByteHolding)? { port.messages }

    func room(for byteCount: Int) async throws -> (any Sendable)? {
        try await port.answerRoom.take(byteCount)
    }

    /// Agrees with the peer on a protocol for a fresh stream.
    ///
    /// The stream is reset where that fails, or takes longer than `limit` in all.
    static func negotiate(
        _ negotiation: Multistream,
        _ wanted: [String],
        on port: StreamPort,
        with peer: PeerID,
        within limit: Duration
    ) async throws -> LinkStream {
        var negotiation = negotiation
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: limit)
        do {
            try await port.write(negotiation.opening, within: limit)
            while true {
                let rest = clock.now.duration(to: deadline)
                guard let bytes = try await port.read(atMost: 1_024, within: rest) else {
                    throw LinkError.negotiation(.endedEarly)
                }
                for directive in negotiation.receive(bytes) {
                    switch directive {
                    case .send(let bytes): try await port.write(bytes, within: rest)
                    case .refused: throw LinkError.protocolsRefused(wanted)
                    case .offend(let offence): throw LinkError.negotiation(offence)
                    case .agreed(let name, let early):
                        return LinkStream(
                            port: port,
                            remotePeer: peer,
                            protocolID: name,
                            early: early
                        )
                    }
                }
            }
        } catch {
            port.reset()
            throw error
        }
    }
}
