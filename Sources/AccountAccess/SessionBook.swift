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
        /// The hash of the cookie that a later sign-in of that browser got, until this session's
        /// token comes with it.
        ///
        /// Whoever signed in may only have known the cookie.
        var nextCookie: Bytes32?
        /// Until when it moves money without the password, if a page opened it.
        var confirmedUntil: Date?
    }

    /// How long a code for the operator's session on the page is valid, in seconds.
    static let codeLife: TimeInterval = 60
    /// The maximum number of codes that nobody has used.
    static let codesMax = 16
    /// How long a password is good for one act, if each act needs one, in seconds.
    private static let confirmedOnce: TimeInterval = 60

    private let idle: TimeInterval
    private let life: TimeInterval
    private let confirmed: TimeInterval
    private var entries: [SessionID: Entry] = [:]
    /// The ends of codes, by their hashes.
    private var codes: [Bytes32: Date] = [:]

    /// - Parameters:
    ///   - idle: How long a session stays open without use, in seconds.
    ///   - life: How long it stays open in any case, in seconds.
    ///   - confirmed: How long a page's session moves money after the password, in seconds; 0 for
    ///     one act each time.
    init(idle: TimeInterval, life: TimeInterval, confirmed: TimeInterval) {
        precondition(idle > 0 && life > 0 && confirmed >= 0)
        (self.idle, self.life, self.confirmed) = (idle, life, confirmed)
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
            cookie: cookie,
            confirmedUntil: cookie == nil || confirmed == 0
                ? nil : now.addingTimeInterval(confirmed)
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

    /// Returns a session that has not ended, if the cookie beside its token is its browser's.
    ///
    /// The cookie shown is its only one from now on.
    mutating func find(_ id: SessionID, withCookie cookie: Bytes32?, at now: Date) -> Entry? {
        guard var entry = find(id, at: now) else { return nil }
        guard let own = entry.cookie else { return entry }
        guard let cookie, cookie == own || cookie == entry.nextCookie else { return nil }
        (entry.cookie, entry.nextCookie) = (cookie, nil)
        entries[id] = entry
        return entry
    }

    /// Returns the sessions that a browser's cookie shows without a token, the newest first.
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

    /// Returns whether a session that has not ended has or awaits a browser's cookie.
    func isNeeded(_ cookie: Bytes32, at now: Date) -> Bool {
        entries.values.contains {
            $0.idleUntil > now && ($0.cookie == cookie || $0.nextCookie == cookie)
        }
    }

    /// Lets the sessions of a browser come with its new cookie, once their tokens are beside it.
    mutating func announce(_ new: Bytes32, after old: Bytes32) {
        for (id, entry) in entries where entry.cookie == old || entry.nextCookie == old {
            entries[id]?.nextCookie = new
        }
    }

    /// Records that the password of a page's session was given.
    mutating func confirm(_ id: SessionID, at now: Date) {
        guard find(id, at: now)?.cookie != nil else { return }
        let time = confirmed == 0 ? Self.confirmedOnce : confirmed
        entries[id]?.confirmedUntil = now.addingTimeInterval(time)
    }

    /// Returns whether a session moves money without its password now.
    ///
    /// If each act needs the password, the next one needs it again.
    mutating func takeConfirmation(of id: SessionID, at now: Date) -> Bool {
        guard let entry = find(id, at: now) else { return false }
        guard entry.cookie != nil else { return true }
        guard let until = entry.confirmedUntil, until > now else { return false }
        if confirmed == 0 { entries[id]?.confirmedUntil = nil }
        return true
    }

    /// Keeps a code for the operator's session on the page, and drops the oldest of too many.
    ///
    /// - Returns: The end of its validity.
    mutating func add(code: String, at now: Date) -> Date {
        codes = codes.filter { $0.value > now }
        if codes.count >= Self.codesMax, let oldest = codes.min(by: { $0.value < $1.value }) {
            codes[oldest.key] = nil
        }
        let until = now.addingTimeInterval(Self.codeLife)
        codes[Keccak256.hash(code.utf8)] = until
        return until
    }

    /// Returns whether a code is valid; it is of no use afterwards.
    mutating func take(code: String, at now: Date) -> Bool {
        guard let until = codes.removeValue(forKey: Keccak256.hash(code.utf8)) else { return false }
        return until > now
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
