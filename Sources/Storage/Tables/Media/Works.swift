package import Keys
import Market

/// The digital works of this node's accounts, those they made and those they bought, sealed: where
/// the encrypted file is, and its key.
///
/// The account, then the SHA-256 of the file.
package enum Works: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "works"
}

/// Encrypted files that are given to whoever knows their ids, each with the account that it is of.
package enum SealedFiles: Table {
    package typealias Key = CompositeKey<Bytes32, Address>
    package typealias Value = EmptyValue
    package static let name = "sealed-files"
}

extension ReadableTransaction where Self: ~Copyable {
    /// Whether a file is an encrypted work of an account of this node.
    package func isSealedFile(_ id: Bytes32) throws -> Bool {
        try !keys(SealedFiles.self, .prefix(id), limit: 1).isEmpty
    }

    /// Whether a file is an encrypted work of the account.
    package func isSealedFile(_ id: Bytes32, of account: Address) throws -> Bool {
        try contains(SealedFiles.self, CompositeKey(id, account))
    }
}

extension WriteTransaction {
    /// Notes a work of an account; `sealed` says how to open it.
    package mutating func putWork(
        _ file: Bytes32,
        of account: Address,
        sealed: [UInt8],
        blob: Bytes32
    ) throws {
        try put(Works.self, CompositeKey(account, file), sealed)
        try put(SealedFiles.self, CompositeKey(blob, account), EmptyValue())
    }

    /// Forgets a work of an account.
    package mutating func removeWork(
        _ file: Bytes32,
        of account: Address,
        blob: Bytes32
    ) throws {
        try remove(Works.self, CompositeKey(account, file))
        try remove(SealedFiles.self, CompositeKey(blob, account))
    }

    /// Forgets all works of an account.
    mutating func removeWorks(of account: Address) throws {
        try remove(Works.self, .prefix(account))
        for key in try keys(SealedFiles.self, .all()) where key.second == account {
            try remove(SealedFiles.self, key)
        }
    }
}
