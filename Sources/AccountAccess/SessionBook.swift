import Foundation
import Keys

/// The sessions of the accounts that are signed in.
///
/// Pure: the caller passes the time and the tokens. Only a token's hash is kept, so that looking
/// one up takes the same time whatever was guessed.
///
/// Source: Docs/limits.md, section 3.1.
struct SessionBook: Sendable {
    /// One session of an account.
    struct Entry: Equatable, Sendable {
        let account: Address
        let expiresAt: Date
        var idleUntil: Date
    }

    private let idle: TimeInterval
    private let life: TimeInterval
    private var entries: [Bytes32: Entry] = [:]

    init(idle: TimeInterval, life: TimeInterval) {
        precondition(idle > 0 && life > 0)
        (self.idle, self.life) = (idle, life)
    }

    mutating func open(token: String, for account: Address, at now: Date) -> Entry {
        let expiresAt = now.addingTimeInterval(life)
        let entry = Entry(
            account: account,
            expiresAt: expiresAt,
            idleUntil: min(expiresAt, now.addingTimeInterval(idle))
        )
        entries[Keccak256.hash(token.utf8)] = entry
        return entry
    }

    /// Returns the session of a token, and keeps it from going idle.
    mutating func use(token: String, at now: Date) -> Entry? {
        let key = Keccak256.hash(token.utf8)
        guard var entry = entries[key], entry.idleUntil > now else { return nil }
        entry.idleUntil = min(entry.expiresAt, now.addingTimeInterval(idle))
        entries[key] = entry
        return entry
    }

    func isOpen(token: String, at now: Date) -> Bool {
        entries[Keccak256.hash(token.utf8)].map { $0.idleUntil > now } ?? false
    }

    mutating func close(token: String) {
        entries[Keccak256.hash(token.utf8)] = nil
    }

    /// Ends every session of an account.
    mutating func closeAll(of account: Address) {
        entries = entries.filter { $0.value.account != account }
    }

    /// Ends sessions that have been idle too long or are too old.
    ///
    /// - Returns: The accounts that no longer have a session.
    mutating func expire(at now: Date) -> Set<Address> {
        let before = Set(entries.values.map(\.account))
        entries = entries.filter { $0.value.idleUntil > now }
        return before.subtracting(entries.values.map(\.account))
    }

    /// Returns when the last session of an account ends if it is not used; `nil` without a session.
    func idleUntil(of account: Address) -> Date? {
        entries.values.filter { $0.account == account }.map(\.idleUntil).max()
    }

    func isSignedIn(_ account: Address) -> Bool {
        entries.values.contains { $0.account == account }
    }
}
