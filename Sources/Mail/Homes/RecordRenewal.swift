import Answers
import Concurrency
import Market
import Storage

/// When an account's own records are published again.
///
/// Open records are forgotten after a week and are not exchanged. Once the account is a party to a
/// sale, a new version is anchored.
struct RecordRenewal: Sendable {
    let view: any ChainView & Sendable
    /// The age at which an open record is published again.
    let interval: Duration
    let clock: any WallClock

    /// Returns whether a record need not be published again yet.
    func isFresh(_ record: StoredRecord) -> Bool {
        if record.lane == .anchored { return true }
        if view.isParty(record.version.key.author) { return false }
        return record.version.createdAt.advanced(by: interval) > clock.timestamp
    }
}
