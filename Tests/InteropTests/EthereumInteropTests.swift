import Foundation
import Keys
import Support
import Testing

/// Our Ethereum code against eth-account, eth-abi and web3.py, both ways; see ethereum_check.py.
@Suite(.timeLimit(.minutes(5)))
struct EthereumInteropTests {
    private static let caseCount = 1_000

    @Test func `reproduces the output of the libraries`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("python.jsonl")
        let made = try Self.check("make", file, "--seed", "1", "--cases", "\(Self.caseCount)")
        #expect(made.status == 0, "\(made.words)")

        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        var counts: [String: Int] = [:]
        for (index, line) in text.split(separator: "\n").enumerated() {
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let record = try #require(json as? [String: Any])
            let kind = try #require(record["kind"] as? String)
            let input = try #require(record["input"] as? [String: Any])
            let expected = try #require(record["output"] as? [String: String])
            counts[kind, default: 0] += 1
            do {
                let output = try InteropKinds.output(of: kind, input)
                #expect(output == expected, "line \(index + 1), \(kind)")
            } catch {
                Issue.record("line \(index + 1), \(kind): \(error)")
            }
        }
        #expect(counts.values.reduce(0, +) == Self.caseCount)
        #expect(Set(counts.keys) == Set(InteropCases.kinds))
        print("interop: reproduced \(Self.caseCount) cases, seed 1")
    }

    @Test func `produces output that the libraries reproduce`() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("swift.jsonl")
        var random = SeededRandom(seed: 1)
        var lines = Data()
        for number in 0..<Self.caseCount {
            let kind = InteropCases.kinds[number % InteropCases.kinds.count]
            let input = try InteropCases.input(of: kind, using: &random)
            let record: [String: Any] = [
                "kind": kind, "input": input,
                "output": try InteropKinds.output(of: kind, input),
            ]
            lines += try JSONSerialization.data(withJSONObject: record) + Data("\n".utf8)
        }
        try lines.write(to: URL(filePath: file))

        let checked = try Self.check("check", file, "--every-kind")
        #expect(checked.status == 0, "\(checked.words)")
        #expect(checked.words.contains("checked \(Self.caseCount) cases"))
        print("interop: \(checked.words)")
    }

    /// Runs ethereum_check.py; what it says tells every difference.
    private static func check(_ arguments: String...) throws -> (status: Int32, words: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = projectRoot.appending(path: ".venv/bin/python")
        let script = projectRoot.appending(path: "Tests/InteropTests/ethereum_check.py").path
        process.arguments = [script] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: words, as: UTF8.self))
    }
}
