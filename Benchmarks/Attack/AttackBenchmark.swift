import Foundation
import Gossip
import GossipProtocol
import Keys
import Market

/// What honest peers notice while a stranger attacks the node that they meet at.
///
/// For each attack a new node, alone on one processor; honest peers and attacker share the other,
/// the attacker with the lowest priority. The honest pair is measured before, during and after.
enum AttackBenchmark {
    private static let quietSeconds = 8
    /// Between the end of an attack, whose sockets end with it, and the look at what is still held.
    private static let calmSeconds = 12
    private static let millisecondsMax = 50.0
    private static let factorMax = 3.0
    /// What strangers can make a node hold: unread bytes of all streams, in arrays that may be
    /// twice as long, and what waits for all peers to read.
    private static let boundMebibytes =
        NodeBenchmark.idleMebibytesMax
        + Double(2 * LinkLimits().unreadBytesMax + GossipSettings().outboxesBytesMax) / 1_048_576

    /// Measures the attacks of these names, or all.
    static func run(_ names: [String]) async throws {
        guard AttackNetwork.isInside else { return try AttackNetwork.enter(["attack"] + names) }
        let unknown = names.filter { name in !Attack.all.contains { $0.name == name } }
        guard unknown.isEmpty else {
            throw BenchmarkFault.ended(
                "no attack \(unknown[0]); there are \(Attack.all.map(\.name).joined(separator: ", "))"
            )
        }
        let attacks = Attack.all.filter { names.isEmpty || names.contains($0.name) }
        try AttackNetwork.prepare(withIP6: attacks.contains { $0.isOnNewcomers })
        Self.show(AttackRow.head)
        for attack in attacks {
            Self.show(try await measure(attack).line)
        }
    }

    /// Shows a line at once, also if the output is a file.
    private static func show(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func measure(_ attack: Attack) async throws -> AttackRow {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        var scene = try AttackScene(folder: folder.path, attack)
        defer { scene.node.stop() }
        let pair = scene.pair
        return try await withThrowingTaskGroup { group in
            group.addTask { try await pair.run() }
            defer { group.cancelAll() }
            try await pair.meet()
            try await scene.findDevice()
            return try await play(attack, scene)
        }
    }

    private static func play(_ attack: Attack, _ scene: AttackScene) async throws -> AttackRow {
        let node = scene.node
        // The first calls of a process are slower than the rest.
        _ = try await scene.pair.measure(seconds: 2)
        let before = try await scene.pair.measure(seconds: quietSeconds)
        let stored = try node.storedBytes()
        let processor = try node.processorSeconds()
        let clock = ContinuousClock()
        let start = clock.now
        let attacker = try scene.attacker(attack, seconds: attack.seconds)
        let process = node.processID
        async let memory = peak(of: process, seconds: attack.seconds)
        let during = try await scene.pair.measure(seconds: attack.seconds)
        let used = try node.processorSeconds() - processor
        let seconds = (clock.now - start) / .seconds(1)
        let sent = try attacker.units()
        let after = try await scene.pair.measure(seconds: quietSeconds)
        let grown = try node.storedBytes() - stored
        try await Task.sleep(for: .seconds(calmSeconds - quietSeconds))
        return AttackRow(
            attack: attack,
            sent: sent,
            before: before,
            during: during,
            after: after,
            processor: used / seconds,
            mebibytes: try await memory,
            storedBytes: grown,
            left: try node.left(besides: scene.peers),
            limits: AttackRow.Bounds(
                milliseconds: millisecondsMax,
                factor: factorMax,
                mebibytes: boundMebibytes
            )
        )
    }

    /// The most anonymous memory of a process in so many seconds, in MiB.
    private static func peak(of process: Int32, seconds: Int) async throws -> Double {
        var most = 0
        for _ in 0..<seconds * 10 {
            most = max(most, try Program.anonymousKibibytes(of: process))
            try await Task.sleep(for: .milliseconds(100))
        }
        return Double(most) / 1_024
    }
}
