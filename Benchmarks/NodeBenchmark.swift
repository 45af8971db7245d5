import Foundation
import Market
import Storage

/// How long a node takes to start, and the memory it holds while nothing happens: with nothing in
/// its store, and with 100,000 listings.
///
/// The pages of program and store are in the system's cache after the first start, as on a machine
/// that restarts a node. `STOA_BENCH_IDLE` is how many seconds it idles before it is looked at.
enum NodeBenchmark {
    private static let count = 100_000
    private static let turns = 5
    private static let warmMillisecondsMax = 2_000.0
    static let idleMebibytesMax = 80.0

    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let empty = try NodeUnderTest(folder: folder.appending(path: "empty").path)
        let loaded = try NodeUnderTest(folder: folder.appending(path: "loaded").path)
        try await fill(loaded, count: count)
        defer {
            empty.stop()
            loaded.stop()
        }
        try rebuild(loaded)
        try start(empty, loaded)
        try await idle(empty, loaded)
    }

    /// Puts so many listings into a node's store, a day old.
    static func fill(_ node: NodeUnderTest, count: Int) async throws {
        let store = try Store(folder: node.folder + "/store")
        let seconds = UInt64(Date().timeIntervalSince1970)
        let now = Timestamp(milliseconds: (seconds - 86_400) * 1_000)
        try await BenchmarkListings.fill(store, count: count, from: now)
    }

    /// The catalogue is missing, as after a restored backup.
    private static func rebuild(_ node: NodeUnderTest) throws {
        var ready: [Double] = []
        var complete: [Double] = []
        var memory: [Double] = []
        for _ in 0..<turns {
            for suffix in ["", "-wal", "-shm"] {
                let file = node.folder + "/catalogue.sqlite" + suffix
                // The first time there is none.
                try? FileManager.default.removeItem(atPath: file)
            }
            let clock = ContinuousClock()
            let start = clock.now
            ready.append(try node.start() / .milliseconds(1))
            try node.waitForIndex(of: count)
            complete.append((clock.now - start) / .seconds(1))
            memory.append(try node.mebibytes())
            node.stop()
        }
        print(
            "start with \(count) records and no catalogue: ready after \(Int(median(ready))) ms, "
                + "searchable after \(median(complete)) s, then \(median(memory)) MiB"
        )
    }

    private static func start(_ empty: NodeUnderTest, _ loaded: NodeUnderTest) throws {
        var times: [(empty: Double, loaded: Double)] = []
        for _ in 0..<turns {
            let first = try empty.start() / .milliseconds(1)
            empty.stop()
            let second = try loaded.start() / .milliseconds(1)
            loaded.stop()
            times.append((first, second))
        }
        let milliseconds = median(times.map(\.loaded))
        let verdict = milliseconds < warmMillisecondsMax ? "reached" : "missed"
        print(
            "start with \(count) records: ready after \(Int(milliseconds)) ms (2,000 \(verdict)), "
                + "with none after \(Int(median(times.map(\.empty)))) ms"
        )
    }

    private static func idle(_ empty: NodeUnderTest, _ loaded: NodeUnderTest) async throws {
        let seconds =
            ProcessInfo.processInfo.environment["STOA_BENCH_IDLE"].flatMap { Int($0) } ?? 180
        for node in [empty, loaded] { _ = try node.start() }
        let atStart = try [empty, loaded].map { try $0.mebibytes() }
        try await Task.sleep(for: .seconds(seconds))
        let after = try [empty, loaded].map { try $0.mebibytes() }
        let verdict = (after.max() ?? 0) < idleMebibytesMax ? "reached" : "missed"
        print(
            "anonymous memory idle for \(seconds) s: \(after[0]) MiB, with \(count) records "
                + "\(after[1]) MiB (80 \(verdict)); when just ready \(atStart[0]) and \(atStart[1])"
        )
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
