import Concurrency
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WorkTurnsTests {
    /// Notes whose step is taken.
    private final class Worker: Sendable {
        let steps = Mutex<[String]>([])
        private let turns = WorkTurns<String>(ownerMax: 8)

        func work(_ owner: String, _ name: String, steps count: UInt64) async throws {
            _ = try await turns.value(for: owner) { number in
                self.steps.withLock { $0.append(name) }
                return number + 1 == count ? true : nil
            }
        }
    }

    /// Works until it is cancelled.
    private final class EndlessWorker: Sendable {
        let isBegun = Mutex(false)
        let turns = WorkTurns<Int>(ownerMax: 1)

        func work() async throws {
            let _: Int = try await turns.value(for: 1) { _ in
                self.isBegun.withLock { $0 = true }
                return nil
            }
        }
    }

    @Test func `an owner of much work makes others wait for one step at a time`() async throws {
        let worker = Worker()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { try await worker.work("ana", "ana \(number)", steps: 200) }
            }
            while worker.steps.withLock({ $0.count }) < 10 { await Task.yield() }
            group.addTask { try await worker.work("bo", "bo", steps: 10) }
            try await group.waitForAll()
        }
        let order = worker.steps.withLock { $0 }
        let (first, last) = (order.firstIndex(of: "bo") ?? 0, order.lastIndex(of: "bo") ?? .max)
        // Bo's tenth step comes after about as many of Ana's, not after all of them.
        #expect(order.count == 1_610 && last - first < 100, "\(first) \(last)")
        // Of Ana's pieces of work one is under way at a time.
        var runs: [String] = []
        for name in order where name != "bo" && name != runs.last { runs.append(name) }
        #expect(runs.count == 8, "\(runs)")
    }

    @Test func `an owner has only some pieces of work, and one that is cancelled ends`()
        async throws
    {
        let worker = EndlessWorker()
        let turns = worker.turns
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.work() }
            while !worker.isBegun.withLock({ $0 }) { await Task.yield() }
            await #expect(throws: WorkTurns<Int>.Full.self) {
                try await turns.value(for: 1) { _ in true }
            }
            #expect((try? await turns.value(for: 2) { _ in true }) == true)
            group.cancelAll()
        }
        #expect((try? await turns.value(for: 1) { _ in true }) == true)
    }
}
