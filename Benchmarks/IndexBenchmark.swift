import Foundation
import Limits
import Storage

/// How fast listings are indexed, beside a C loop that inserts the same columns into FTS5.
enum IndexBenchmark {
    private static let goal = 0.7
    private static let batch = 5_000
    private static let like = "prefix = '1 2 3 4 5 6 7', detail = none, columnsize = 0"
    /// FTS5 as it is by default; with the beginnings that the index has; and with its properties.
    private static let limits: [(name: String, options: String, hasProperties: Int32)] = [
        ("FTS5 by default", "tokenize = 'unicode61 remove_diacritics 2'", 0),
        ("FTS5 with beginnings", "tokenize = 'unicode61 remove_diacritics 2', \(like)", 0),
        ("the same with properties", "tokenize = 'unicode61 remove_diacritics 2', \(like)", 1),
    ]

    /// Indexes the listings of a store and the limits by turns; returns the last index and its file.
    static func run(
        _ store: Store,
        _ folder: URL,
        count: Int
    ) async throws -> (catalogue: Catalogue, path: String) {
        let texts = try BenchmarkListings.texts(count).flatMap { $0 }
        let columns = texts.count / count
        // Each is freed below.
        let copies = unsafe texts.map { unsafe UnsafePointer(strdup($0)) }
        defer { unsafe copies.forEach { unsafe free(UnsafeMutableRawPointer(mutating: $0)) } }

        var last: (catalogue: Catalogue, path: String)?
        var ratios = limits.map { _ in [Double]() }
        for turn in 0..<(count > 100_000 ? 1 : 3) {
            let product = try await seconds {
                let path = folder.appending(path: "catalogue-\(turn).sqlite").path
                let catalogue = try Catalogue(path: path, store: store)
                try await catalogue.catchUp()
                last = (catalogue, path)
            }
            print("index \(count) listings: \(rates(product, count))")
            for (place, limit) in limits.enumerated() {
                let time = try await seconds {
                    let path = folder.appending(path: "limit-\(turn)-\(place).sqlite").path
                    let done = unsafe limits_search_index(
                        path,
                        limit.options,
                        limit.hasProperties,
                        copies,
                        Int32(columns),
                        Int32(count),
                        Int32(batch)
                    )
                    precondition(done == count)
                }
                print("\(limit.name): \(rates(time, count))")
                ratios[place].append(time.wall / product.wall)
            }
        }
        for (place, limit) in limits.enumerated() {
            let ratio = ratios[place].sorted()[ratios[place].count / 2]
            let verdict = ratio >= goal ? "reached" : "missed"
            print("index / \(limit.name): \((ratio * 100).rounded() / 100) (\(goal) \(verdict))")
        }
        guard let last else { throw CancellationError() }
        return last
    }

    private static func rates(_ time: (wall: Double, processor: Double), _ count: Int) -> String {
        "\(Int(Double(count) / time.wall))/s, \(Int(Double(count) / time.processor))/s of processor time"
    }

    private static func seconds(
        _ body: () async throws -> Void
    ) async throws -> (wall: Double, processor: Double) {
        let clock = ContinuousClock()
        let (start, used) = (clock.now, Comparison.now())
        try await body()
        return ((clock.now - start) / .seconds(1), Comparison.now() - used)
    }
}
