import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Testing
import Trade

/// What an operation has to do with what the node shows of its chain.
extension OperationRunnerTests {
    static func block(_ height: UInt64) -> BlockID {
        BlockID(number: height, hash: Bytes32(words: height, 1, 0, 0))
    }

    @Test func `is done only once the node has the block that makes it final`() async throws {
        let market = GiftMarket()
        let index = market.index(confirmations: 2)
        _ = index.apply([], upTo: Self.block(7))
        let runner = runner([index])
        let begun = try await begin(runner, on: market.market.chain)
        // The sender has seen block 8 before the node has read it.
        try await sender.set(.final, in: Self.block(7))
        let waiting = try await run(runner, begun.id) {
            $0.phases.contains { $0.name == .confirmed && $0.state == .running }
        }
        #expect(waiting.state == .running && publishing.publications.isEmpty)
        #expect(waiting.phases[4].detail == "this node is about to read its block")

        _ = index.apply([], upTo: Self.block(8))
        inbox.look()
        let done = try await run(runner, begun.id) { $0.state == .done }
        #expect(done.phases.allSatisfy { $0.state == .done && $0.detail == nil })
    }

    /// - From people: an operation that lists several pieces, one of which the node refuses → failed,
    ///   and the others are published
    @Test func `publishes the other pieces if one is refused`() async throws {
        let runner = runner()
        let publications = [5, 6, 7].map { number in
            OperationPlan.Publication(
                kind: .listing,
                slot: Bytes32(repeating: number),
                payload: []
            )
        }
        publishing.refuse(slot: publications[1].slot)
        let begun = try await runner.begin(
            try request(),
            subject: "subject",
            plan: OperationPlan(
                purpose: "list",
                steps: Self.plan.steps,
                publications: publications
            ),
            fees: nil
        )
        try await sender.set(.final)
        let failed = try await run(runner, begun.id) { $0.state == .failed }
        #expect(failed.problem?.code == ProblemCode.badListing.rawValue)
        #expect(publishing.publications == [publications[0], publications[2]])
    }

    /// - From people: an operation that lists several pieces and fails midway → failed, and what it has
    ///   listed is published
    @Test func `an operation that fails midway publishes what it has listed`() async throws {
        let market = GiftMarket()
        let index = market.index(confirmations: 2)
        _ = index.apply([], upTo: Self.block(7))
        let runner = runner([index])
        let publications = [5, 6].map { number in
            OperationPlan.Publication(
                kind: .listing,
                slot: Bytes32(repeating: number),
                payload: []
            )
        }
        let begun = try await runner.begin(
            try request(),
            subject: "subject",
            plan: OperationPlan(
                purpose: "list",
                steps: Self.plan.steps + Self.plan.steps,
                publications: publications
            ),
            fees: nil,
            on: market.market.chain
        )
        publishing.set(begun: [publications[0]])
        publishing.set(.locked)
        try await sender.set(.refused("no"), in: Self.block(7))
        let waiting = try await run(runner, begun.id) { $0.phases[0].state == .failed }
        #expect(waiting.state == .running && publishing.publications.isEmpty)

        // Only now the node shows as final what the first transaction did.
        _ = index.apply([], upTo: Self.block(8))
        inbox.look()
        _ = try await run(runner, begun.id) { $0.state == .needsUnlock }
        publishing.set(.done(nil))
        inbox.look()
        let failed = try await run(runner, begun.id) { $0.state == .failed }
        #expect(failed.problem?.code == ProblemCode.contractRefused.rawValue)
        #expect(publishing.publications == [publications[0]])
    }

    /// - From people: a transaction while no endpoint answers → the operation says so and sends it
    ///   again
    @Test(arguments: [SendPhase.sent, .overdue, .mined(confirmations: 1, of: 2)])
    func `a sent step reports why it waits while no endpoint answers`(
        phase: SendPhase
    ) async throws {
        let market = GiftMarket()
        let index = market.index(confirmations: 2)
        index.set(health: .following)
        let runner = runner([index])
        let begun = try await begin(runner, on: market.market.chain)
        func detail(_ operation: Client.Operation) -> String? {
            operation.phases.first { $0.state == .running }?.detail
        }
        try await sender.set(phase)
        let before = try await run(runner, begun.id) { $0.phases[2].state == .done }

        index.set(health: .unreachable)
        inbox.look()
        let away = "No endpoint of chain 31337 can be used now"
        let told = try await run(runner, begun.id) { detail($0)?.contains(away) == true }
        #expect(told.state == .running && told.phases.count { $0.detail != nil } == 1)

        index.set(health: .following)
        inbox.look()
        let after = try await run(runner, begun.id) { detail($0)?.contains(away) != true }
        #expect(after.phases == before.phases)
    }
}
