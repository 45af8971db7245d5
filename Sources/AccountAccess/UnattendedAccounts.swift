import Answers
package import Client
import Concurrency
import Foundation
package import Keys
package import Market
import Setup
import Storage

/// Accounts that are left alone: the node makes some moves for them while nobody is signed in.
///
/// Source: Docs/operations.md, section 3.6.
extension Accounts {
    /// How long an account can be left alone, in seconds: 1 to 365 days' worth.
    private static let unattendedSeconds: ClosedRange<UInt64> = 1...365 * 86_400

    /// The moves that the node can make now, by account: all while it is unlocked, else those that
    /// it has allowed.
    package var allowedMoves: [Address: Set<UnattendedMove>] {
        unattended.allowed(at: clock.now)
            .merging(unlocked.map { ($0, Set<UnattendedMove>.all) }) { $1 }
    }

    /// Returns the accounts for which the node can make a move now.
    package func accounts(allowing move: UnattendedMove) -> [Address] {
        allowedMoves.filter { $0.value.contains(move) }.keys.sorted()
    }

    /// Lets the node make moves for an account while nobody is signed in, and replaces what was
    /// allowed before.
    ///
    /// - Parameters:
    ///   - name: The account's name or address.
    ///   - request: The moves, for how long, and the account's password.
    ///   - caller: Where the password comes from.
    /// - Returns: The moves that are allowed now.
    /// - Throws: ``Refusal`` with `malformed_value`, `wrong_password`, `too_many_tries`,
    ///   `signs_elsewhere`, `store_full` if the disk is, or `internal_error` if its file is damaged
    ///   or cannot be written; then what was allowed before stays.
    package func leaveAlone(
        _ name: String,
        _ request: UnattendedRequest,
        by caller: CallerGroup
    ) async throws -> UnattendedMoves {
        let moves = try Self.moves(request.moves)
        guard Self.unattendedSeconds.contains(request.seconds) else {
            throw Refusal(.malformedValue, Sentence("refusal.unattendedTime"), field: "seconds")
        }
        let (entry, key) = try await unlock(name, Password(request.password), by: caller)
        try entry.account.requireKeyHere()
        // Whole seconds, as the API writes times.
        let end = clock.now.addingTimeInterval(TimeInterval(request.seconds)).timeIntervalSince1970
        try unattended.keep(
            key,
            of: entry.address,
            for: moves,
            until: Date(timeIntervalSince1970: end.rounded(.down)),
            keystore: entry.account.keystore
        )
        signalChange()
        return unattendedMoves(of: entry.address)
    }

    /// Returns what an account has left to the node; nothing if it has ended.
    ///
    /// - Throws: ``Refusal`` with `not_found`.
    package func unattendedMoves(ofAccount name: String) throws -> UnattendedMoves {
        unattendedMoves(of: try known(name).address)
    }

    /// Ends what an account has left to the node, and removes its sealed key.
    ///
    /// - Parameters:
    ///   - name: The account's name or address.
    ///   - asker: The account that asks; `nil` for the operator.
    /// - Throws: ``Refusal`` with `not_found`, with `not_allowed` for another account's, or with
    ///   `internal_error` if its file cannot be removed.
    package func endUnattended(_ name: String, by asker: Address?) throws {
        let address = try known(name).address
        guard asker == nil || asker == address else {
            throw Refusal(.notAllowed, Sentence("refusal.unattendedByOther"))
        }
        try endUnattended(address)
    }

    /// Returns the key of an account that is left alone, for the moves that it has allowed; `nil`
    /// if it is not.
    package func unattendedKey(of address: Address) throws -> UnattendedKey? {
        guard let entry = unattended.entry(of: address, at: clock.now),
            try isCurrent(entry, of: address)
        else { return nil }
        return unattended.key(of: entry)
    }

    /// Removes the keys that have ended by their time, another password, or their account's
    /// removal.
    func endUnattended(at now: Date) async {
        for (address, entry) in unattended.entries {
            await errors.item("account \(address) that is left alone") {
                guard try entry.until <= now || !self.isCurrent(entry, of: address) else { return }
                try self.endUnattended(address)
            }
        }
    }

    /// Ends what an account has left to the node: at once in memory, and then on disk.
    ///
    /// - Throws: ``Refusal`` with `internal_error` if its file cannot be removed.
    func endUnattended(_ address: Address) throws {
        if try unattended.end(address) { signalChange() }
    }

    /// Returns what an account has left to the node; nothing if it has ended.
    package func unattendedMoves(of address: Address) -> UnattendedMoves {
        let moves = unattended.moves(of: address, at: clock.now)
        guard let entry = unattended.entry(of: address, at: clock.now) else { return moves }
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

    private func known(_ name: String) throws -> Entry {
        if let entry = try entry(named: name) { return entry }
        throw Refusal(
            .notFound,
            Sentence("refusal.noAccount", ["account": name.quoted]),
            field: "id"
        )
    }

    private static func moves(_ names: [String]) throws(Refusal) -> Set<UnattendedMove> {
        let moves = names.compactMap(UnattendedMove.init(rawValue:))
        guard !moves.isEmpty, moves.count == names.count else {
            let all = UnattendedMove.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                Sentence("refusal.unattendedMoves", ["moves": all]),
                field: "moves"
            )
        }
        return Set(moves)
    }
}
