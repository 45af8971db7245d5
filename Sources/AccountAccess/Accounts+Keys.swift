import Answers
package import Client
import Concurrency
import Foundation
import Keys
import Setup
import Storage

/// New passwords, and the export of keys to other wallets.
extension Accounts {
    /// Seals an account's key with another password, and ends its sessions and what it has left to
    /// the node.
    ///
    /// - Parameters:
    ///   - name: The account's name or address.
    ///   - change: The old password, the recovery phrase or the private key, and the new password.
    ///   - caller: Where the password comes from.
    /// - Throws: ``Refusal`` with `wrong_password`, `too_many_tries`, `bad_phrase` and `bad_key`
    ///   (also for an unknown account), `weak_password`, `malformed_value`.
    package func changePassword(
        of name: String,
        _ change: PasswordChange,
        by caller: CallerGroup
    ) async throws {
        try Password.check(change.newPassword, field: "newPassword")
        let (entry, key) = try await proven(name, change, by: caller)
        let password = Password(change.newPassword).normal
        // A private key needs no derivation before.
        let continues = change.privateKey == nil
        let keystore = try await derivations.run(for: caller, continues: continues) { [cost] in
            try Keystore.seal(key, password: password, cost: cost)
        }
        let (known, address) = (entry.account, entry.address)
        let changed = StoredAccount(
            name: known.name,
            createdAt: known.createdAt,
            keystore: keystore,
            isOpen: known.isOpen,
            signsElsewhere: known.signsElsewhere
        )
        let bytes = changed.storedBytes
        try await store.write { transaction in
            // The account may have been removed, or given another password, in the meantime.
            guard let stored = try transaction.get(AccountEntries.self, address),
                try StoredAccount(storedBytes: stored).keystore == known.keystore
            else {
                throw Refusal(.wrongPassword, Sentence("refusal.passwordChanged"))
            }
            try transaction.put(AccountEntries.self, address, bytes)
        }
        close(address)
        // Whoever knew the old password may have left the account alone.
        await unattended.end(at: clock.now)
    }

    /// Returns an account's keystore file, which its password opens in other wallets too.
    ///
    /// - Throws: ``Refusal`` with `wrong_password` or `too_many_tries`.
    package func exportKeystore(
        of name: String,
        _ proof: PasswordProof,
        by caller: CallerGroup
    ) async throws -> ExportedKeystore {
        let (entry, _) = try await unlock(name, Password(proof.password), by: caller)
        try entry.account.requireKeyHere()
        let time = clock.now.formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true)
        )
        .replacing(":", with: "-")
        return ExportedKeystore(
            address: entry.address.checksummed,
            fileName: "UTC--\(time)--\(Hex.encode(entry.address.bytes))",
            keystore: String(decoding: entry.account.keystore, as: UTF8.self)
        )
    }

    /// Returns an account's private key.
    ///
    /// - Throws: ``Refusal`` with `wrong_password` or `too_many_tries`.
    package func revealKey(
        of name: String,
        _ proof: PasswordProof,
        by caller: CallerGroup
    ) async throws -> RevealedKey {
        let (entry, key) = try await unlock(name, Password(proof.password), by: caller)
        try entry.account.requireKeyHere()
        return RevealedKey(
            address: entry.address.checksummed,
            privateKey: unsafe "0x" + key.withBytes { unsafe Hex.encode($0) }
        )
    }

    /// Finds an account, and opens its key with the password or makes it from the phrase.
    private func proven(
        _ name: String,
        _ change: PasswordChange,
        by caller: CallerGroup
    ) async throws -> (entry: AccountEntry, key: PrivateKey) {
        switch (change.password, change.phrase, change.privateKey) {
        case (let password?, nil, nil):
            return try await unlock(name, Password(password), by: caller)
        case (nil, let phrase?, nil):
            let words = try RecoveryPhrase.entered(phrase)
            let key = try await derivations.run(for: caller) { try words.firstKey() }
            return (try own(name, key, .badPhrase, field: "phrase"), key)
        case (nil, nil, let digits?):
            let key = try PrivateKey.entered(digits)
            return (try own(name, key, .badKey, field: "privateKey"), key)
        default:
            throw Refusal(.malformedValue, Sentence("refusal.giveOneProof"), field: "password")
        }
    }

    /// Finds the account with a name, which must have this key.
    ///
    /// - Throws: ``Refusal`` with the code `problem` for that of another account.
    private func own(
        _ name: String,
        _ key: PrivateKey,
        _ problem: ProblemCode,
        field: String
    ) throws -> AccountEntry {
        guard let entry = try store.account(named: name), key.address == entry.address else {
            throw Refusal(
                problem,
                Sentence("refusal.keyOfOther", ["account": "\(key.address)", "name": name.quoted]),
                field: field
            )
        }
        try entry.account.requireKeyHere()
        return entry
    }
}
