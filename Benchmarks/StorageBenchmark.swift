import Foundation
import Keys
import Limits
import Storage

/// The tables beside LMDB with nothing around it.
enum StorageBenchmark {
    private enum Values: Table {
        typealias Key = Bytes32
        typealias Value = [UInt8]
        static let name = "values"
    }

    private static let present: UInt64 = 200_000

    static func run() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "stoa-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the system's temporary files; one left behind harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let limitFolder = folder.appending(path: "limit").path
        try FileManager.default.createDirectory(
            atPath: limitFolder,
            withIntermediateDirectories: true
        )
        let schema = Schema(number: 1, oldest: 1, trees: [.own(Values.self)])
        let environment = try Environment(
            folder: folder.appending(path: "product").path,
            schema: schema
        )
        guard let limit = unsafe limits_store_open(limitFolder) else { return }
        defer { unsafe limits_store_close(limit) }
        try unsafe putting(environment, limit)
        try unsafe getting(environment, limit)
        try unsafe scanning(environment, limit)
    }

    private static func putting(
        _ environment: Environment,
        _ limit: UnsafeMutableRawPointer
    ) throws {
        let comparison = Comparison(name: "put 500 B, 1,000 a commit", goal: 0.8, rounds: 40_000)
        var productFirst: UInt64 = 0
        var limitFirst: UInt64 = 0
        var failure: (any Error)?
        comparison.run {
            do { try put(comparison.rounds, from: productFirst, into: environment) } catch {
                failure = error
            }
            productFirst += UInt64(comparison.rounds)
        } limit: {
            unsafe limits_store_put(limit, limitFirst, Int32(comparison.rounds), 1_000)
            limitFirst += UInt64(comparison.rounds)
        }
        if let failure { throw failure }
    }

    private static func put(_ count: Int, from first: UInt64, into environment: Environment) throws
    {
        for start in stride(from: first, to: first + UInt64(count), by: 1_000) {
            try environment.write { transaction in
                var value = [UInt8](repeating: 7, count: 500)
                for number in start..<start + 1_000 {
                    let key = key(number)
                    value[0] = UInt8(truncatingIfNeeded: key.words.0 >> 56)
                    try transaction.put(Values.self, key, value)
                }
            }
        }
    }

    private static func getting(
        _ environment: Environment,
        _ limit: UnsafeMutableRawPointer
    ) throws {
        let comparison = Comparison(name: "get 500 B, a read each", goal: 0.8, rounds: 100_000)
        var sum: UInt64 = 0
        var failure: (any Error)?
        comparison.run {
            do {
                for round in 0..<UInt64(comparison.rounds) {
                    let key = key(mixed(round) % present)
                    sum += try environment.read { transaction in
                        try transaction.withStored(Values.self, key) { reader in
                            UInt64(reader.peek(at: 100) ?? 0)
                        } ?? 0
                    }
                }
            } catch { failure = error }
        } limit: {
            sum += unsafe limits_store_get(limit, present, Int32(comparison.rounds))
        }
        if let failure { throw failure }
        precondition(sum > 0, "values were read")
    }

    private static func scanning(
        _ environment: Environment,
        _ limit: UnsafeMutableRawPointer
    ) throws {
        let comparison = Comparison(name: "scan", goal: 0.8, rounds: Int(present))
        var sum: UInt64 = 0
        var failure: (any Error)?
        comparison.run {
            do {
                try environment.read { transaction in
                    try transaction.scanStored(Values.self, .all()) { _, value in
                        sum += UInt64(value.peek(at: 0) ?? 0)
                        return true
                    }
                }
            } catch { failure = error }
        } limit: {
            sum += unsafe limits_store_scan(limit)
        }
        if let failure { throw failure }
        precondition(sum > 0, "values were read")
    }

    /// The same numbers as the C loop's, so that both lie in the same order.
    private static func key(_ number: UInt64) -> Bytes32 {
        Bytes32(
            words: mixed(number &* 4 &+ 1),
            mixed(number &* 4 &+ 2),
            mixed(number &* 4 &+ 3),
            mixed(number &* 4 &+ 4)
        )
    }

    private static func mixed(_ number: UInt64) -> UInt64 {
        var word = number &+ 0x9E37_79B9_7F4A_7C15
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
