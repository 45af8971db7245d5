import Foundation
import Gossip
import Keys
import Logging
import Market

/// The memory a node comes to while peers of one address do all they may: as many links as it
/// takes, on each as many streams, each with more bytes than are read, and frames of the greatest
/// length that never end.
enum AttackBenchmark {
    private static let seconds = 30
    private static let calmSeconds = 45
    private static let gossip = "/meshsub/1.1.0"
    private static let limits = LinkLimits()
    /// What a stranger can make the node hold: unread bytes of all streams, in arrays that may be
    /// twice as long, and the frames and questions that are being read.
    private static let boundMebibytes =
        NodeBenchmark.idleMebibytesMax
        + Double(2 * limits.unreadBytesMax + 4 * limits.linksOfOneAddressMax * frameBytes)
        / 1_048_576
    private static let frameBytes = GossipLimits().frameBytesMax

    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let node = try NodeUnderTest(folder: folder.appending(path: "node").path)
        _ = try node.start()
        defer { node.stop() }
        let address = try node.address()
        var most = 0.0
        let before = try node.mebibytes()
        try await withThrowingTaskGroup { group in
            for _ in 0..<limits.linksOfOneAddressMax {
                let links = try Links(
                    identity: .random(),
                    agentVersion: "stoa/benchmark",
                    logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
                )
                group.addTask { try await links.run() }
                group.addTask { while await links.events.receive() != nil {} }
                let peer = try await links.dial(address)
                for _ in 0..<2 { group.addTask { await stall(links, peer) } }
                for _ in 0..<limits.yamux.streamsAcceptedMax - 8 {
                    group.addTask { await flood(links, peer) }
                }
            }
            for _ in 0..<seconds * 10 {
                most = max(most, try node.mebibytes())
                try await Task.sleep(for: .milliseconds(100))
            }
            group.cancelAll()
        }
        try await Task.sleep(for: .seconds(calmSeconds))
        let verdict = most < boundMebibytes ? "reached" : "missed"
        print(
            "anonymous memory under attack from one address: \(before) MiB before, at most \(most) MiB "
                + "(\(boundMebibytes) \(verdict)), \(try node.mebibytes()) MiB \(calmSeconds) s after"
        )
    }

    /// Sends all but the end of the longest frame.
    private static func stall(_ links: Links, _ peer: PeerID) async {
        // A refused or reset stream is what the node is expected to answer with.
        guard let stream = try? await links.open(protocols: [gossip], to: peer) else { return }
        let frame = Varint.encode(frameBytes) + [UInt8](repeating: 7, count: frameBytes - 1)
        try? await stream.write(frame)
        _ = try? await stream.read(atMost: 1)
    }

    /// Sends faster than the node reads, and reads nothing.
    private static func flood(_ links: Links, _ peer: PeerID) async {
        let bytes = [UInt8](repeating: 7, count: limits.yamux.initialWindowBytes)
        while !Task.isCancelled {
            // As above.
            guard let stream = try? await links.open(protocols: [Ping.protocolID], to: peer) else {
                return
            }
            while (try? await stream.write(bytes)) != nil {}
        }
    }
}
