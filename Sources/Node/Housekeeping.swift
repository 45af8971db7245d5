import Foundation
import Logging
import Market
import Storage

/// Forgets what is too old, and lets the chain's word on records be heard.
struct Housekeeping: Sendable {
    let store: Store
    let desk: RecordDesk
    let audit: RecordAudit
    let clock: any NodeClock
    let logger: Logger

    private static let interval = Duration.seconds(2)
    private static let roundsToTrim = 15
    private static let renewalInterval = Duration.seconds(600)

    /// Works until cancelled.
    func run() async throws {
        var held: HeldPlace?
        var open: RecordExpiryKey?
        var renewAt = Timestamp(milliseconds: 0)
        for round in 1... {
            try await Task.sleep(for: Self.interval)
            if round.isMultiple(of: Self.roundsToTrim) { FreedMemory.giveBack() }
            do {
                _ = try await audit.step()
                held = try await desk.judgeHeld(after: held)
                open = try await desk.judgeOpen(after: open)
                let now = Timestamp(clock.now)
                while try await sweep(at: now) > 0 {}
                if renewAt <= now {
                    renewAt = now.advanced(by: Self.renewalInterval)
                    try await desk.renewKept()
                }
            } catch let error as StorageError {
                // A full disk is survived: what could not be forgotten now is forgotten later.
                logger.warning("housekeeping waits", metadata: ["error": "\(error)"])
            }
        }
    }

    private func sweep(at now: Timestamp) async throws -> Int {
        try await store.write { [limits = store.limits] in
            try $0.sweepRecords(at: now, limits: limits)
        }
    }
}
