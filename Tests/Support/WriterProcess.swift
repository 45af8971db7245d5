import Foundation
import Keys
package import Storage

/// A process of its own that writes to a store; see `Tests/StoreWriter`.
package final class WriterProcess {
    private let process = Process()
    private let output = Pipe()
    private var told = Data()

    package init(_ arguments: [String]) throws {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        process.executableURL = folder.appending(path: "StoreWriter")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// The numbers in whole lines.
    package var acknowledged: [UInt64] {
        told.split(separator: 10, omittingEmptySubsequences: false).dropLast()
            .compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    package var wasKilled: Bool { process.terminationReason == .uncaughtSignal }
    package var exitCode: Int32 { process.terminationStatus }

    /// Waits until `count` writes are acknowledged, or the process has ended.
    package func acknowledge(_ count: Int) throws {
        while acknowledged.count < count {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return }
            told += more
        }
    }

    /// Ends it as a crash would, and takes in what it told until then.
    package func kill() throws {
        Foundation.kill(process.processIdentifier, SIGKILL)
        _ = try finish()
    }

    /// Waits for its end; everything it told.
    package func finish() throws -> String {
        told += try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: told, as: UTF8.self)
    }

    /// Which of `numbers` a store does not hold as they were written.
    package static func missing(_ numbers: some Sequence<UInt64>, in store: Store) throws
        -> [UInt64]
    {
        try store.read { transaction in
            try numbers.filter { number in
                let key = CompositeKey(Address.zero, Bytes32(words: 0, 0, 0, number))
                let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 700)
                return try transaction.get(Operations.self, key) != value
            }
        }
    }
}
