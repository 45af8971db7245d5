/// Faults that a test injects around a commit, to check how the rest behaves.
package enum StoreFault: Equatable, Sendable {
    /// The commit fails; nothing of the group is kept, and the store continues.
    case failure(StorageError)
    /// As if the machine lost power: nothing of the group is kept, and the store stops.
    case crashBeforeCommit
    /// The group is durable, but no caller hears of it, and the store stops.
    case crashAfterCommit
}
