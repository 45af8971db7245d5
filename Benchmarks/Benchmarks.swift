/// Measures the product beside a limit in the same run and prints the ratios.
@main
enum Benchmarks {
    static func main() async throws {
        KeysBenchmark.run()
        try ContractsBenchmark.run()
        try await TransportBenchmark.run()
    }
}
