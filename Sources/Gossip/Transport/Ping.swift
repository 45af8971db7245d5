package import Concurrency
import GossipProtocol
package import Market

/// Measures whether and how fast a peer answers.
///
/// Source: libp2p specs, "ping".
package enum Ping {
    package static let protocolID = "/ipfs/ping/1.0.0"
    private static let byteCount = 32
    /// Pings of one stream that are answered between two pauses.
    static let answersOfOneTurn = 16

    /// Echoes the peer's pings, 32 bytes each, until the peer closes the stream.
    ///
    /// After 16 answers it reads nothing for a second, so that endless pings cost this node little:
    /// their sender waits. It stops answering a peer that does not read an answer within `limit`.
    static func answer(
        _ stream: any PeerStream,
        within limit: Duration,
        pause: @Sendable (Duration) async throws -> Void
    ) async throws {
        var answers = 0
        while let bytes = try await read(stream, within: nil) {
            try await stream.write(bytes, within: limit)
            answers += 1
            if answers.isMultiple(of: answersOfOneTurn) { try await pause(.seconds(1)) }
        }
    }

    /// Measures one round trip to a linked peer.
    ///
    /// - Throws: ``LinkError``; `wrongAnswer` if the peer sends other bytes back.
    package static func measure(
        _ peer: PeerID,
        over links: any PeerLinks,
        within limit: Duration = .seconds(10),
        clock: any MonotonicClock = .system
    ) async throws -> Duration {
        let stream = try await links.open(protocols: [protocolID], to: peer)
        defer { stream.reset() }
        var source = SystemRandomNumberGenerator()
        let asked = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &source) }
        let start = clock.uptime
        try await stream.write(asked, within: limit)
        guard try await read(stream, within: limit) == asked else {
            throw LinkError.negotiation(.wrongAnswer)
        }
        return clock.uptime - start
    }

    private static func read(
        _ stream: any PeerStream,
        within limit: Duration?
    ) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < byteCount {
            let more = try await stream.read(atMost: byteCount - bytes.count, within: limit)
            guard let more else {
                if bytes.isEmpty { return nil }
                throw LinkError.cutOff
            }
            bytes += more
        }
        return bytes
    }
}
