import Foundation
import Testing

/// Whole networks under a seed; a failing seed is the bug report, replayed by `Scripts/simulate`.
struct GossipSimulationTests {
    private static let seeds = SimSeeds.range(standard: 100)

    private static func nodeCount(seed: UInt64) -> Int {
        let named = ProcessInfo.processInfo.environment["STOA_NODES"].flatMap { Int($0) }
        // Mostly small networks, since the hundred seeds are to take seconds.
        return named ?? (seed % 10 == 0 ? 50 : 20 + Int(seed % 5))
    }

    @Test(arguments: seeds)
    func `every honest node gets every record despite failures and liars`(seed: UInt64) {
        let run = Self.play(seed: seed)
        #expect(run.breaches.isEmpty, "STOA_SEED=\(seed): \(run.breaches.prefix(3))")
        #expect(run.published.count >= 20)
        let short = run.honest.filter { $0.durable.count < run.published.count }
        #expect(
            run.haveConverged,
            "STOA_SEED=\(seed): \(short.map { "\($0.number) has \($0.durable.count)" })"
        )
        if Self.seeds.count == 1 {
            print("seed \(seed): \(run.nodes.count) nodes, trace \(run.trace.value)")
        }
        let isClean = run.honest.allSatisfy { node in
            node.durable.values.allSatisfy(SimRecord.isValid)
        }
        #expect(isClean)
    }

    @Test(arguments: [3, 14, 15] as [UInt64])
    func `the same seed produces the same run`(seed: UInt64) {
        #expect(Self.play(seed: seed).trace.value == Self.play(seed: seed).trace.value)
        #expect(Self.play(seed: seed).trace.value != Self.play(seed: seed + 1).trace.value)
    }

    @Test(arguments: [0, 3, 6])
    func `gossip alone spreads a record within seconds despite liars`(
        liars: Int
    ) {
        for seed in 0..<5 as Range<UInt64> {
            var faults = Simulation.Faults()
            (faults.lossPercent, faults.duplicatePercent, faults.liars) = (0, 0, liars)
            faults.hasExchange = false
            var run = Simulation(nodeCount: 30, seed: seed, faults: faults)
            run.run(until: 4_000)
            for node in 0..<10 { run.publish(at: node) }
            run.run(until: 9_000)
            #expect(run.haveConverged, "seed \(seed)")
            #expect(run.breaches.isEmpty, "seed \(seed): \(run.breaches.prefix(3))")
        }
    }

    /// Ten seconds of peace, ten parted, then time to heal; faults and lies throughout.
    private static func play(seed: UInt64) -> Simulation {
        var run = Simulation(nodeCount: nodeCount(seed: seed), seed: seed)
        run.run(until: 3_000)
        for second in 0..<20 {
            if second == 7 { run.part(true) }
            if second == 17 { run.part(false) }
            let honest = run.honest.count
            run.publish(at: run.roll(honest))
            if second % 5 == 2 {
                run.publish(at: run.roll(honest))
                run.schedule(.crash, at: run.roll(honest), in: run.roll(1_000))
            }
            run.run(until: run.time + 1_000)
        }
        // Enough rounds of exchange for the last record to cross the ring.
        while !run.haveConverged, run.time < 120_000 { run.run(until: run.time + 1_000) }
        return run
    }
}
