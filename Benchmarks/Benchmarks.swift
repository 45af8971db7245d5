import Keys

/// Measures the product beside a limit in the same run and prints the ratio.
@main
enum Benchmarks {
    static func main() {
        let message = [UInt8](repeating: 7, count: 512)
        let clock = ContinuousClock()
        let rounds = 20_000
        let time = clock.measure {
            for _ in 0..<rounds { _ = Keccak256.hash(message) }
        }
        print("keccak-256 of 512 B: \(time / rounds) each")
    }
}
