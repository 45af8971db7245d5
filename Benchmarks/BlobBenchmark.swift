import Concurrency
import Gossip
import GossipProtocol
import Keys
import Limits
import Logging
import Market
import Synchronization

/// A file of 15 MiB from three nodes of this process over loopback, each chunk proved by the id,
/// beside one TLS stream in C.
enum BlobBenchmark {
    private static let mebibytes = 15

    static func run() async throws {
        guard let file = BenchmarkFile(byteCount: mebibytes << 20) else { return }
        let asking = try node()
        let holders = try (0..<3).map { _ in try node() }
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let exchange = BlobExchange(links: asking, source: OneFile(file: nil), logger: logger)
        try await withThrowingTaskGroup { group in
            for links in [asking] + holders {
                group.addTask { try await links.run() }
                // Nobody else reads the events, and unread ones stop new links.
                group.addTask { while await links.events.receive() != nil {} }
            }
            guard let any = Multiaddr(text: "/ip4/127.0.0.1/tcp/0") else { return }
            for links in holders {
                let source = OneFile(file: file)
                await BlobExchange(links: links, source: source, logger: logger).register()
                _ = try await asking.dial(try await links.listen(on: any)[0])
            }
            let comparison = Comparison(
                name: "MiB of a file from 3 peers",
                goal: 0.5,
                rounds: mebibytes
            )
            // Once before, so that no side pays for what a process does once.
            try await fetch(file, exchange)
            try await comparison.runByClock {
                try await fetch(file, exchange)
            } limit: {
                _ = limits_tls_send_mebibytes(Int32(mebibytes))
            }
            group.cancelAll()
        }
    }

    private struct Incomplete: Error {}

    private static func fetch(_ file: BenchmarkFile, _ exchange: BlobExchange) async throws {
        let byteCount = Mutex(0)
        let result = try await exchange.fetch(
            file.tree.root,
            length: file.length,
            missing: Array(0..<file.length.chunkCount)
        ) { chunk, _ in
            byteCount.withLock { $0 += chunk.count }
        }
        guard result.isComplete, byteCount.withLock({ $0 }) == mebibytes << 20 else {
            throw Incomplete()
        }
    }

    private static func node() throws -> Links {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        return try Links(identity: .random(), agentVersion: "stoa/benchmark", logger: logger)
    }
}

/// A file in memory.
private struct BenchmarkFile: ServedBlob {
    let bytes: [UInt8]
    let length: BlobLength
    let tree: BlobTree

    init?(byteCount: Int) {
        bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 7) }
        guard let length = BlobLength(byteCount), let tree = BlobTree(of: bytes) else { return nil }
        (self.length, self.tree) = (length, tree)
    }

    func chunk(_ index: Int) -> [UInt8] { Array(bytes[length.range(of: index)]) }

    func proof(of chunk: Int) -> [Bytes32] { tree.proof(of: chunk) }
}

/// A node that holds one file, or none.
private struct OneFile: BlobSource {
    let file: BenchmarkFile?

    func openBlob(_ id: Bytes32) -> (any ServedBlob)? { file?.tree.root == id ? file : nil }
}
