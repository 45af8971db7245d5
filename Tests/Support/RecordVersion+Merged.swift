import Keys
package import Market

extension RecordVersion {
    /// What stays of `versions`: the winners of each key, as many as its kind keeps, and of each
    /// author's versions of a kind the most recent, up to the kind's limit.
    ///
    /// Commutative, associative and idempotent over unions of sets: a version that does not stay
    /// would not stay beside any others either.
    package static func merged(
        _ versions: some Sequence<RecordVersion>
    ) -> Set<RecordVersion> {
        let slots = Dictionary(grouping: Set(versions), by: \.key)
        let winners = slots.flatMap { key, versions in
            versions.sorted { $0.supersedes($1) }.prefix(key.kind.keptPerSlot)
        }
        let authorKinds = Dictionary(grouping: winners) { AuthorKind(of: $0.key) }
        return Set(
            authorKinds.flatMap { authorKind, versions in
                versions.sorted { $0.precedes($1) }.prefix(authorKind.kind.slotsMax)
            }
        )
    }

    private struct AuthorKind: Hashable {
        let author: Address
        let kind: RecordKind

        init(of key: RecordKey) {
            (author, kind) = (key.author, key.kind)
        }
    }
}
