import Foundation
import Keys
import Storage
import Support
import Testing

/// Real processes that write, and are killed or run out of disk.
struct StoreCrashTests {
    /// How often to kill; `STOA_TORTURE_ROUNDS` asks for more.
    private let rounds =
        ProcessInfo.processInfo.environment["STOA_TORTURE_ROUNDS"].flatMap(Int.init) ?? 50

    private func writer(_ arguments: [String]) throws -> (Process, FileHandle) {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let pipe = Pipe()
        let process = Process()
        process.executableURL = folder.appending(path: "StoreWriter")
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    /// The numbers in whole lines.
    private func numbers(in output: Data) -> [UInt64] {
        output.split(separator: 10, omittingEmptySubsequences: false).dropLast()
            .compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    @Test func `a kill at any moment loses nothing acknowledged`() async throws {
        let folder = try TemporaryFolder()
        var source = SeededRandom(seed: 1)
        var acknowledged: Set<UInt64> = []

        for round in 1...rounds {
            let (process, output) = try writer([folder.path])
            let wanted = Int.random(in: 1...40, using: &source)
            var told = Data()
            while numbers(in: told).count < wanted {
                let more = output.availableData
                if more.isEmpty { break }
                told += more
            }
            kill(process.processIdentifier, SIGKILL)
            told += try output.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal, "round \(round)")
            acknowledged.formUnion(numbers(in: told))

            let store = try Store(folder: folder.path)
            let missing = try store.read { transaction in
                try acknowledged.filter { number in
                    let key = Pair(Address.zero, Bytes32(words: 0, 0, 0, number))
                    let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 700)
                    return try transaction.get(Operations.self, key) != value
                }
            }
            let page = try store.changes(after: 0, limit: .max)
            #expect(missing.isEmpty, "round \(round)")
            #expect(page.changes.count == Int(page.last) && !page.isGap, "round \(round)")
        }

        print("killed \(rounds) times, \(acknowledged.count) writes acknowledged, none lost")
        #expect(acknowledged.count >= rounds)
    }

    @Test func `a full disk refuses the write, and takes it when there is room again`() throws {
        let folder = try TemporaryFolder()
        let (process, output) = try writer([folder.path, "3000000"])
        let told = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()

        #expect(process.terminationStatus == 0)
        let lines = told.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let count = try #require(lines.first?.last.flatMap { Int($0) })
        #expect(lines == [["full", "\(count)"], ["again", "\(count + 1)"]])
        #expect(count > 100)
        let store = try Store(folder: folder.path)
        #expect(try store.read { try $0.count(Operations.self) } == count + 1)
    }
}
