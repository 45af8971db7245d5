package import Keys
package import Market

/// Files that are never evicted, each with the accounts that pin it: local accounts that added it,
/// and guests.
enum MediaPins: Table {
    typealias Key = CompositeKey<Bytes32, Address>
    typealias Value = EmptyValue
    static let name = "media-pins"
}

/// The files that are kept for an account, with their lengths.
enum MediaOfAccounts: Table {
    typealias Key = CompositeKey<Address, Bytes32>
    typealias Value = UInt64
    static let name = "media-of-accounts"
}

extension ReadableTransaction where Self: ~Copyable {
    /// Whether the file is kept for an account.
    package func isMediaPinned(_ id: Bytes32) throws -> Bool {
        try !keys(MediaPins.self, .prefix(id), limit: 1).isEmpty
    }

    /// Returns how many bytes the files take that an account added.
    package func pinnedBytes(of account: Address) throws -> UInt64 {
        try entries(MediaOfAccounts.self, .prefix(account)).reduce(0) {
            $0 + BlobLimits.room(for: $1.value)
        }
    }

    /// Returns files that an account added, by id, after one of them, with their lengths.
    package func mediaAdded(
        by account: Address,
        after id: Bytes32?,
        limit: Int
    ) throws -> [(id: Bytes32, byteCount: UInt64)] {
        let place = id.map { CompositeKey(account, $0) }
        return try entries(
            MediaOfAccounts.self,
            .prefix(account).beyond(place),
            limit: limit
        ).map { ($0.key.second, $0.value) }
    }

    /// Whether an account added the file.
    package func isMediaAdded(_ id: Bytes32, by account: Address) throws -> Bool {
        try contains(MediaOfAccounts.self, CompositeKey(account, id))
    }
}

extension WriteTransaction {
    /// Pins a file for an account.
    ///
    /// - Returns: Whether it was not pinned for the account before.
    /// - Throws: ``BlobFault/accountFull(bytesMax:)``
    package mutating func pin(
        _ media: Media,
        for account: Address,
        bytesMax: Int
    ) throws -> Bool {
        guard try !contains(MediaOfAccounts.self, CompositeKey(account, media.id)) else {
            return false
        }
        let room = BlobLimits.room(for: media.byteCount)
        guard try pinnedBytes(of: account) + room <= UInt64(clamping: bytesMax) else {
            throw BlobFault.accountFull(bytesMax: bytesMax)
        }
        try put(MediaOfAccounts.self, CompositeKey(account, media.id), media.byteCount)
        try put(MediaPins.self, CompositeKey(media.id, account), EmptyValue())
        return true
    }

    /// Releases a file that an account added.
    package mutating func unpin(_ id: Bytes32, for account: Address) throws {
        try remove(MediaOfAccounts.self, CompositeKey(account, id))
        try remove(MediaPins.self, CompositeKey(id, account))
    }

    /// Releases all files that an account added.
    mutating func unpinMedia(of account: Address) throws {
        for key in try keys(MediaOfAccounts.self, .prefix(account)) {
            try unpin(key.second, for: account)
        }
    }
}
