import Answers
package import Client
import Concurrency
import Foundation
package import Keys
import Logging
import Market
import Setup
import Storage

/// The accounts that are left alone: the node makes some moves for them while nobody is signed in.
///
/// Each entry is tied to the keystore that its account had then, and compared with it at each use:
/// after another password, or a removal, it allows nothing.
///
/// Source: Docs/operations.md, section 3.6.
package actor UnattendedAccounts {
    private let store: Store
    private let clock: any WallClock
    private let errors: LoopErrors
    private var book: UnattendedBook
    /// Has operations checked again.
    private let changes: Broadcast<Void>

    init(
        _ keys: UnattendedKeys?,
        store: Store,
        clock: any WallClock,
        errors: LoopErrors,
        changes: Broadcast<Void>,
        logger: Logger
    ) {
        (self.store, self.clock) = (store, clock)
        (self.errors, self.changes) = (errors, changes)
        book = UnattendedBook(keys)
        for name in book.damaged.sorted() {
            logger.warning(
                "the key of an account that is left alone is damaged, and allows nothing",
                metadata: ["file": "unattended/\(name)"]
            )
        }
    }

    /// The moves that each account has allowed.
    var allowed: [Address: Set<UnattendedMove>] { book.allowed(at: clock.now) }

    /// Keeps the key of an account for some moves, and replaces what was allowed before.
    ///
    /// - Parameters:
    ///   - key: The account's key.
    ///   - address: The account.
    ///   - moves: The moves.
    ///   - until: When it ends.
    ///   - keystore: The keystore that the password has opened.
    /// - Returns: The moves that are allowed now.
    /// - Throws: As ``UnattendedBook/keep(_:of:for:until:keystore:)``.
    func keep(
        _ key: PrivateKey,
        of address: Address,
        for moves: Set<UnattendedMove>,
        until: Date,
        keystore: [UInt8]
    ) throws -> UnattendedMoves {
        try book.keep(key, of: address, for: moves, until: until, keystore: keystore)
        changes.send()
        return self.moves(of: address)
    }

    /// Returns what an account has left to the node; nothing if it has ended.
    ///
    /// - Throws: ``Refusal`` with `not_found`.
    package func moves(ofAccount name: String) throws -> UnattendedMoves {
        moves(of: try known(name).address)
    }

    /// Ends what an account has left to the node, and removes its sealed key.
    ///
    /// - Parameters:
    ///   - name: The account's name or address.
    ///   - asker: The account that asks; `nil` for the operator.
    /// - Throws: ``Refusal`` with `not_found`, with `not_allowed` for another account's, or with
    ///   `internal_error` if its file cannot be removed.
    package func end(_ name: String, by asker: Address?) throws {
        let address = try known(name).address
        guard asker == nil || asker == address else {
            throw Refusal(.notAllowed, Sentence("refusal.unattendedByOther"))
        }
        try end(address)
    }

    /// Returns the key of an account that is left alone, for the moves that it has allowed; `nil`
    /// if it is not.
    package func key(of address: Address) throws -> UnattendedKey? {
        guard let entry = book.entry(of: address, at: clock.now),
            try isCurrent(entry, of: address)
        else { return nil }
        return book.key(of: entry)
    }

    /// Removes the keys that have ended by their time, another password, or their account's
    /// removal.
    func end(at now: Date) async {
        for (address, entry) in book.entries {
            await errors.item("account \(address) that is left alone") {
                guard try entry.until <= now || !self.isCurrent(entry, of: address) else { return }
                try self.end(address)
            }
        }
    }

    /// Ends what an account has left to the node: at once in memory, and then on disk.
    ///
    /// - Throws: ``Refusal`` with `internal_error` if its file cannot be removed.
    func end(_ address: Address) throws {
        if try book.end(address) { changes.send() }
    }

    /// Returns what an account has left to the node; nothing if it has ended.
    package func moves(of address: Address) -> UnattendedMoves {
        let moves = book.moves(of: address, at: clock.now)
        guard let entry = book.entry(of: address, at: clock.now) else { return moves }
        // A file of an earlier password that was put back signs nothing; the next sweep removes it.
        return (try? isCurrent(entry, of: address)) == true ? moves : UnattendedMoves(moves: [])
    }

    /// Whether the account is still here, and has the password that it had then.
    private func isCurrent(_ entry: UnattendedEntry, of address: Address) throws -> Bool {
        guard let stored = try store.read({ try $0.get(AccountEntries.self, address) }) else {
            return false
        }
        let keystore = try StoredAccount(storedBytes: stored).keystore
        return UnattendedKeys.hash(keystore) == entry.keystore
    }

    private func known(_ name: String) throws -> AccountEntry {
        if let entry = try store.account(named: name) { return entry }
        throw Refusal(
            .notFound,
            Sentence("refusal.noAccount", ["account": name.quoted]),
            field: "id"
        )
    }
}
