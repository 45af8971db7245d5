import Foundation
import Keys
import Storage
import Support
import Testing

/// Real processes that write, and are killed or run out of disk.
@Suite(.timeLimit(.minutes(5)))
struct StoreCrashTests {
    /// How often to kill; `STOA_TORTURE_ROUNDS` asks for more.
    private let rounds =
        ProcessInfo.processInfo.environment["STOA_TORTURE_ROUNDS"].flatMap(Int.init) ?? 50

    @Test func `a kill at any moment loses no acknowledged write`() async throws {
        let folder = try TemporaryFolder()
        var source = SeededRandom(seed: 1)
        var acknowledged: Set<UInt64> = []

        for round in 1...rounds {
            let writer = try WriterProcess([folder.path])
            try writer.acknowledge(Int.random(in: 1...40, using: &source))
            try writer.kill()
            #expect(writer.wasKilled, "round \(round)")
            acknowledged.formUnion(writer.acknowledged)

            let store = try Store(folder: folder.path)
            let missing = try WriterProcess.missing(acknowledged, in: store)
            let page = try store.changes(after: 0, limit: .max)
            #expect(missing.isEmpty, "round \(round)")
            #expect(page.changes.count == Int(page.last) && !page.isGap, "round \(round)")
        }

        print("killed \(rounds) times, \(acknowledged.count) writes acknowledged, none lost")
        #expect(acknowledged.count >= rounds)
    }

    @Test func `a killed copy frees its pages, so the store stops growing`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        func write(_ count: Int) async throws {
            for number in 0..<count {
                try await store.write { transaction in
                    let value = [UInt8](
                        repeating: UInt8(truncatingIfNeeded: number),
                        count: 262_144
                    )
                    try transaction.put(Settings.self, "large", value)
                }
            }
        }
        func killCopy() throws {
            let target = try TemporaryFolder()
            let copy = try WriterProcess([folder.path, "65536", target.path])
            _ = try copy.finish()
            #expect(copy.wasKilled)
        }
        try await write(20)
        try killCopy()
        #expect(try store.forgetDeadReaders() == 1)
        #expect(try store.forgetDeadReaders() == 0)

        let before = try store.room().fileBytes
        for _ in 0..<3 {
            try killCopy()
            try await write(100)
        }
        // Without a look for dead readers, each of 300 writes takes pages of its own: 75 MiB.
        let after = try store.room().fileBytes
        #expect(after < before + 16 << 20, "\(after) of \(before)")
    }

    @Test func `opening a store frees the pages of a killed copy beside another one`() async throws
    {
        let folder = try TemporaryFolder()
        let (stopped, killed) = (try TemporaryFolder(), try TemporaryFolder())
        var copy: WriterProcess?
        try await Self.fill(folder) {
            // It goes on over the node's restart, so that the readers' table does too.
            copy = try WriterProcess([folder.path, "65536", stopped.path, "stop"])
            try copy?.acknowledge(1)
            #expect(copy?.acknowledged == [0])
            _ = try WriterProcess([folder.path, "65536", killed.path]).finish()
        }
        try await StoreFolder.untilFree(folder.path)
        let store = try Store(folder: folder.path)
        #expect(try store.forgetDeadReaders() == 0)
        try copy?.kill()
        #expect(try store.forgetDeadReaders() == 1)
    }

    /// Opens a store with some pages for as long as `body` runs.
    private static func fill(_ folder: TemporaryFolder, _ body: () throws -> Void) async throws {
        let store = try Store(folder: folder.path)
        try await store.write { transaction in
            try transaction.put(Settings.self, "large", [UInt8](repeating: 1, count: 262_144))
        }
        try body()
    }

    /// - From people: a full disk → store_full; reading goes on
    @Test func `a full disk refuses a write and accepts it once there is room`() throws {
        let folder = try TemporaryFolder()
        let writer = try WriterProcess([folder.path, "3000000"])
        let told = try writer.finish()

        #expect(writer.exitCode == 0)
        let lines = told.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let count = try #require(lines.first?.last.flatMap { Int($0) })
        #expect(lines == [["full", "\(count)"], ["again", "\(count + 1)"]])
        #expect(count > 100)
        let store = try Store(folder: folder.path)
        #expect(try store.read { try $0.count(Operations.self) } == count + 1)
    }
}
