import Foundation
import Keys
import Limits
import Market
import Storage

/// Records from bytes to durable and indexed, beside a C pipeline that hashes, recovers and puts.
///
/// Both use two threads and commit every 500 records with an `fsync`. Measured on the clock, since
/// waiting for the disk and keeping both processors busy is part of the work.
enum IngestBenchmark {
    private static let count = 20_000
    private static let batch = 500
    private static let turns = 5
    /// Batches under way at one time.
    private static let callers = 4
    private static let goal = 0.8

    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let records = try await records()
        var speeds: [(product: Double, limit: Double)] = []
        for turn in 0..<turns {
            let limitFolder = folder.appending(path: "limit-\(turn)").path
            try FileManager.default.createDirectory(
                atPath: limitFolder,
                withIntermediateDirectories: true
            )
            let limit = try ingestInC(records, limitFolder)
            let clock = ContinuousClock()
            let start = clock.now
            let store = try Store(folder: folder.appending(path: "product-\(turn)").path)
            try await ingest(records, into: store)
            let product = (clock.now - start) / .seconds(1)
            speeds.append((Double(count) / product, Double(count) / limit))
        }
        report(speeds)
    }

    /// Ingests 100,000 records, or `STOA_BENCH_LISTINGS`, while the search index follows, until it
    /// has them all.
    static func runListed() async throws {
        let wanted = ProcessInfo.processInfo.environment["STOA_BENCH_LISTINGS"]
        let records = try await records(wanted.flatMap { Int($0) } ?? 100_000)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = ContinuousClock()
        for turn in 0..<turns {
            let store = try Store(folder: folder.appending(path: "listed-\(turn)").path)
            let path = folder.appending(path: "catalogue-\(turn)").path
            let catalogue = try Catalogue(path: path, store: store)
            let (start, used) = (clock.now, Comparison.now())
            let stored = try await withThrowingTaskGroup { group in
                group.addTask { try await catalogue.run() }
                defer { group.cancelAll() }
                try await ingest(records, into: store)
                let stored = (clock.now - start) / .seconds(1)
                try await catalogue.catchUp()
                return stored
            }
            let listed = (clock.now - start) / .seconds(1)
            let (count, found) = (Double(records.count), try await catalogue.count())
            precondition(found == records.count, "\(found) are in the index")
            print(
                "\(records.count) records stored: \(Int(count / stored))/s; and listed: "
                    + "\(Int(count / listed))/s, \(Int(count / (Comparison.now() - used)))/s of "
                    + "processor time"
            )
        }
    }

    private static func report(_ speeds: [(product: Double, limit: Double)]) {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        let ratio = median(speeds.map { $0.product / $0.limit })
        let product = Int(median(speeds.map(\.product)))
        let limit = Int(median(speeds.map(\.limit)))
        let hundredths = Int((ratio * 100).rounded())
        let verdict = ratio >= goal ? "reached" : "missed"
        print(
            "durable ingest: \(product)/s, limit \(limit)/s, \(hundredths) % (\(goal) \(verdict))"
        )
    }

    @concurrent
    private static func records(_ count: Int = count) async throws -> [SignedRecord] {
        try (0..<count).map { try BenchmarkListings.record($0) }
    }

    /// Two tasks decode, recover and check; the store's writer commits meanwhile.
    @concurrent
    private static func ingest(_ records: [SignedRecord], into store: Store) async throws {
        let (bytes, count) = (records.map(\.bytes), records.count)
        let stored = try await withThrowingTaskGroup(of: Int.self) { group in
            for first in 0..<callers {
                group.addTask { @concurrent in
                    var stored = 0
                    for start in stride(from: first * batch, to: count, by: callers * batch) {
                        let entries = try bytes[start..<min(start + batch, count)].map { bytes in
                            let record = try UnverifiedRecord(bytes)
                            _ = try record.admitted(
                                to: "bench",
                                at: BenchmarkListings.now.advanced(by: .seconds(60))
                            )
                            return RecordEntry(try record.verified(), lane: .anchored)
                        }
                        stored += try await store.ingest(entries, at: BenchmarkListings.now)
                            .count { $0 == .stored(replaced: nil) }
                    }
                    return stored
                }
            }
            return try await group.reduce(0, +)
        }
        precondition(stored == count, "\(stored) of \(count) were stored")
    }

    /// Seconds that the C pipeline takes, the layout of its input left out.
    private static func ingestInC(
        _ records: [SignedRecord],
        _ folder: String
    ) throws -> Double {
        var bytes: [UInt8] = []
        var items: [limits_record] = []
        for record in records {
            let signature = try UnverifiedRecord(record.bytes).signature
            let compact = signature.r.bytes + signature.s.bytes + [signature.recoveryID]
            var item = limits_record()
            item.offset = bytes.count
            item.count = record.bytes.count
            unsafe withUnsafeMutableBytes(of: &item.digest) {
                unsafe $0.copyBytes(from: record.id.digest.bytes)
            }
            unsafe withUnsafeMutableBytes(of: &item.signature) {
                unsafe $0.copyBytes(from: compact)
            }
            unsafe withUnsafeMutableBytes(of: &item.author) {
                unsafe $0.copyBytes(from: record.author.bytes)
            }
            items.append(item)
            bytes += record.bytes
        }
        let clock = ContinuousClock()
        let start = clock.now
        let good = unsafe limits_ingest(folder, bytes, items, Int32(count), Int32(batch))
        let seconds = (clock.now - start) / .seconds(1)
        precondition(good == count, "\(good) of \(count) had the right author")
        return seconds
    }
}
