import Keys
package import Market

extension RecordVersion {
    /// What stays of `versions`: the winner of each key, and of each author's keys of a kind the
    /// most recent, up to the kind's limit.
    ///
    /// Commutative, associative and idempotent over unions of sets: a version that does not stay
    /// would not stay beside any others either.
    package static func merged(
        _ versions: some Sequence<RecordVersion>
    ) -> [RecordKey: RecordVersion] {
        var winners: [RecordKey: RecordVersion] = [:]
        for version in versions where winners[version.key].map(version.precedes) ?? true {
            winners[version.key] = version
        }
        let authorKinds = Dictionary(grouping: winners.values) { AuthorKind(of: $0.key) }
        for (authorKind, versions) in authorKinds where versions.count > authorKind.kind.slotsMax {
            let order = versions.sorted { $0.precedes($1) }
            for version in order.dropFirst(authorKind.kind.slotsMax) {
                winners[version.key] = nil
            }
        }
        return winners
    }

    private struct AuthorKind: Hashable {
        let author: Address
        let kind: RecordKind

        init(of key: RecordKey) {
            (author, kind) = (key.author, key.kind)
        }
    }
}
