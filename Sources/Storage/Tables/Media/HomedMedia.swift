package import Keys
package import Market

/// Files of guests, which are pinned like those of local accounts.
extension ReadableTransaction where Self: ~Copyable {
    /// Returns the first account with a lease here whose address follows another, and the origin of
    /// its lease request; `nil` after the last.
    ///
    /// It can be one that was added to this node since (``isHomed(_:)``).
    package func homedAccount(
        after account: Address?
    ) throws -> (account: Address, origin: Bytes32)? {
        try entries(HomedAccounts.self, .all().beyond(account), limit: 1).first
            .map { ($0.key, $0.value) }
    }

    /// Whether the account is a guest.
    package func isHomed(_ account: Address) throws -> Bool {
        try contains(HomedAccounts.self, account) && !contains(AccountEntries.self, account)
    }

    /// Returns how many bytes of files are pinned for accounts with a lease here, by origin.
    package func homedMediaBytes() throws -> [Bytes32: UInt64] {
        var bytes: [Bytes32: UInt64] = [:]
        for (account, origin) in try entries(HomedAccounts.self, .all()) {
            let pinned = try pinnedBytes(of: account)
            if pinned > 0 { bytes[origin, default: 0] += pinned }
        }
        return bytes
    }

    /// Returns the files, each once, that the latest records of an account name which a sale
    /// vouches for: of each kind those of 200 records.
    package func anchoredMedia(of account: Address) throws -> [Media] {
        var found: [Media] = []
        for kind in [RecordKind.profile, .listing, .review] {
            var rest = Self.recordsReadMax
            let records = RecordRankKey.prefix(account, kind, .anchored)
            try scanKeys(RecordsByAuthor.self, .prefix(records, .descending)) { key in
                let media = try record(key.version.id)?.media ?? []
                found += media.filter { media in !found.contains { $0.id == media.id } }
                rest -= 1
                return rest > 0
            }
        }
        return found
    }

    /// Returns the ids of the files that are pinned for an account.
    package func pinnedMedia(of account: Address) throws -> Set<Bytes32> {
        Set(try keys(MediaOfAccounts.self, .prefix(account)).map(\.second))
    }

    private static var recordsReadMax: Int { 200 }
}
