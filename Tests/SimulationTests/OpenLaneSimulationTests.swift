import Market
import Testing

/// The open lane of a whole network while a stranger floods it, under a seed.
struct OpenLaneSimulationTests {
    /// - From peers: a flood under many names through a whole network → honest records arrive
    ///   everywhere
    @Test(arguments: SimSeeds.range(standard: 12))
    func `a flood under many names keeps no record from an honest node`(
        seed: UInt64
    ) {
        var run = OpenLaneSimulation(seed: seed)
        run.run(until: 3_000)
        run.publishEverywhere()
        run.publishEverywhere()
        // Long enough that the honest have all of their allowances, as peers of some minutes have.
        run.run(until: 100_000)
        let known = Set(run.published)
        run.beginFlood()
        for _ in 0..<14 {
            run.publish()
            run.run(until: run.time + 1_000)
        }
        run.endFlood()
        run.run(until: run.time + 12_000)

        #expect(run.breaches.isEmpty, "STOA_SEED=\(seed): \(run.breaches.prefix(3))")
        for node in run.honest {
            let lacking = Set(run.published).subtracting(node.taken)
            #expect(
                lacking.isEmpty,
                "STOA_SEED=\(seed): node \(node.number) never had \(lacking.count)"
            )
            // What was here before the flood is here after it.
            let lost = known.subtracting(node.lane.ids)
            #expect(lost.isEmpty, "STOA_SEED=\(seed): node \(node.number) lost \(lost.count)")
        }
        // It was a flood, and it was paid for: more was sent than any node may take.
        #expect(run.flooded > 1_000 && run.honest.contains { $0.refusals > 100 })
    }
}
