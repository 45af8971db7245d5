import Foundation
import Keys
import Limits
import Market
import Storage

/// How long a search takes among 100,000 listings, of which some have titles in other scripts.
///
/// `STOA_BENCH_LISTINGS` is another number of listings.
enum SearchBenchmark {
    private static let count =
        ProcessInfo.processInfo.environment["STOA_BENCH_LISTINGS"].flatMap { Int($0) } ?? 100_000
    private static let searches = 1_000
    /// What 99 of 100 searches must take at most, in milliseconds.
    private static var millisecondsMax: Double { count > 100_000 ? 20 : 5 }
    private static let titles = ["중고 자전거", "二手自行车", "中古の自転車", "จักรยานมือสอง"]

    /// A search as it is measured.
    private struct Case {
        var query: CatalogueQuery
        var countsFacets = false
        var isMistyped = false
    }

    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(folder: folder.appending(path: "store").path)
        try await BenchmarkListings.fill(store, count: count)
        let (catalogue, path) = try await IndexBenchmark.run(store, folder, count: count)
        for (number, title) in titles.enumerated() {
            let first = count + number * count / 80
            try await BenchmarkListings.add(first..<first + count / 80, title, to: store)
        }
        try await catalogue.catchUp()

        let sorts: [(String, (Int) -> Case)] = [
            ("words, of 4 in a category", worded), ("other scripts", scripts),
            ("sorted", sorted), ("mistyped", mistyped), ("facets", facets),
            ("in a range of prices", priced), ("parts of words", parts),
            ("some of the words", fewer), ("the mix", mixed),
        ]
        for (name, search) in sorts { try await measure(name, catalogue, search) }
        // What was only needed to make the listings is given back first.
        limits_trim_memory()
        let kibibytes = try Program.anonymousKibibytes(of: getpid())
        print(
            "anonymous memory: \(kibibytes / 1_024) MiB, with the properties of "
                + "\(catalogue.propertiesInMemory) listings"
        )
        try await open(path, store)
    }

    /// Opens the index again, whose properties are then read into memory.
    private static func open(_ path: String, _ store: Store) async throws {
        let clock = ContinuousClock()
        let (start, used) = (clock.now, Comparison.now())
        let catalogue = try Catalogue(path: path, store: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await catalogue.run() }
            let listings = try await catalogue.count()
            while catalogue.propertiesInMemory < listings {
                try await Task.sleep(for: .milliseconds(20))
            }
            group.cancelAll()
        }
        let processor = Int((Comparison.now() - used) * 1_000)
        print(
            "opened again: all properties in memory after "
                + "\(Int((clock.now - start) / .milliseconds(1))) ms, \(processor) ms of processor time"
        )
    }

    /// Of 20 searches 8 of words, 3 of other scripts, 4 sorted, 2 mistyped, 2 with facets, one in a
    /// range of prices.
    private static func mixed(_ number: Int) -> Case {
        switch number % 20 {
        case 0..<8: worded(number / 20 * 8 + number % 20)
        case 8: priced(number / 20)
        case 9..<12: scripts(number / 20 * 3 + number % 20)
        case 12..<16: sorted(number / 20 * 4 + number % 20)
        case 16..<18: mistyped(number / 20 * 2 + number % 20)
        default: facets(number / 20 * 2 + number % 20)
        }
    }

    private static func worded(_ number: Int) -> Case {
        var query = CatalogueQuery(text: words(number, count))
        if number.isMultiple(of: 4) { query.category = "vehicle" }
        return Case(query: query)
    }

    private static func scripts(_ number: Int) -> Case {
        let texts = ["자전거", "自行车 二手", "自転車 \(count + number)", "จักรยาน", "중고자"]
        return Case(query: CatalogueQuery(text: texts[number % texts.count]))
    }

    private static func sorted(_ number: Int) -> Case {
        var found = worded(number)
        let orders: [CatalogueQuery.Order] = [.cheapest, .costliest, .newest, .ending]
        found.query.order = orders[number % orders.count]
        found.query.currency = .native
        return found
    }

    private static func mistyped(_ number: Int) -> Case {
        let texts = ["bicicle", "vehicel", "biycycle \(number)", "geer one"]
        return Case(query: CatalogueQuery(text: texts[number % texts.count]), isMistyped: true)
    }

    /// What follows the first page if fewer listings than it has room for have the words.
    private static func parts(_ number: Int) -> Case {
        var query = CatalogueQuery(text: ["cycle", "ehic", "ides gear", "zzz"][number % 4])
        query.closeness = .parts
        return Case(query: query)
    }

    private static func fewer(_ number: Int) -> Case {
        let texts = ["bicycle boat", "red bicycle \(number)", "one boat well sold", "boat lamp"]
        var query = CatalogueQuery(text: texts[number % texts.count])
        query.closeness = .fewer
        return Case(query: query)
    }

    private static func facets(_ number: Int) -> Case {
        var found = worded(number)
        found.countsFacets = true
        return found
    }

    /// A page of a hundredth of the prices, the newest of which are at the end; it can be short.
    private static func priced(_ number: Int) -> Case {
        var found = worded(number)
        found.query.currency = .native
        let least = UInt64(BenchmarkListings.lowestPrice + number * 9_973 % count)
        found.query.priceMin = Amount(small: least)
        found.query.priceMax = Amount(small: least + UInt64(count / 100))
        return found
    }

    private static func measure(
        _ name: String,
        _ catalogue: Catalogue,
        _ search: (Int) -> Case
    ) async throws {
        let clock = ContinuousClock()
        var times: [Double] = []
        var processor: [Double] = []
        for number in 0..<searches {
            var wanted = search(number)
            let (start, used) = (clock.now, Comparison.now())
            _ = try await catalogue.search(wanted.query)
            if wanted.countsFacets { _ = try await catalogue.properties(wanted.query) }
            if wanted.isMistyped, let text = wanted.query.text,
                let meant = try await catalogue.correction(of: text)
            {
                wanted.query.text = meant
                _ = try await catalogue.search(wanted.query)
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
