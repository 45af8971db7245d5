import Foundation
import Keys
import Limits
import Market
import Storage

/// How long the API takes to show pages of 100,000 listings, and how many requests it answers.
///
/// Over one connection and over 64, beside a server of the same library that answers with as many
/// constant bytes; then pages that no cache has. `STOA_BENCH_LISTINGS` is another number of listings.
enum APIBenchmark {
    private static let requestsAtOnce = [1, 64]
    private static let goal = 0.5
    static let turns = 5
    /// The listings are filled in without sales, which only `over` shows.
    static let newest = "/v1/listings?limit=50&over=true"

    private struct Part {
        let name: String
        let paths: [String]
        /// What is needed of one connection, in milliseconds.
        let p50Max: Double?
        let p99Max: Double
    }

    struct Result {
        let p50: Double
        let p99: Double
        let perSecond: Double

        init(p50: Double, p99: Double, perSecond: Double) {
            (self.p50, self.p99, self.perSecond) = (p50, p99, perSecond)
        }

        init(of milliseconds: [Double], perSecond: Double) {
            let sorted = milliseconds.sorted()
            self.init(
                p50: sorted[sorted.count / 2],
                p99: sorted[sorted.count * 99 / 100],
                perSecond: perSecond
            )
        }

        /// The median of each figure.
        init(medianOf results: [Result]) {
            func median(_ figures: [Double]) -> Double { figures.sorted()[figures.count / 2] }
            p50 = median(results.map(\.p50))
            p99 = median(results.map(\.p99))
            perSecond = median(results.map(\.perSecond))
        }
    }

    /// Measures all, or the pages alone that no cache has.
    static func run(onlyFresh: Bool = false) async throws {
        let count = ProcessInfo.processInfo.environment["STOA_BENCH_LISTINGS"].flatMap { Int($0) }
        let listings = count ?? 100_000
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let market = try LocalMarket(folder: folder.appending(path: "market").path, nodes: 1)
        let port = try Program.freePort()
        let node = try NodeUnderTest(
            folder: folder.appending(path: "node").path,
            apiPort: port,
            settings: try market.settingsOfPeer()
        )
        try await NodeBenchmark.fill(node, count: listings)
        _ = try node.start()
        defer { node.stop() }
        try node.waitForIndex(of: listings)
        print("pages of \(listings) listings; p50 and p99 in ms, requests a second")
        let token = try node.token()
        for part in onlyFresh ? [] : try parts(listings) { try measure(part, port, token) }
        try runFresh(node, port, market)
    }

    /// The path of the newest page of an author.
    static func ofAuthor(_ number: Int) throws -> String {
        "\(newest)&author=\(try BenchmarkListings.record(number).author.checksummed)"
    }

    private static func parts(_ listings: Int) throws -> [Part] {
        [
            Part(name: "newest 50", paths: [newest], p50Max: 0.6, p99Max: 1.5),
            Part(
                name: "50 of a category",
                paths: [newest + "&category=vehicle", newest + "&category=tool"],
                p50Max: 0.6,
                p99Max: 1.5
            ),
            Part(
                name: "50 of one of 100 authors",
                paths: try (0..<100).map { try ofAuthor($0 * 7) },
                p50Max: 0.6,
                p99Max: 1.5
            ),
            Part(
                name: "searches",
                paths: SearchBenchmark.texts(listings).map { newest + $0 },
                p50Max: nil,
                p99Max: 5
            ),
        ]
    }

    private static func measure(_ part: Part, _ port: UInt16, _ token: String) throws {
        let first = try call(port, part.paths, 1, part.paths.count, token)
        print(
            "\(part.name), each for the first time: p50 \(text(first.p50)), p99 \(text(first.p99))"
        )
        let length = try LoopbackCaller(port: port, token: token)
            .call("GET", part.paths[0]).body.count
        let constantPort = try Program.freePort()
        let server = Process()
        server.executableURL = URL(filePath: CommandLine.arguments[0])
        server.arguments = [ConstantServer.part, "\(constantPort)", "\(length)"]
        try server.run()
        defer {
            server.terminate()
            server.waitUntilExit()
        }
        let limitCaller = LoopbackCaller(port: constantPort)
        while (try? limitCaller.call("GET", "/constant").status) != 200 { usleep(1_000) }
        for connections in requestsAtOnce {
            // The first requests fill caches, here and there.
            _ = try call(port, part.paths, connections, max(part.paths.count, 200), token)
            _ = try call(constantPort, ["/constant"], connections, 200)
            let requests = connections == 1 ? 2_000 : 10_000
            // By turns, since the machine's speed changes within a run.
            let pairs = try (0..<turns).map { _ in
                let limit = try call(constantPort, ["/constant"], connections, requests)
                let result = try call(port, part.paths, connections, requests, token)
                return (result: result, limit: limit)
            }
            let ratios = pairs.map { $0.result.perSecond / $0.limit.perSecond }
            report(
                part,
                connections,
                length,
                Result(medianOf: pairs.map(\.result)),
                Result(medianOf: pairs.map(\.limit)),
                ratio: ratios.sorted()[turns / 2]
            )
        }
    }

    private static func report(
        _ part: Part,
        _ connections: Int,
        _ length: Int,
        _ result: Result,
        _ limit: Result,
        ratio: Double
    ) {
        var line = "\(part.name), \(connections) at once: p50 \(text(result.p50)), "
        line += "p99 \(text(result.p99)), \(Int(result.perSecond))/s; "
        line += "\(length) constant bytes: \(text(limit.p50)), \(text(limit.p99)), "
        line += "\(Int(limit.perSecond))/s, ratio \(text(ratio))"
        if connections == 1 {
            let isReached = result.p50 <= part.p50Max ?? .infinity && result.p99 <= part.p99Max
            let median = part.p50Max.map { "p50 \($0), " } ?? ""
            line += " (\(median)p99 \(part.p99Max) \(isReached ? "reached" : "missed"))"
        } else {
            line += " (\(goal) \(ratio >= goal ? "reached" : "missed"))"
        }
        print(line)
    }

    static func text(_ value: Double) -> String { String(format: "%.2f", value) }

    /// Sends so many requests, of the paths by turns.
    static func call(
        _ port: UInt16,
        _ paths: [String],
        _ connections: Int,
        _ count: Int,
        _ token: String? = nil
    ) throws -> Result {
        var bytes: [UInt8] = []
        var kinds: [limits_request] = []
        for path in paths {
            var request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            if let token { request += "Authorization: Bearer \(token)\r\n" }
            request += "\r\n"
            kinds.append(limits_request(offset: bytes.count, count: request.utf8.count))
            bytes += request.utf8
        }
        var milliseconds = [Double](repeating: 0, count: count)
        let clock = ContinuousClock()
        let start = clock.now
        let answered = unsafe limits_http(
            port,
            bytes,
            kinds,
            Int32(kinds.count),
            Int32(connections),
            Int32(count),
            &milliseconds
        )
        guard answered == count else { throw BenchmarkFault.unreachable(port: port) }
        let seconds = (clock.now - start) / .seconds(1)
        return Result(of: milliseconds, perSecond: Double(count) / seconds)
    }
}
