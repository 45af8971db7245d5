import Concurrency
import Foundation
import Keys
import Logging
import Market
import Storage

/// The vaults of the node's accounts: private lists that belong to an account and not to a node.
///
/// It has no state of its own, so nothing of a vault stays in memory when its account is locked.
///
/// Source: Docs/protocol.md, section 15.
package struct Vault: Sendable {
    private let services: ChatServices

    package init(chat: Chat) { services = chat.services }

    /// A value to write, or a name to remove.
    struct Change: Sendable {
        let section: VaultSection
        let name: [UInt8]
        let value: [UInt8]?
    }

    var store: Store { services.store }

    /// Returns what an account's vault contains.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    func contents(of account: Address) async throws -> VaultContents {
        let unlocked = try await services.unlockedVault(account)
        let vault = try store.read { try $0.vault(unlocked) }
        if vault.refusedCount > 0 {
            services.logger.warning(
                "segments of a vault cannot be opened",
                metadata: ["account": "\(account)", "segments": "\(vault.refusedCount)"]
            )
        }
        return vault.contents
    }

    /// Writes what `changes` returns for the present contents, in one transaction.
    ///
    /// - Returns: The contents afterwards.
    /// - Throws: ``Refusal`` with `needs_unlock`, and what `changes` throws.
    @discardableResult
    func write(
        of account: Address,
        _ changes: @escaping @Sendable (VaultContents) throws -> [Change]
    ) async throws -> VaultContents {
        let unlocked = try await services.unlockedVault(account)
        let now = Timestamp(services.clock.now)
        return try await store.write { transaction in
            // It may have been removed in the meantime.
            guard try transaction.contains(AccountEntries.self, account) else {
                throw Refusal.locked(account)
            }
            var vault = try transaction.vault(unlocked)
            let entries = try changes(vault.contents).map { change in
                try VaultEntry(
                    section: change.section,
                    name: change.name,
                    value: change.value,
                    time: vault.contents.time(of: change.name, in: change.section, at: now),
                    device: unlocked.device
                )
            }
            guard !entries.isEmpty else { return vault.contents }
            vault.contents.merge(entries)
            try transaction.putVault(vault.log.append(entries), of: unlocked)
            if vault.log.isLong(vault.contents) {
                try transaction.putVault(vault.log.compact(vault.contents), of: unlocked)
            }
            return vault.contents
        }
    }
}
