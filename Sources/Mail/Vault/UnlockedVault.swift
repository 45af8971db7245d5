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
    /// Whether segments of the device are not signed that must be.
    var isUnsigned = false
}

extension ReadableTransaction where Self: ~Copyable {
    /// Opens and merges all segments of a vault that are stored here.
    func vault(_ unlocked: UnlockedVault) throws -> StoredVault {
        var vault = StoredVault(log: VaultLog(device: unlocked.device))
        var entries: [VaultEntry] = []
        var (last, base): (UInt64, UInt64) = (0, 1)
        try scan(VaultSegments.self, .prefix(unlocked.account)) { key, bytes in
            let isOwn = key.first.second == unlocked.device
            if isOwn { last = max(last, key.second) }
            do throws(VaultFault) {
                let segment = try VaultSegment(bytes)
                guard segment.place == key else { throw .notOpened }
                let opened = try segment.open(with: unlocked.key, network: unlocked.network)
                entries += opened
                let log = key.first.second
                let others = opened.filter { $0.device != log }
                if !others.isEmpty { vault.adopted[log, default: []].formUnion(others) }
                if isOwn {
                    base = max(base, segment.base)
                    let isSigned = segment.bytes.first == VaultSegment.signedVersion
                    if unlocked.signer != nil, !isSigned { vault.isUnsigned = true }
                }
            } catch {
                vault.refusedCount += 1
            }
            return true
        }
        vault.contents.merge(entries)
        vault.log = VaultLog(device: unlocked.device, last: last, base: base)
        return vault
    }
}

extension WriteTransaction {
    /// Seals and stores parts of the device's own log, and removes the segments that they replace.
    mutating func putVault(_ parts: [VaultLog.Part], of unlocked: UnlockedVault) throws {
        for part in parts {
            let segment = VaultSegment(
                part,
                of: unlocked.account,
                network: unlocked.network,
                key: unlocked.key,
                signer: unlocked.signer
            )
            _ = try keepVault(segment)
        }
    }
}
