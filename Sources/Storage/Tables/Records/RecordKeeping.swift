package import Keys
package import Market

// Identities are free, so what nothing on a chain vouches for is soon forgotten. But an account
// whose mail is kept here must be found for as long as it is: so this node keeps its records, and
// now and then shows them to the others again, who then keep them for as long as at first.

extension WriteTransaction {
    /// Keeps a record of the open lane as long as a new one, if it has been there for some days.
    ///
    /// - Returns: Whether it was time for that.
    package mutating func renew(
        _ id: RecordID,
        at now: Timestamp
    ) throws -> Bool {
        guard try needsRenewal(id, at: now) else { return false }
        return try prolong(id, at: now)
    }

    /// Answers whether the record is in the open lane, and its kind's lifetime not over.
    mutating func prolong(
        _ id: RecordID,
        at now: Timestamp
    ) throws -> Bool {
        guard let record = try record(id), record.lane == .open else { return false }
        let end = min(record.kindEnd, now.advanced(by: limits.openLaneLifetime))
        guard end > now else { return false }
        guard end > record.expiresAt else { return true }
        let renewed = StoredRecord(
            version: record.version,
            lane: .open,
            subject: record.subject,
            firstSeen: record.firstSeen,
            orderTime: record.orderTime,
            expiresAt: end,
            bytes: record.bytes
        )
        try remove(RecordsByExpiry.self, record.expiryKey)
        try putContent(of: renewed)
        try put(RecordsByExpiry.self, renewed.expiryKey, EmptyValue())
        return true
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Whether a record of the open lane has been there long enough to be renewed.
    package func needsRenewal(
        _ id: RecordID,
        at now: Timestamp
    ) throws -> Bool {
        guard let record = try record(id), record.lane == .open else { return false }
        let fresh = now.advanced(by: limits.openLaneLifetime - limits.openLaneRenewal)
        return record.expiresAt <= fresh && record.kindEnd > record.expiresAt
    }

    /// Whether this node keeps the account's mail: as its own, or by a lease.
    package func keepsMail(of account: Address) throws -> Bool {
        if try contains(AccountEntries.self, account) { return true }
        return try contains(HomedAccounts.self, account)
    }

    /// Records, due to be renewed, that lead to accounts whose mail is kept here.
    package func recordsToRenew(
        at now: Timestamp,
        limit: Int
    ) throws -> [StoredRecord] {
        let accounts = Set(try keys(AccountEntries.self, .all()))
            .union(try keys(HomedAccounts.self, .all()))
        var found: [StoredRecord] = []
        for account in accounts.sorted() where found.count < limit {
            for kind in [RecordKind.profile, .device] {
                found += try records(of: kind, by: account, limit: kind.slotsMax).filter {
                    try needsRenewal($0.version.id, at: now)
                        && isKept($0.version.id)
                }
            }
        }
        found += try listsToRenew(at: now)
        return Array(found.prefix(limit))
    }

    /// Lists of curators, due to be renewed, of accounts of this node or that these follow.
    private func listsToRenew(at now: Timestamp) throws -> [StoredRecord] {
        var places: Set<RecordKey> = []
        for key in try keys(CurationSubscribers.self, .all()) {
            places.insert(
                RecordKey(author: key.first.first, kind: .curation, slot: key.first.second)
            )
        }
        var lists = try places.compactMap { try record(in: $0) }
        for account in try keys(AccountEntries.self, .all()) {
            lists += try records(
                of: .curation,
                by: account,
                limit: RecordKind.curation.slotsMax
            ).filter { !places.contains($0.version.key) }
        }
        return try lists.filter { try needsRenewal($0.version.id, at: now) }
            .sorted { $0.version.id < $1.version.id }
    }

    /// Whether a record of the open lane stays for the sake of its account.
    ///
    /// For a guest, keeps the profile and then the newest devices, up to a small total size.
    func isKept(_ id: RecordID) throws -> Bool {
        guard let record = try record(id), record.lane == .open else { return false }
        if record.version.key.kind == .curation { return try isFollowed(record.version.key) }
        guard
            record.version.key.kind == .profile || record.version.key.kind == .device
        else { return false }
        let author = record.version.key.author
        if try contains(AccountEntries.self, author) { return true }
        guard try keepsMail(of: author) else { return false }
        var bytes = 0
        for kind in [RecordKind.profile, .device] {
            for other in try records(of: kind, by: author, limit: kind.slotsMax)
            where other.lane == .open {
                bytes += other.bytes.count
                if bytes > limits.homedAccountBytesMax { return false }
                if other.version.id == id { return true }
            }
        }
        return false
    }

    /// How far the open lane may exceed its budget for guests: by the allowance of each, so that
    /// they take nothing from the others.
    func bytesKeptMax() throws -> Int {
        let accounts = try count(HomedAccounts.self) + count(AccountEntries.self)
        return accounts * limits.homedAccountBytesMax
    }
}

extension StoredRecord {
    /// When its kind's lifetime is over, whatever its lane.
    fileprivate var kindEnd: Timestamp {
        version.createdAt.advanced(by: version.key.kind.lifetime)
    }
}
