import Foundation
import Support
import Testing

@testable import MediaFiles

/// Programs that take more than they may are ended, and leave nothing behind.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LimitedProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ script: String,
        environment: [String: String] = ["PATH": "/usr/bin"],
        _ change: (inout LimitedProcess.Allowance) -> Void = { _ in }
    ) async throws -> LimitedProcess.Outcome {
        var allowance = LimitedProcess.Allowance()
        change(&allowance)
        return try await LimitedProcess(allowance: allowance).run(
            ["/bin/sh", "-c", script],
            environment: environment,
            log: folder.path("log")
        )
    }

    private var log: String {
        String(
            decoding: FileManager.default.contents(atPath: folder.path("log")) ?? Data(),
            as: UTF8.self
        )
    }

    @Test func `reports how a program ended and keeps its output`() async throws {
        #expect(try await run("echo out; echo words >&2") == .exited(code: 0))
        #expect(log == "out\nwords\n")
        #expect(try await run("exit 3") == .exited(code: 3))
        #expect(try await run("kill -SEGV $$") == .killed(signal: SIGSEGV))
    }

    @Test func `a program inherits no input, environment or open file`() async throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/status"))
        #expect(
            try await run("cat; env; ls /proc/self/fd", environment: ["A": "b"]) == .exited(code: 0)
        )
        withExtendedLifetime(file) {}
        let lines = log.split(separator: "\n").filter { !$0.hasPrefix("PWD=") }
        // The last one is the folder that is listed.
        #expect(lines.first == "A=b" && lines.dropFirst() == ["0", "1", "2", "3"])
    }

    @Test func `each limit ends a program that exceeds it`() async throws {
        let memory = try await run("dd if=/dev/zero of=/dev/null bs=200M count=1") {
            $0.addressBytes = 64 << 20
        }
        #expect(memory == .exited(code: 1) && log.contains("exhausted"), "\(log)")
        let time = try await run("while :; do :; done", { $0.processorSeconds = 1 })
        #expect(time == .killed(signal: SIGKILL) || time == .killed(signal: SIGXCPU))
        let file = folder.path("file")
        _ = try await run("head -c 100000 /dev/zero > '\(file)'", { $0.fileBytes = 10_000 })
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        #expect(size == 10_000)
        #expect(try await run("ulimit -c") == .exited(code: 0))
        #expect(log == "0\n")
    }

    @Test func `kills a program that takes too long, and all its children`() async throws {
        let mark = folder.path("mark")
        let script = "(sleep 100; touch '\(mark)') & echo $! > '\(folder.path("child"))'; sleep 100"
        #expect(try await run(script, { $0.time = .milliseconds(300) }) == .timedOut)
        try expectNoChild()
    }

    @Test func `kills a program when no one waits for it`() async throws {
        let script = "(sleep 100) & echo $! > '\(folder.path("child"))'; sleep 100"
        let child = folder.path("child")
        let waiting = Task { try await run(script) }
        try await waitUntil { FileManager.default.contents(atPath: child)?.isEmpty == false }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try expectNoChild()
    }

    /// The process whose number the script wrote has ended, or waits for its parent to be told.
    private func expectNoChild() throws {
        let text = try String(contentsOfFile: folder.path("child"), encoding: .utf8)
        let number = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        for _ in 0..<200 {
            let about = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            if about?.contains(") Z ") ?? true { return }
            usleep(10_000)
        }
        Issue.record("process \(number) goes on")
    }

    @Test func `names a missing program`() async throws {
        let process = LimitedProcess()
        let outcome = try await process.run(
            ["/no/such/program"],
            environment: [:],
            log: folder.path("log")
        )
        #expect(outcome == .exited(code: 127) || outcome == .exited(code: 1))
        #expect(log.contains("/no/such/program"))
    }
}
