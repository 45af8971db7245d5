import Concurrency
import Storage
import Support
import Testing

@testable import Node

@Suite(.timeLimit(.minutes(5)))
struct HousekeepingTests {
    @Test func `frees the pages of a killed copy every half minute`() async throws {
        let keeper = try RecordKeeper()
        try await keeper.store.write { transaction in
            try transaction.put(Settings.self, "large", [UInt8](repeating: 1, count: 262_144))
        }
        let target = try TemporaryFolder()
        let copy = try WriterProcess([keeper.folder.path, "65536", target.path])
        _ = try copy.finish()
        #expect(copy.wasKilled)
        let uptime = SteppedClock()
        let housekeeping = Housekeeping(
            store: keeper.store,
            recordService: keeper.recordService,
            audit: keeper.audit,
            clock: keeper.clock,
            uptime: uptime,
            errors: LoopErrors("housekeeping", logger: quiet)
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await housekeeping.run() }
            for _ in 0..<Housekeeping.roundsToTrim {
                await uptime.untilAwaited()
                uptime.advance(Housekeeping.interval)
            }
            // The round has ended once the next one is awaited.
            await uptime.untilAwaited()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
        #expect(try keeper.store.forgetDeadReaders() == 0)
    }
}
