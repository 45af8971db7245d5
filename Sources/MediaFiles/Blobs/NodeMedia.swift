package import Keys
import Logging
package import Market
import Storage

/// The files of this node's accounts, and other accounts' files that records name.
package struct NodeMedia: MediaBlobs {
    private let store: Store
    private let files: BlobFiles
    private let limits: BlobLimits
    private let fetches: BlobFetches

    init(store: Store, files: BlobFiles, limits: BlobLimits, fetches: BlobFetches) {
        (self.store, self.files, self.limits, self.fetches) = (store, files, limits, fetches)
    }

    package func add(_ bytes: [UInt8], form: Media.Form, by account: Address) async throws -> Media
    {
        guard !bytes.isEmpty else { throw BlobFault.empty }
        guard let tree = await Self.tree(of: bytes) else {
            throw BlobFault.tooLong(byteCountMax: Int(Media.byteCountMax))
        }
        let media = Media(id: tree.root, byteCount: UInt64(bytes.count), form: form)
        // Pinned first, so that the file cannot be evicted once it is there.
        let isNew = try await store.add { [limits] transaction in
            try transaction.pin(media, for: account, bytesMax: limits.accountBytesMax)
        }
        do {
            return try await files.add(bytes, tree: tree, form: form)
        } catch {
            if isNew { try await store.write { try $0.unpin(media.id, for: account) } }
            throw error
        }
    }

    func added(by account: Address, after id: Bytes32?, limit: Int) async throws -> [AddedBlob] {
        let found = try store.read { transaction in
            try transaction.mediaAdded(by: account, after: id, limit: limit).map { id, byteCount in
                (id, byteCount, isNamed: try transaction.isMediaNamed(id, by: account))
            }
        }
        var added: [AddedBlob] = []
        for (id, byteCount, isNamed) in found {
            let form = await files.media(id)?.form
            added.append(AddedBlob(id: id, byteCount: byteCount, isNamed: isNamed, form: form))
        }
        return added
    }

    func release(_ id: Bytes32, by account: Address) async throws -> BlobRelease {
        guard await files.media(id)?.form != .sealed else { return .work }
        return try await store.write { transaction in
            guard try transaction.isMediaAdded(id, by: account) else { return .unknown }
            guard try !transaction.isMediaNamed(id, by: account) else { return .named }
            try transaction.unpin(id, for: account)
            return .released
        }
    }

    package func media(_ id: Bytes32) async throws -> Media? { await files.media(id) }

    func isNamed(_ id: Bytes32) async throws -> Bool {
        try store.read { try $0.isMediaNamed(id) }
    }

    func file(_ id: Bytes32) async throws -> (media: Media, bytes: [UInt8])? {
        if let held = try await held(id) { return held }
        guard try await fetches.fetch(id) else { return nil }
        return try await held(id)
    }

    /// Returns a picture that an account has added; `nil` if it has added none of this id.
    package func picture(_ id: Bytes32, addedBy account: Address) async throws -> [UInt8]? {
        guard try store.read({ try $0.isMediaAdded(id, by: account) }),
            let held = try await held(id), held.media.form.isImage
        else { return nil }
        return held.bytes
    }

    /// Returns an encrypted file, from here or from a peer, and keeps it for an account.
    ///
    /// - Returns: The file, and whether it was not kept for the account before; `nil` if no peer
    ///   gives it now.
    /// - Throws: ``BlobFault`` if there is no room for it; ``StorageError``; `CancellationError`.
    package func sealed(
        _ media: Media,
        for account: Address
    ) async throws -> (bytes: [UInt8], isNew: Bool)? {
        // Pinned first, so that it cannot be evicted once it is there.
        let isNew = try await store.add { [limits] transaction in
            try transaction.pin(media, for: account, bytesMax: limits.accountBytesMax)
        }
        do {
            if await files.media(media.id) == nil, try await !fetches.fetch(sealed: media) {
                if isNew { try await releaseSealed(media.id, by: account) }
                return nil
            }
            // It may be stored under a length other than the seller's, or be a picture of the
            // account's own that the seller names.
            guard let held = try await held(media.id), held.media.byteCount == media.byteCount,
                held.media.form == media.form
            else {
                if isNew { try await releaseSealed(media.id, by: account) }
                return nil
            }
            return (held.bytes, isNew)
        } catch {
            if isNew { try await releaseSealed(media.id, by: account) }
            throw error
        }
    }

    /// Keeps an encrypted file no longer for an account, unless it is a work of the account or
    /// belongs to one of its conversations.
    package func releaseSealed(_ id: Bytes32, by account: Address) async throws {
        try await store.write { transaction in
            guard try !transaction.isSealedFile(id, of: account) else { return }
            try transaction.unpin(id, for: account)
        }
    }

    /// Reads a file that is stored whole; removes it, and returns `nil`, if it is damaged.
    private func held(_ id: Bytes32) async throws -> (media: Media, bytes: [UInt8])? {
        guard let file = try await files.open(id) else { return nil }
        do {
            return (file.media, try await Self.bytes(of: file))
        } catch BlobFault.damaged {
            await files.discard(id)
            return nil
        }
    }

    @concurrent
    private static func tree(of bytes: [UInt8]) async -> BlobTree? { BlobTree(of: bytes) }

    @concurrent
    private static func bytes(of file: BlobFile) async throws -> [UInt8] { try file.bytes() }
}
