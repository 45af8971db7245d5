import Foundation
import Logging
import Market
import Storage

/// Forgets what is too old, and lets the chain's word on records be heard.
struct Housekeeping: Sendable {
    let store: Store
    let desk: RecordDesk
    let clock: any NodeClock
    let logger: Logger

    private static let interval = Duration.seconds(2)
    private static let roundsToTrim = 15

    /// Works until cancelled.
    func run() async throws {
        var place: RecordID?
        for round in 1... {
            try await Task.sleep(for: Self.interval)
            if round.isMultiple(of: Self.roundsToTrim) { FreedMemory.giveBack() }
            do {
                try await desk.judgeHeld()
                place = try await desk.judgeOpen(after: place)
                let now = Timestamp(clock.now)
                while try await store.write({ try $0.sweepRecords(at: now) }) > 0 {}
            } catch let error as StorageError {
                // A full disk is survived: what could not be forgotten now is forgotten later.
                logger.warning("housekeeping waits", metadata: ["error": "\(error)"])
            }
        }
    }
}
