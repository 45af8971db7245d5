import Foundation

/// How long pages take that no cache has.
///
/// These are one page after the other through all listings, a page of each author, and the newest
/// page right after a listing has changed. The node is started again before each of them.
/// `STOA_BENCH_PAGES` is how many pages of each are asked for at most.
extension APIBenchmark {
    /// A page as far as the next one needs it.
    private struct Page: Decodable { let next: String? }

    private static let pagesMax =
        ProcessInfo.processInfo.environment["STOA_BENCH_PAGES"].flatMap { Int($0) } ?? 1_000
    /// Fewer, because of one author nodes take few changes in a day.
    private static let changesMax = min(pagesMax, 200)
    private static let changedListings = 4
    private static let p50Max = 0.6
    private static let p99Max = 1.2

    static func runFresh(_ node: NodeUnderTest, _ port: UInt16, _ market: LocalMarket) throws {
        let token = try node.token()
        let next = try nextPages(LoopbackCaller(port: port, token: token))
        try measureOnce("the next page, and so on", next, node, port)
        let authors = try (0..<min(pagesMax, BenchmarkListings.authors)).map(ofAuthor)
        try measureOnce("each author once", authors, node, port)
        try measureAfterChanges(port, token, market)
    }

    /// The paths of pages that follow each other, the newest first.
    private static func nextPages(_ caller: LoopbackCaller) throws -> [String] {
        var paths = [newest]
        while paths.count < pagesMax,
            let next = try caller.call("GET", paths[paths.count - 1]).read(Page.self).next
        {
            paths.append("\(newest)&after=\(next)")
        }
        return paths
    }

    /// Asks for each path once, over one connection.
    private static func measureOnce(
        _ name: String,
        _ paths: [String],
        _ node: NodeUnderTest,
        _ port: UInt16
    ) throws {
        let results = try (0..<turns).map { _ in
            node.stop()
            _ = try node.start()
            let token = try node.token()
            // A node that has just started answers its first requests more slowly.
            _ = try call(port, ["/v1/listings?limit=1&over=true"], 1, 500, token)
            return try call(port, paths, 1, paths.count, token)
        }
        report(name, paths.count, Result(medianOf: results))
    }

    /// Changes a listing, and asks for the newest page once the node shows the change.
    private static func measureAfterChanges(
        _ port: UInt16,
        _ token: String,
        _ market: LocalMarket
    ) throws {
        try market.sell(through: port, token: token)
        for _ in 0..<changedListings { try market.list() }
        let caller = LoopbackCaller(port: port, token: token)
        let clock = ContinuousClock()
        var milliseconds: [Double] = []
        for number in 0..<changesMax {
            let listing = market.listings[market.listings.count - 1 - number % changedListings]
            let words = "Steel frame, change \(number), new tyres."
            let operation = try market.edit(listing, words)
            while try !market.shows(words, of: listing, caller) {}
            let start = clock.now
            let page = try caller.call("GET", newest)
            milliseconds.append((clock.now - start) / .milliseconds(1))
            guard page.status == 200, page.body.range(of: Data(words.utf8)) != nil else {
                throw BenchmarkFault.ended("the newest page: it lacks the change")
            }
            try market.finish(operation)
        }
        let perSecond = 1_000 * Double(changesMax) / milliseconds.reduce(0, +)
        report("after a change", changesMax, Result(of: milliseconds, perSecond: perSecond))
    }

    private static func report(_ name: String, _ count: Int, _ result: Result) {
        let isReached = result.p50 <= p50Max && result.p99 <= p99Max
        print(
            "newest 50, \(name): p50 \(text(result.p50)), p99 \(text(result.p99)) of \(count) "
                + "(p50 \(p50Max), p99 \(p99Max) \(isReached ? "reached" : "missed"))"
        )
    }
}
