import AccountAccess
import Answers
import Client
import Concurrency
import Foundation
package import Keys
import Logging
package import Market
package import Storage

/// The vaults of the node's accounts: private lists that belong to an account and not to a node.
///
/// It is stateless, so nothing of a vault stays in memory when its account is locked.
///
/// Source: Docs/protocol.md, section 15.
package struct Vault: Sendable {
    /// The store, in which the vaults lie beside the listings and profiles that they name.
    package let store: Store
    private let accounts: Accounts
    private let keyring: Keyring
    private let publisher: HomePublisher
    private let exchanger: VaultExchanger
    private let signals: MailSignals
    private let clock: any WallClock
    private let logger: Logger

    init(_ context: MailContext, publisher: HomePublisher, exchanger: VaultExchanger) {
        (store, accounts) = (context.store, context.accounts)
        (keyring, signals) = (context.keyring, context.signals)
        (clock, logger) = (context.clock, context.logger)
        (self.publisher, self.exchanger) = (publisher, exchanger)
    }

    /// A value to write, or a name to remove.
    package struct Change: Sendable {
        package let section: VaultSection
        package let name: [UInt8]
        package let value: [UInt8]?

        package init(section: VaultSection, name: [UInt8], value: [UInt8]?) {
            (self.section, self.name, self.value) = (section, name, value)
        }
    }

    /// Returns the names of this node's accounts.
    func accountNames() async throws -> [String] { try await accounts.list().map(\.name) }

    /// Tells the account's homes which accounts it blocks now.
    func blockingChanged(of account: Address) async {
        await publisher.grantsChanged(of: account)
        signals.homes.send()
    }

    /// Returns what an account's vault contains.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    package func contents(of account: Address) async throws -> VaultContents {
        let unlocked = try await keyring.unlockedVault(account)
        let vault = try store.read { try unlocked.stored(in: $0) }
        if vault.refusedCount > 0 {
            logger.warning(
                "segments of a vault cannot be opened",
                metadata: ["account": "\(account)", "segments": "\(vault.refusedCount)"]
            )
        }
        return vault.contents
    }

    /// Writes what `changes` returns for the present contents, in one transaction.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - isAddition: Whether it is refused while the store has little room; `false` for removals,
    ///     and for the outcomes of sales.
    ///   - changes: Returns the changes.
    /// - Returns: The contents afterwards.
    /// - Throws: ``Refusal`` with `needs_unlock`, and what `changes` throws.
    @discardableResult
    package func write(
        of account: Address,
        isAddition: Bool = true,
        _ changes: @escaping @Sendable (VaultContents) throws -> [Change]
    ) async throws -> VaultContents {
        try await write(of: account, isAddition: isAddition) { contents, _ in
            try changes(contents)
        }
    }

    /// As ``write(of:isAddition:_:)``, with `changes` that write to other tables too.
    @discardableResult
    func write(
        of account: Address,
        isAddition: Bool = true,
        within changes:
            @escaping @Sendable (VaultContents, inout WriteTransaction) throws -> [Change]
    ) async throws -> VaultContents {
        let unlocked = try await keyring.unlockedVault(account)
        let now = clock.timestamp
        let (contents, isChanged) = try await store.write(isAddition: isAddition) { transaction in
            // It may have been removed in the meantime.
            guard try transaction.contains(AccountEntries.self, account) else {
                throw Refusal.locked(account)
            }
            var vault = try unlocked.stored(in: transaction)
            let changes = try Self.keeping(
                changes(vault.contents, &transaction),
                in: vault.contents
            )
            let entries = try changes.map { change in
                try VaultEntry(
                    section: change.section,
                    name: change.name,
                    value: change.value,
                    time: vault.contents.time(of: change.name, in: change.section, at: now),
                    device: unlocked.device
                )
            }
            guard !entries.isEmpty else { return (vault.contents, false) }
            vault.contents.merge(entries)
            try Self.append(entries, to: &vault, of: unlocked, in: &transaction)
            return (vault.contents, true)
        }
        guard isChanged else { return contents }
        await exchanger.changed(of: account)
        signals.homes.send()
        return contents
    }

    /// Copies entries of devices that the account no longer has into the log of this node's device,
    /// so that they reach its new nodes and homes, which accept no log of such a device.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - goneBefore: Devices that were missed before: the certificate of one that was missed for
    ///     the first time may still be on its way.
    /// - Returns: The devices that are missed now and whose entries the log does not have.
    /// - Throws: ``Refusal`` with `needs_unlock`.
    func adopt(of account: Address, goneBefore: Set<Bytes32>) async throws -> Set<Bytes32> {
        let unlocked = try await keyring.unlockedVault(account)
        guard unlocked.signer != nil else { return [] }
        let missed = try store.read { try $0.unadopted(try unlocked.stored(in: $0), of: unlocked) }
        let due = Set(missed.map(\.device)).intersection(goneBefore)
        guard !due.isEmpty else { return Set(missed.map(\.device)) }
        try await store.write { transaction in
            guard try transaction.contains(AccountEntries.self, account) else { return }
            var vault = try unlocked.stored(in: transaction)
            let entries = try transaction.unadopted(vault, of: unlocked).filter {
                due.contains($0.device)
            }
            try Self.append(entries, to: &vault, of: unlocked, in: &transaction)
        }
        await exchanger.changed(of: account)
        signals.homes.send()
        return Set(missed.map(\.device)).subtracting(due)
    }

    /// Writes entries into the log of this node's device, and compacts it if that is due.
    private static func append(
        _ entries: [VaultEntry],
        to vault: inout StoredVault,
        of unlocked: UnlockedVault,
        in transaction: inout WriteTransaction
    ) throws {
        for part in vault.log.append(entries) {
            _ = try transaction.keepVault(unlocked.segment(part))
        }
        let gone = try transaction.goneDevices(vault.contents, of: unlocked)
        guard vault.log.isLong(vault.contents, adopting: gone) else { return }
        for part in vault.log.compact(vault.contents, adopting: gone) {
            _ = try transaction.keepVault(unlocked.segment(part))
        }
    }

    /// Adds entries to rewrite, so that the changes push out only removed ones.
    private static func keeping(_ changes: [Change], in contents: VaultContents) -> [Change] {
        let sections = Dictionary(grouping: changes, by: \.section)
        return changes
            + sections.flatMap { section, changes in
                contents.endangered(by: Set(changes.map(\.name)), in: section).map {
                    Change(section: section, name: $0.name, value: $0.value)
                }
            }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Entries of the account's former devices that no log of a present device has; one such entry
    /// is enough.
    func unadopted(_ vault: StoredVault, of unlocked: UnlockedVault) throws -> [VaultEntry] {
        let gone = try goneDevices(vault.contents, of: unlocked)
        guard !gone.isEmpty else { return [] }
        let present = Set(
            try devices(of: unlocked.account).map { DeviceCertificate.slot(of: $0.key) }
        ).union([unlocked.device])
        let adopted = vault.adopted.filter { present.contains($0.key) }.values
        return vault.contents.entries { entry in
            gone.contains(entry.device) && !adopted.contains { $0.contains(entry) }
        }
    }

    /// The devices named in a vault's entries that the account has not certified, or no longer
    /// certifies.
    func goneDevices(
        _ contents: VaultContents,
        of unlocked: UnlockedVault
    ) throws -> Set<Bytes32> {
        let certified = try devices(of: unlocked.account).map {
            DeviceCertificate.slot(of: $0.key)
        }
        return Set(contents.entries().map(\.device)).subtracting(certified)
            .subtracting([unlocked.device])
    }
}
