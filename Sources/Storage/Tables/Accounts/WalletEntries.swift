package import Keys

/// The final movements of an account's money, by account, chain, block and position in the block.
package enum WalletEntries: Table {
    package typealias Key = CompositeKey<
        CompositeKey<Address, UInt64>, CompositeKey<UInt64, UInt64>
    >
    package typealias Value = [UInt8]
    package static let name = "wallet-entries"
}

/// How far the movements of an account's money have been read, by account and chain.
package enum WalletPlaces: Table {
    package typealias Key = CompositeKey<Address, UInt64>
    package typealias Value = [UInt8]
    package static let name = "wallet-places"
}

extension WriteTransaction {
    /// Adds movements of an account's money, and notes how far they have been read.
    ///
    /// Of more than ``Limits/walletEntriesMax`` the oldest are forgotten.
    ///
    /// - Parameters:
    ///   - entries: The movements, each with its block and its position in the block.
    ///   - place: How far they have been read, in the caller's form.
    ///   - account: The account and its chain.
    /// - Throws: `StorageError`.
    package mutating func putWallet(
        _ entries: [(block: UInt64, index: UInt64, bytes: [UInt8])],
        upTo place: [UInt8],
        of account: CompositeKey<Address, UInt64>
    ) throws {
        for entry in entries {
            let key = CompositeKey(account, CompositeKey(entry.block, entry.index))
            try put(WalletEntries.self, key, entry.bytes)
        }
        try put(WalletPlaces.self, account, place)
        guard !entries.isEmpty else { return }
        let count = try keys(WalletEntries.self, .prefix(account)).count
        let excess = count - limits.walletEntriesMax
        guard excess > 0 else { return }
        for key in try keys(WalletEntries.self, .prefix(account), limit: excess) {
            try remove(WalletEntries.self, key)
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns movements of an account's money, the newest first.
    ///
    /// - Parameters:
    ///   - account: The account and its chain.
    ///   - place: The block and position after which the page begins; `nil` for the newest.
    ///   - limit: The maximum number of them.
    /// - Returns: The movements with their blocks and positions.
    /// - Throws: `StorageError`.
    package func wallet(
        of account: CompositeKey<Address, UInt64>,
        after place: (block: UInt64, index: UInt64)?,
        limit: Int
    ) throws -> [(block: UInt64, index: UInt64, bytes: [UInt8])] {
        let last = place.map { CompositeKey(account, CompositeKey($0.block, $0.index)) }
        return try entries(
            WalletEntries.self,
            .prefix(account, .descending).beyond(last),
            limit: limit
        ).map { ($0.key.second.first, $0.key.second.second, $0.value) }
    }
}
