import Crypto
import Foundation
package import Keys
import Market
package import Setup

/// The moves that an account has left to the node, with its key, sealed under the node's.
struct UnattendedEntry: Codable, Equatable, Sendable {
    let address: String
    let moves: [String]
    var until: Date
    /// The hash of the keystore at that time: another password makes another keystore.
    let keystore: String
    let sealedKey: Data

    var allowed: Set<UnattendedMove> { Set(moves.compactMap(UnattendedMove.init(rawValue:))) }
}

/// The sealed keys of accounts that are left alone: a file of mode 0600 for each, in a folder of
/// the data folder.
///
/// They are in no store, so that a key that is removed does not stay in its free pages, and in no
/// backup.
///
/// Source: Docs/operations.md, section 3.6.
package struct UnattendedKeys: Sendable {
    private let folder: DataFolder
    private let seal: LocalSeal

    /// - Parameters:
    ///   - folder: The node's data folder.
    ///   - nodeKey: The node's own key, from which the sealing key is derived.
    package init(in folder: DataFolder, under nodeKey: PrivateKey) {
        self.folder = folder
        seal = LocalSeal(nodeKey.derivedSecret("stoa unattended keys"))
    }

    /// Seals a key, and keeps it; durable when it returns.
    ///
    /// - Throws: `DataFolderError`
    func keep(
        _ key: PrivateKey,
        of address: Address,
        for moves: Set<UnattendedMove>,
        until: Date,
        keystore: [UInt8]
    ) throws -> UnattendedEntry {
        let names = UnattendedMove.allCases.filter(moves.contains).map(\.rawValue)
        let hash = Self.hash(keystore)
        let secret = unsafe key.withBytes { unsafe SecretBytes(copying: $0) }
        let entry = UnattendedEntry(
            address: address.checksummed,
            moves: names,
            until: until,
            keystore: hash,
            sealedKey: Data(
                try seal.seal(secret, for: .unattended(address.checksummed, names, until, hash))
            )
        )
        try folder.keepUnattended(JSONEncoder().encode(entry), as: Self.name(of: address))
        return entry
    }

    /// Opens the key of an entry; `nil` if something in it was changed, or another node sealed it.
    func key(of entry: UnattendedEntry) -> UnattendedKey? {
        let place = LocalSeal.Context.unattended(
            entry.address,
            entry.moves,
            entry.until,
            entry.keystore
        )
        guard let secret = try? seal.openSecret([UInt8](entry.sealedKey), for: place),
            let key = PrivateKey(secret)
        else { return nil }
        return UnattendedKey(key, for: entry.allowed)
    }

    /// Removes an account's key; it stays removed after a crash once this returns.
    ///
    /// - Throws: `DataFolderError`
    func remove(_ address: Address) throws { try folder.removeUnattended(Self.name(of: address)) }

    /// Returns the entries whose seal holds, and the names of the files with any other content.
    ///
    /// So nothing is shown as allowed that the key would not sign. An entry in another's file is
    /// damaged too: removing the account's key would leave it.
    func all() -> (entries: [Address: UnattendedEntry], damaged: [String]) {
        var entries: [Address: UnattendedEntry] = [:]
        var damaged: [String] = []
        for (name, text) in folder.unattended().sorted(by: { $0.key < $1.key }) {
            guard let entry = try? JSONDecoder().decode(UnattendedEntry.self, from: text),
                let address = try? Address(text: entry.address), name == Self.name(of: address),
                key(of: entry) != nil
            else {
                damaged.append(name)
                continue
            }
            entries[address] = entry
        }
        return (entries, damaged)
    }

    static func hash(_ keystore: [UInt8]) -> String { Keccak256.hash(keystore).hex }

    static func name(of address: Address) -> String { "\(address.checksummed).json" }
}

extension LocalSeal.Context {
    fileprivate static func unattended(
        _ address: String,
        _ moves: [String],
        _ until: Date,
        _ keystore: String
    ) -> Self {
        let moves = moves.joined(separator: ",")
        let end = until.timeIntervalSince1970
        return Self(bytes: Array("unattended \(address) \(moves) \(end) \(keystore)".utf8))
    }
}

extension PrivateKey {
    /// Returns 32 bytes that only this key yields, for one purpose.
    ///
    /// Source: RFC 5869.
    func derivedSecret(_ purpose: String) -> SecretBytes {
        let material = unsafe withBytes { unsafe SymmetricKey(data: $0) }
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            info: Array(purpose.utf8),
            outputByteCount: 32
        )
        return unsafe derived.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
    }
}
