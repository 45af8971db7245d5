/// What a test makes happen around a commit, to see what the rest does then.
package enum StoreFault: Equatable, Sendable {
    /// The commit fails so; nothing of the group is kept, and the store goes on.
    case failure(StorageError)
    /// As if the machine lost power: nothing of the group is kept, and the store stops.
    case crashBeforeCommit
    /// The group is durable, but no caller hears of it, and the store stops.
    case crashAfterCommit
}
