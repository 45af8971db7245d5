import Answers
import Concurrency
import Foundation
import Market
import Records
import Setup
import Storage

/// Removes expired records, and validates again the records that wait for the chain.
struct Housekeeping: Sendable {
    let store: Store
    let recordService: RecordService
    let audit: RecordAudit
    let clock: any WallClock
    let uptime: any MonotonicClock
    let errors: LoopErrors

    static let interval = Duration.seconds(2)
    /// The number of rounds after which freed memory is given back, dead readers are forgotten, and
    /// a lack of room is logged.
    static let roundsToTrim = 15
    private static let renewalInterval = Duration.seconds(600)

    /// Works until cancelled; work that fails is tried again in the next round.
    func run() async throws {
        var held: HeldRecordKey?
        var open: RecordExpiryKey?
        var renewAt = Timestamp(milliseconds: 0)
        for round in 1... {
            try await uptime.wait(Self.interval)
            if round.isMultiple(of: Self.roundsToTrim) {
                FreedMemory.giveBack()
                await errors.item("dead readers") { _ = try store.forgetDeadReaders() }
                await errors.item("room of the store") {
                    try await store.lookForRoom()
                    if let lack = try store.room().lack { throw lack }
                }
            }
            let now = clock.timestamp
            // Work that frees room comes first, so that a full store recovers on its own.
            await errors.item("old records") { try await sweep(at: now) }
            await errors.item("audit") { _ = try await audit.step() }
            await errors.item("held records") {
                held = try await recordService.validateHeld(after: held)
            }
            await errors.item("open records") {
                open = try await recordService.validateOpen(after: open)
            }
            if renewAt <= now {
                renewAt = now.advanced(by: Self.renewalInterval)
                await errors.item("renewal") { try await recordService.renewKept() }
            }
        }
    }

    private func sweep(at now: Timestamp) async throws {
        var isOver = false
        while !isOver {
            isOver = try await store.write {
                try $0.sweepRecords(at: now) == 0
            }
        }
    }
}
