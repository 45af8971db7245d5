import Foundation

/// Measures the product beside a limit in the same run and prints the ratios.
///
/// Takes the names of the parts to measure; none means all.
@main
enum Benchmarks {
    static func main() async {
        do { try await measure() } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func measure() async throws {
        let parts = Array(CommandLine.arguments.dropFirst())
        if parts.first == Attacker.part { return try await Attacker.run(Array(parts.dropFirst())) }
        if parts.first == ConstantServer.part {
            return try await ConstantServer.run(Array(parts.dropFirst()))
        }
        if parts.first == "attack" {
            return try await AttackBenchmark.run(Array(parts.dropFirst()))
        }
        func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
        if isWanted("keys") { KeysBenchmark.run() }
        if isWanted("contracts") { try ContractsBenchmark.run() }
        if isWanted("transport") { try await TransportBenchmark.run() }
        if isWanted("blobs") { try await BlobBenchmark.run() }
        if isWanted("vault") { try VaultBenchmark.run() }
        if isWanted("store") { try StorageBenchmark.run() }
        if isWanted("ingest") { try await IngestBenchmark.run() }
        if isWanted("listed") { try await IngestBenchmark.runListed() }
        if isWanted("search") { try await SearchBenchmark.run() }
        if isWanted("api") { try await APIBenchmark.run() }
        if parts.contains("pages") { try await APIBenchmark.run(onlyFresh: true) }
        if isWanted("node") { try await NodeBenchmark.run() }
        if isWanted("attack") { try await AttackBenchmark.run([]) }
        for nodes in [3, 8, 16] where isWanted("spread") || isWanted("spread-\(nodes)") {
            try SpreadBenchmark.run(nodes: nodes)
        }
    }
}
