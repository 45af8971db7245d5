import Market

/// All limits of the store.
package struct Limits: Sendable {
    /// Writes that may wait for the writer; further callers wait to enter the queue.
    package var queuedWritesMax = 4_096
    /// Writes that share one commit and its `fsync`.
    package var groupWritesMax = 1_024
    /// Changes kept for followers; one that is further behind rebuilds itself.
    package var changesMax: UInt64 = 1_000_000

    /// What the open lane may take, the records' own bytes counted.
    package var openLaneBytesMax = 256 << 20
    package var openLaneLifetime = Duration.days(7)
    /// After how long in the open lane a record that comes again is taken for renewed.
    package var openLaneRenewal = Duration.days(3)
    /// Records longer than this are not kept for accounts of others whose mail is kept here.
    package var homedRecordBytesMax = 16_384
    /// What the anchored lane may take, the records' own bytes counted.
    package var anchoredLaneBytesMax = 16 << 30
    /// Ids remembered as not wanted.
    package var forgottenRecordsMax = 200_000
    /// What records take that are kept aside until the chain shows more, in places of 4 KiB: each
    /// takes as many as it begins.
    package var heldPlacesMax = 4_096
    /// Those of one author.
    package var heldPlacesOfAuthorMax = 256
    package let heldPlaceBytes = 4_096
    package var heldRecordLifetime = Duration.days(1)
    /// Expired entries that one sweep removes of each kind.
    package var sweepEntriesMax = 1_000

    /// Envelopes and bytes that wait for one recipient.
    package var recipientEnvelopesMax: UInt64 = 10_000
    package var recipientBytesMax: UInt64 = 64 << 20
    /// Envelopes and bytes that one depositor may have waiting here.
    package var depositorEnvelopesMax: UInt64 = 2_000
    package var depositorBytesMax: UInt64 = 16 << 20

    /// Peers in the address book; the least useful go first.
    package var peersMax = 10_000
    package var eventLifetime = Duration.days(7)
    /// Events kept for one account, however young.
    package var accountEventsMax = 100_000
    package var idempotencyKeyLifetime = Duration.days(1)

    package init() {}
}
