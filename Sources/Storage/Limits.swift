/// All limits of the store.
package struct Limits: Sendable {
    /// Writes that may wait for the writer; further callers wait to enter the queue.
    package var queuedWritesMax = 4_096
    /// Writes that share one commit and its `fsync`.
    package var groupWritesMax = 1_024
    /// Changes kept for followers; one that is further behind rebuilds itself.
    package var changesMax: UInt64 = 1_000_000

    package init() {}
}
