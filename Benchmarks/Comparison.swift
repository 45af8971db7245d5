import Limits

/// Measures the product and a limit by turns in one run, so that load and clock speed meet both.
struct Comparison {
    private static let turns = 5

    let name: String
    /// What the product must reach of the limit.
    let goal: Double
    /// How often each side does its work in one turn.
    let rounds: Int

    /// Runs both sides five times by turns and prints the medians.
    ///
    /// Measured in processor time of this process, so that a busy machine tells the same.
    ///
    /// - Returns: The median of the five ratios of the product's speed to the limit's.
    @discardableResult
    func run(product: () -> Void, limit: () -> Void) -> Double {
        report((0..<Self.turns).map { _ in (limit: seconds(limit), product: seconds(product)) })
    }

    /// The same for a product whose work is done by tasks.
    @discardableResult
    func run(product: () async throws -> Void, limit: () -> Void) async throws -> Double {
        var turns: [(limit: Double, product: Double)] = []
        for _ in 0..<Self.turns {
            let limitSeconds = seconds(limit)
            let start = Self.now()
            try await product()
            turns.append((limitSeconds, Self.now() - start))
        }
        return report(turns)
    }

    /// The same in time of the clock, for work that is done on both processors.
    @discardableResult
    func runByClock(product: () async throws -> Void, limit: () -> Void) async throws -> Double {
        let clock = ContinuousClock()
        var turns: [(limit: Double, product: Double)] = []
        for _ in 0..<Self.turns {
            let limitTime = clock.measure(limit)
            let start = clock.now
            try await product()
            turns.append((limitTime / .seconds(1), (clock.now - start) / .seconds(1)))
        }
        return report(turns)
    }

    /// The same for a limit in another process, which says how much processor time it has used.
    @discardableResult
    func run(product: () throws -> Void, limitSeconds: () throws -> Double) rethrows -> Double {
        var turns: [(limit: Double, product: Double)] = []
        for _ in 0..<Self.turns {
            let limit = try limitSeconds()
            let start = Self.now()
            try product()
            turns.append((limit, Self.now() - start))
        }
        return report(turns)
    }

    private func report(_ turns: [(limit: Double, product: Double)]) -> Double {
        let ratios = turns.map { $0.limit / $0.product }
        let speeds = turns.map {
            (product: Double(rounds) / $0.product, limit: Double(rounds) / $0.limit)
        }
        let ratio = median(ratios)
        let product = Int(median(speeds.map(\.product)))
        let limit = Int(median(speeds.map(\.limit)))
        let hundredths = Int((ratio * 100).rounded())
        let verdict = ratio >= goal ? "reached" : "missed"
        print("\(name): \(product)/s, limit \(limit)/s, \(hundredths) % (\(goal) \(verdict))")
        return ratio
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private func seconds(_ work: () -> Void) -> Double {
        let start = Self.now()
        work()
        return Self.now() - start
    }

    /// Seconds of processor time that this process has used.
    static func now() -> Double {
        limits_processor_seconds()
    }
}
