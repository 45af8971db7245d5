import Keys
import Market
import Storage

/// The key of an account's vault while the account is signed in.
struct UnlockedVault: Sendable {
    let account: Address
    let network: String
    let key: VaultKey
    /// The device that writes here.
    let device: Bytes32
    /// The device's key; `nil` if the vault stays on this node.
    let signer: PrivateKey?
}

/// A vault as it is stored on this node.
struct StoredVault: Sendable {
    var contents = VaultContents()
    /// The log of this node's device.
    var log: VaultLog
    /// Entries of logs about other devices than their own, by the device of the log.
    var adopted: [Bytes32: Set<VaultEntry>] = [:]
    /// Segments under another key, changed ones, and those of later versions.
    var refusedCount = 0
}

extension UnlockedVault {
    /// Opens and merges all segments of the vault that are stored here.
    func stored(
        in transaction: borrowing some ReadableTransaction & ~Copyable
    ) throws -> StoredVault {
        var vault = StoredVault(log: VaultLog(device: device))
        var entries: [VaultEntry] = []
        var (last, base): (UInt64, UInt64) = (0, 1)
        try transaction.scan(VaultSegments.self, .prefix(account)) { place, bytes in
            let isOwn = place.first.second == device
            if isOwn { last = max(last, place.second) }
            do throws(VaultFault) {
                let segment = try VaultSegment(bytes)
                guard segment.place == place else { throw .notOpened }
                let opened = try segment.open(with: key, network: network)
                entries += opened
                let log = place.first.second
                let others = opened.filter { $0.device != log }
                if !others.isEmpty { vault.adopted[log, default: []].formUnion(others) }
                if isOwn { base = max(base, segment.base) }
            } catch {
                vault.refusedCount += 1
            }
            return true
        }
        vault.contents.merge(entries)
        vault.log = VaultLog(device: device, last: last, base: base)
        return vault
    }

    /// Returns a part of the device's own log, sealed and signed.
    func segment(_ part: VaultLog.Part) -> VaultSegment {
        VaultSegment(part, of: account, network: network, key: key, signer: signer)
    }
}
