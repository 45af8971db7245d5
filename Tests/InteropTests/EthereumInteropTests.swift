import Foundation
import Keys
import Support
import Testing

/// Our Ethereum code against eth-account, eth-abi and web3.py, both ways; see ethereum_check.py.
///
/// Runs where `STOA_INTEROP_DIR` names a folder: reads `python.jsonl` there, which ethereum_check.py
/// made, and writes `swift.jsonl`, which it then checks.
struct EthereumInteropTests {
    private static let folder = ProcessInfo.processInfo.environment["STOA_INTEROP_DIR"]
        .map { URL(filePath: $0) }

    @Test func `reproduces what the libraries made`() throws {
        guard let folder = Self.folder else {
            print("passed over: STOA_INTEROP_DIR names no folder")
            return
        }
        let text = try String(contentsOf: folder.appending(path: "python.jsonl"), encoding: .utf8)
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
        print("interop: reproduced \(counts.values.reduce(0, +)) cases: \(counts)")
        #expect(!counts.isEmpty)
    }

    @Test func `writes cases for the libraries to check`() throws {
        guard let folder = Self.folder else {
            print("passed over: STOA_INTEROP_DIR names no folder")
            return
        }
        var random = SeededRandom(seed: 1)
        var lines = Data()
        for number in 0..<1_000 {
            let kind = InteropCases.kinds[number % InteropCases.kinds.count]
            let input = try InteropCases.input(of: kind, using: &random)
            let record: [String: Any] = [
                "kind": kind, "input": input,
                "output": try InteropKinds.output(of: kind, input),
            ]
            lines += try JSONSerialization.data(withJSONObject: record) + Data("\n".utf8)
        }
        try lines.write(to: folder.appending(path: "swift.jsonl"))
        print("interop: wrote 1000 cases, seed 1")
    }
}
