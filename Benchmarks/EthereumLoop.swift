import Foundation
import Keys

/// web3.py and eth-account in a process of their own, which do the same work as the product.
///
/// Source: Benchmarks/ethereum_loop.py.
final class EthereumLoop {
    /// What the other program did in one loop.
    struct Turn {
        /// Seconds of processor time.
        let seconds: Double
        /// The result of the last round, in hexadecimal.
        let result: String
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts the program with the call's data and the key that signs.
    init(data: [UInt8], to: Address, secret: [UInt8]) throws {
        let python = ".venv/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw BenchmarkFault.ended("\(python), which Scripts/venv makes")
        }
        process.executableURL = URL(filePath: python)
        process.arguments = [
            "Benchmarks/ethereum_loop.py", Hex.encode(data), to.checksummed, Hex.encode(secret),
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
    }

    /// Has the program do its work `rounds` times.
    func turn(_ work: String, rounds: Int) throws -> Turn {
        try input.fileHandleForWriting.write(contentsOf: Data("\(work) \(rounds)\n".utf8))
        let words = try line().split(separator: " ")
        guard words.count == 2, let seconds = Double(words[0]) else {
            throw BenchmarkFault.ended("ethereum_loop.py \(work)")
        }
        return Turn(seconds: seconds, result: String(words[1]))
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BenchmarkFault.ended("ethereum_loop.py") }
            unread += more
        }
    }
}
