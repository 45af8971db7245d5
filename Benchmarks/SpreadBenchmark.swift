import Foundation
import Limits

/// From publishing on one node to reading on the last of several, through their APIs.
///
/// Each node is a process, linked to the others by TLS over loopback. One record at a time: a new
/// text of a listing, which is signed, written durably, sent, checked and written durably by each
/// node in turn of its coming. By turns a message of the same size goes to another process that
/// syncs it to disk and echoes it.
enum SpreadBenchmark {
    private static let records = 200
    /// Whose texts change by turns: of one alone, nodes take about a hundred changes in a day.
    private static let listings = 4
    /// About what the record takes that carries the listing.
    private static let messageBytes = 900

    static func run(nodes: Int) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let market = try LocalMarket(folder: folder.appending(path: "market").path, nodes: nodes)
        for _ in 0..<listings { try market.list() }
        let path = folder.appending(path: "echo").path
        guard let echo = unsafe limits_echo_open(path, Int32(messageBytes)) else {
            throw BenchmarkFault.noLimit
        }
        defer { unsafe limits_echo_close(echo) }

        let message = [UInt8](repeating: 7, count: messageBytes)
        var times = Times()
        for number in 0..<records {
            let clock = ContinuousClock()
            let begun = clock.now
            guard unsafe limits_echo(echo, message, Int32(messageBytes)) == 1 else {
                throw BenchmarkFault.noLimit
            }
            times.echoes.append((clock.now - begun) / .milliseconds(1))
            let listing = market.listings[number % listings]
            let words = "Steel frame, number \(number), new tyres."
            let start = clock.now
            let operation = try market.edit(listing, words)
            times.answered.append((clock.now - start) / .milliseconds(1))
            for (index, node) in market.operators.enumerated() {
                while try !market.shows(words, of: listing, node) {
                    guard clock.now - start < .seconds(60) else {
                        throw BenchmarkFault.notInTime("a record on node \(index + 1)")
                    }
                    usleep(200)
                }
                if index == 0 { times.here.append((clock.now - start) / .milliseconds(1)) }
            }
            times.everywhere.append((clock.now - start) / .milliseconds(1))
            let asked = clock.now
            _ = try market.shows(words, of: listing, market.operators[nodes - 1])
            times.reads.append((clock.now - asked) / .milliseconds(1))
            try market.finish(operation)
        }
        times.report(nodes: nodes)
        let memory = try market.processes.map { try Program.anonymousKibibytes(of: $0) / 1_024 }
        print("  anonymous memory of these nodes: \(memory.sorted()) MiB")
    }

    /// Milliseconds, one of each kind a record.
    private struct Times {
        var echoes: [Double] = []
        var answered: [Double] = []
        var here: [Double] = []
        var reads: [Double] = []
        var everywhere: [Double] = []

        func report(nodes: Int) {
            print(
                "publish on one node, readable on the last of \(nodes), \(everywhere.count) records:"
            )
            let lines = [
                ("readable everywhere", everywhere), ("readable on the first node", here),
                ("call answered", answered), ("one read by the API", reads),
                ("echo of \(messageBytes) B with fsync", echoes),
            ]
            for (name, values) in lines {
                let sorted = values.sorted()
                let (middle, last) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
                print("  \(name): p50 \(rounded(middle)) ms, p99 \(rounded(last)) ms")
            }
        }

        private func rounded(_ milliseconds: Double) -> Double {
            (milliseconds * 100).rounded() / 100
        }
    }
}
