import Foundation
package import Keys

/// The name of a session: the hash of its token.
package typealias SessionID = Bytes32

/// The caller to whom a session belongs.
package enum SessionOwner: Hashable, Sendable {
    case account(Address)
    /// The person who runs the node, on a page.
    case `operator`
}

/// The open sessions.
///
/// Pure: the caller passes the time, the tokens and the cookies. Only their hashes are kept, so
/// that looking one up takes the same time whatever was guessed.
///
/// Source: Docs/limits.md, section 3.1.
struct SessionBook: Sendable {
    /// One session.
    struct Entry: Equatable, Sendable {
        let owner: SessionOwner
        let openedAt: Date
        let expiresAt: Date
        var idleUntil: Date
        /// The hash of its browser's cookie, if a page opened it; the token is worth nothing
        /// without it.
        var cookie: Bytes32?
    }

    private let idle: TimeInterval
    private let life: TimeInterval
    private var entries: [SessionID: Entry] = [:]

    init(idle: TimeInterval, life: TimeInterval) {
        precondition(idle > 0 && life > 0)
        (self.idle, self.life) = (idle, life)
    }

    mutating func open(
        token: String,
        for owner: SessionOwner,
        cookie: Bytes32? = nil,
        at now: Date
    ) -> Entry {
        let expiresAt = now.addingTimeInterval(life)
        let entry = Entry(
            owner: owner,
            openedAt: now,
            expiresAt: expiresAt,
            idleUntil: min(expiresAt, now.addingTimeInterval(idle)),
            cookie: cookie
        )
        entries[Keccak256.hash(token.utf8)] = entry
        return entry
    }

    /// Returns a session that has not ended.
    func find(_ id: SessionID, at now: Date) -> Entry? {
        entries[id].flatMap { $0.idleUntil > now ? $0 : nil }
    }

    /// Keeps a session from going idle.
    mutating func use(_ id: SessionID, at now: Date) {
        guard let entry = find(id, at: now) else { return }
        entries[id]?.idleUntil = min(entry.expiresAt, now.addingTimeInterval(idle))
    }

    /// Returns the sessions of an owner that have not ended, the newest first.
    func all(of owner: SessionOwner, at now: Date) -> [(id: SessionID, entry: Entry)] {
        sorted(at: now) { $0.owner == owner }
    }

    /// Returns the sessions of a browser that have not ended, the newest first.
    func all(ofCookie cookie: Bytes32, at now: Date) -> [(id: SessionID, entry: Entry)] {
        sorted(at: now) { $0.cookie == cookie }
    }

    private func sorted(
        at now: Date,
        _ isIncluded: (Entry) -> Bool
    ) -> [(id: SessionID, entry: Entry)] {
        entries.filter { $0.value.idleUntil > now && isIncluded($0.value) }
            .map { (id: $0.key, entry: $0.value) }
            .sorted { ($0.entry.openedAt, $0.id) > ($1.entry.openedAt, $1.id) }
    }

    /// Gives the sessions of a browser its new cookie.
    mutating func replace(cookie old: Bytes32, by new: Bytes32) {
        for (id, entry) in entries where entry.cookie == old { entries[id]?.cookie = new }
    }

    mutating func close(_ id: SessionID) { entries[id] = nil }

    /// Ends every session of an owner.
    mutating func closeAll(of owner: SessionOwner) {
        entries = entries.filter { $0.value.owner != owner }
    }

    /// Ends sessions that have been idle too long or are too old.
    ///
    /// - Returns: The accounts that no longer have a session.
    mutating func expire(at now: Date) -> Set<Address> {
        let before = accounts
        entries = entries.filter { $0.value.idleUntil > now }
        return before.subtracting(accounts)
    }

    private var accounts: Set<Address> {
        Set(
            entries.values.compactMap {
                if case .account(let address) = $0.owner { address } else { nil }
            }
        )
    }

    /// Returns when the last session of an account ends if it is not used; `nil` without a session.
    func idleUntil(of account: Address) -> Date? {
        entries.values.filter { $0.owner == .account(account) }.map(\.idleUntil).max()
    }

    func isSignedIn(_ account: Address) -> Bool {
        entries.values.contains { $0.owner == .account(account) }
    }
}
