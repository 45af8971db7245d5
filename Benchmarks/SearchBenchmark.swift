import Foundation
import Keys
import Market
import Storage

/// How fast listings are indexed, and how long a search takes among 100,000 of them.
///
/// `STOA_BENCH_LISTINGS` is another number of listings.
enum SearchBenchmark {
    private static let count =
        ProcessInfo.processInfo.environment["STOA_BENCH_LISTINGS"].flatMap { Int($0) } ?? 100_000
    private static let searches = 1_000
    /// What 99 of 100 searches must take at most, in milliseconds.
    private static var millisecondsMax: Double { count > 100_000 ? 20 : 5 }

    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(folder: folder.appending(path: "store").path)
        let catalogue = try Catalogue(
            path: folder.appending(path: "catalogue.sqlite").path,
            store: store
        )
        try await BenchmarkListings.fill(store, count: count)
        let clock = ContinuousClock()
        let start = clock.now
        try await catalogue.catchUp()
        let index = (clock.now - start) / .seconds(1)
        print("index \(count) listings: \(Int(Double(count) / index))/s")
        try await search(catalogue)
    }

    private static func search(_ catalogue: Catalogue) async throws {
        try await measure("search", catalogue) { _, _ in }
        try await measure("sorted by price or newest", catalogue) { query, number in
            query.currency = .native
            query.order = [.cheapest, .dearest, .newest][number % 3]
        }
        try await measure("facets", catalogue, counts: true) { _, _ in }
        try await measure("mistyped", catalogue, corrects: true) { query, number in
            query.text = ["bicicle", "vehicel", "biycycle \(number)", "geer one"][number % 4]
        }
    }

    private static func measure(
        _ name: String,
        _ catalogue: Catalogue,
        counts: Bool = false,
        corrects: Bool = false,
        _ change: (inout CatalogueQuery, Int) -> Void
    ) async throws {
        let clock = ContinuousClock()
        var times: [Double] = []
        var processor: [Double] = []
        for number in 0..<searches {
            var query = CatalogueQuery(text: words(number, count))
            if number.isMultiple(of: 4) { query.category = "vehicle" }
            change(&query, number)
            let start = clock.now
            let used = Comparison.now()
            _ = try await catalogue.search(query)
            if counts { _ = try await catalogue.properties(query) }
            if corrects, let text = query.text,
                let meant = try await catalogue.correction(of: text)
            {
                query.text = meant
                _ = try await catalogue.search(query)
            }
            processor.append((Comparison.now() - used) * 1_000)
            times.append((clock.now - start) / .milliseconds(1))
        }
        let last = percentile(99, times)
        let verdict = last <= millisecondsMax ? "reached" : "missed"
        print(
            "\(name), \(count) listings: p50 \(percentile(50, times)) ms, p99 \(last) ms "
                + "(\(millisecondsMax) \(verdict)); of processor time "
                + "\(percentile(50, processor)) and \(percentile(99, processor)) ms"
        )
    }

    private static func percentile(_ percent: Int, _ values: [Double]) -> Double {
        let value = values.sorted()[values.count * percent / 100]
        return (value * 100).rounded() / 100
    }

    /// The queries of the API for some of the searches.
    static func texts(_ count: Int) -> [String] {
        (0..<200).map { number in
            let text = (words(number, count) ?? "").replacing(" ", with: "%20")
            let search = text.isEmpty ? "" : "&search=\(text)"
            return search + (number.isMultiple(of: 4) ? "&category=vehicle" : "")
        }
    }

    /// Common words, rare ones, beginnings, and words that do not occur.
    private static func words(_ number: Int, _ count: Int) -> String? {
        switch number % 5 {
        case 0: "bicycle"
        case 1: "bicycle \(number * 97 % count)"
        case 2: "rides we"
        case 3: "boat"
        default: nil
        }
    }
}
