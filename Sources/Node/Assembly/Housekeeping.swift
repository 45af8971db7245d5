import Concurrency
import Foundation
import Logging
import Market
import Storage

/// Removes what is too old, and validates again the records that wait for the chain.
struct Housekeeping: Sendable {
    let store: Store
    let recordService: RecordService
    let audit: RecordAudit
    let clock: any WallClock
    let logger: Logger

    private static let interval = Duration.seconds(2)
    private static let roundsToTrim = 15
    private static let renewalInterval = Duration.seconds(600)

    /// Works until cancelled.
    func run() async throws {
        var held: HeldRecordKey?
        var open: RecordExpiryKey?
        var renewAt = Timestamp(milliseconds: 0)
        for round in 1... {
            try await SystemMonotonicClock().wait(Self.interval)
            if round.isMultiple(of: Self.roundsToTrim) { FreedMemory.giveBack() }
            let now = Timestamp(clock.now)
            // Work that frees room comes first, so that a full store recovers by itself.
            try await attempt { try await sweep(at: now) }
            try await attempt { _ = try await audit.step() }
            try await attempt { held = try await recordService.validateHeld(after: held) }
            try await attempt { open = try await recordService.validateOpen(after: open) }
            if renewAt <= now {
                renewAt = now.advanced(by: Self.renewalInterval)
                try await attempt { try await recordService.renewKept() }
            }
        }
    }

    /// Does one part of the work.
    ///
    /// If the store fails, the other parts are still done, and this one in the next round.
    private func attempt(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as StorageError {
            logger.warning("housekeeping waits", metadata: ["error": "\(error)"])
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
