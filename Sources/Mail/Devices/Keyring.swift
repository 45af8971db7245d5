import AccountAccess
import Answers
import Client
import Keys
import Storage

/// The keys of accounts while they are signed in: of the account, its device here, and its vault.
struct Keyring: Sendable {
    let store: Store
    let accounts: Accounts
    let network: String

    /// Returns the keys with which the account writes and reads.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock` while the account is locked, `signs_elsewhere` if
    ///   its key is not on this node.
    func unlockedAccount(_ account: Address) async throws -> UnlockedAccount {
        guard let key = await accounts.key(of: account),
            let secret = await accounts.localSecret(of: account)
        else {
            guard try await accounts.signsElsewhere(account) else { throw Refusal.locked(account) }
            throw Refusal(.signsElsewhere, Sentence("refusal.messagesElsewhere"))
        }
        return try await unlocked(account, .signedIn(key), secret)
    }

    /// Returns the keys with which the account's works are delivered: of its session, or what it
    /// has left to the node.
    ///
    /// - Throws: As ``unlockedAccount(_:)``.
    func courier(of account: Address) async throws -> UnlockedAccount {
        if await accounts.key(of: account) == nil,
            let key = try await accounts.unattended.key(of: account),
            let secret = key.deliverySecret
        {
            return try await unlocked(account, .leftAlone(key), secret)
        }
        return try await unlockedAccount(account)
    }

    private func unlocked(
        _ account: Address,
        _ signer: UnlockedAccount.Signer,
        _ secret: SecretBytes
    ) async throws -> UnlockedAccount {
        let seal = LocalSeal(secret)
        let devices = try await storedDevices(of: account, seal)
        return UnlockedAccount(
            account: account,
            signer: signer,
            device: try Self.deviceKey(devices.current, seal),
            seal: seal,
            former: try devices.former.map { try Self.deviceKey($0, seal) }
        )
    }

    /// Returns the sealed keys of the account's devices on this node, and creates one at first use
    /// and after the store was restored.
    private func storedDevices(
        of account: Address,
        _ seal: LocalSeal
    ) async throws -> StoredDevices {
        if let kept = try store.read({ try $0.storedDevices(of: account) }) { return kept }
        let fresh = PrivateKey.random()
        let secret = unsafe fresh.withBytes { unsafe SecretBytes(copying: $0) }
        let sealed = try seal.seal(secret, for: .device)
        return try await store.write { try $0.putDevice(sealed, of: account) }
    }

    private static func deviceKey(_ sealed: [UInt8], _ seal: LocalSeal) throws -> PrivateKey {
        guard let key = PrivateKey(try seal.openSecret(sealed, for: .device)) else {
            throw StorageError.corrupt(.value(table: Settings.name))
        }
        return key
    }

    /// Returns the key of the account's vault.
    ///
    /// The key of an account that signs elsewhere is random, and made here at first use.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock` while the account is locked.
    func unlockedVault(_ account: Address) async throws -> UnlockedVault {
        if await accounts.key(of: account) != nil {
            let unlocked = try await unlockedAccount(account)
            return UnlockedVault(
                account: account,
                network: network,
                key: try VaultKey(of: unlocked.key),
                device: unlocked.slot,
                signer: unlocked.device
            )
        }
        guard let secret = await accounts.localSecret(of: account) else {
            throw Refusal.locked(account)
        }
        let seal = LocalSeal(secret)
        return UnlockedVault(
            account: account,
            network: network,
            key: try await randomVaultKey(of: account, seal),
            device: seal.digest([], for: .vaultKey),
            signer: nil
        )
    }

    /// Returns the random key of the account's vault, which a setting of the account contains
    /// sealed.
    private func randomVaultKey(of account: Address, _ seal: LocalSeal) async throws -> VaultKey {
        let name = Settings.key("vault-key", of: account)
        var sealed = try store.read { try $0.get(Settings.self, name) }
        if sealed == nil {
            let fresh = try seal.seal(SecretBytes.random(count: VaultKey.byteCount), for: .vaultKey)
            sealed = try await store.write { transaction in
                if let kept = try transaction.get(Settings.self, name) { return kept }
                try transaction.put(Settings.self, name, fresh)
                return fresh
            }
        }
        guard let sealed, let key = VaultKey(try seal.openSecret(sealed, for: .vaultKey)) else {
            throw StorageError.corrupt(.value(table: Settings.name))
        }
        return key
    }
}
