package import Concurrency
import Foundation
package import Keys
package import Market
import Metrics

/// The files of blobs: those that accounts of this node added, and a cache of other nodes' files.
///
/// Each blob is one file. Large or often-read data does not belong in LMDB, whose map and commits
/// would include every byte of it. A blob is stored once its file is on the disk under its final
/// name; the remains of an interrupted fetch are kept under another, and count as little as any
/// file that was not used for a while.
///
/// It has its own thread, so that a slow disk delays nothing else.
package actor BlobFiles {
    private nonisolated let executor = StoreExecutor(label: "blobs")
    private let folder: String
    private let limits: BlobLimits
    private let isPinned: @Sendable (Bytes32) throws -> Bool
    private let clock: any WallClock
    private var room: BlobRoom
    private var parts: [Bytes32: BlobPart] = [:]
    /// When each file's time was last renewed.
    private var renewals: [Bytes32: Timestamp] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens or creates the folder.
    ///
    /// `isPinned` says which blobs are never evicted; it is asked only if there is a lack of room.
    ///
    /// - Throws: ``StorageError``
    package init(
        folder: String,
        limits: BlobLimits,
        isPinned: @escaping @Sendable (Bytes32) throws -> Bool,
        clock: any WallClock = .system
    ) throws(StorageError) {
        (self.folder, self.limits, self.isPinned, self.clock) = (folder, limits, isPinned, clock)
        var room = BlobRoom(quotaBytes: limits.quotaBytes)
        for (name, storedBytes) in try Self.names(in: folder) {
            if let other = room.name(of: name.media.id) {
                _ = unsafe unlink(folder + "/" + other.text)
            }
            room.keep(name, storedBytes: storedBytes)
        }
        self.room = room
        Self.measure(room)
    }

    /// Bytes on the disk, and the number of blobs, incomplete ones included.
    package var usage: (bytes: Int, count: Int) { (room.usedBytes, room.count) }

    /// Returns the details of a blob that is stored whole.
    package func media(_ id: Bytes32) -> Media? {
        room.name(of: id).flatMap { $0.isWhole ? $0.media : nil }
    }

    /// Opens a blob that is stored whole, which counts as a use; `nil` if it is not.
    ///
    /// A file that does not lead to its id is removed.
    ///
    /// - Throws: ``StorageError``
    package func open(_ id: Bytes32) throws -> BlobFile? {
        guard let name = room.name(of: id), name.isWhole else { return nil }
        do {
            let file = try BlobFile(
                name,
                BlobDescriptor(path(name), folder: folder, creates: false, writes: false)
            )
            noteUse(of: name)
            return file
        } catch BlobFault.damaged {
            discard(id)
            return nil
        }
    }

    /// Removes a blob whose file was found damaged.
    package func discard(_ id: Bytes32) {
        guard let name = room.name(of: id), parts[id] == nil else { return }
        Counter(label: "stoa_blob_damaged").increment()
        remove(name)
    }

    /// Keeps a whole blob; durable when it returns.
    ///
    /// - Returns: The stored descriptor; the existing one if the file was already stored.
    /// - Throws: ``BlobFault/noRoom(quotaBytes:)``, ``BlobFault/busy``, ``StorageError``
    package func add(_ bytes: [UInt8], tree: BlobTree, form: Media.Form) throws -> Media {
        let id = tree.root
        let media = Media(id: id, byteCount: UInt64(bytes.count), form: form)
        guard let name = BlobName(media, isWhole: true) else {
            throw bytes.isEmpty
                ? BlobFault.empty : .tooLong(byteCountMax: Int(Media.byteCountMax))
        }
        // Read again rather than trusted: the account's only copy may be the one being added.
        if let held = try open(id), (try? held.bytes()) == bytes { return held.media }
        guard parts[id] == nil else { throw BlobFault.busy }
        try makeRoom(for: name)
        let draft = path(name) + ".new"
        do {
            let file = try BlobDescriptor(draft, folder: folder, creates: true, writes: true)
            try file.setLength(0)
            try file.write(bytes + tree.leaves.flatMap(\.bytes), at: 0)
            try file.flush()
            try rename(draft, to: name)
        } catch {
            _ = unsafe unlink(draft)
            throw error
        }
        if let old = room.name(of: id), old != name { _ = unsafe unlink(path(old)) }
        keep(name)
        return media
    }

    /// Begins or resumes the fetch of a blob, for which there is room; others are evicted as its
    /// chunks arrive.
    ///
    /// Call ``endFetch(of:)`` when no further chunks will arrive.
    ///
    /// - Returns: The missing chunks; none if the blob is stored whole.
    /// - Throws: ``BlobFault/noRoom(quotaBytes:)``, ``BlobFault/busy``, ``StorageError``
    package func beginFetch(of media: Media) throws -> [Int] {
        guard self.media(media.id) == nil else { return [] }
        guard parts[media.id] == nil else { throw BlobFault.busy }
        guard let new = BlobName(media, isWhole: false) else {
            throw BlobFault.tooLong(byteCountMax: Int(Media.byteCountMax))
        }
        let old = room.name(of: media.id)
        // The form does not belong to the fetched content.
        let name = old.flatMap { $0.media.byteCount == media.byteCount ? $0 : nil } ?? new
        _ = try evictions(for: name)
        if let old, old != name { remove(old) }
        let part = try BlobPart(
            name,
            BlobDescriptor(path(name), folder: folder, creates: true, writes: true)
        )
        keep(name, storedBytes: part.storedBytes, isFetched: true)
        parts[media.id] = part
        return part.missing
    }

    /// The length of a blob that has arrived in part; `nil` if there is none.
    package func begunByteCount(of id: Bytes32) -> UInt64? {
        room.name(of: id).flatMap { $0.isWhole ? nil : $0.media.byteCount }
    }

    /// Keeps a chunk of a blob that is being fetched; the caller has checked it against the id.
    ///
    /// - Throws: ``StorageError``, ``BlobFault/noRoom(quotaBytes:)``
    package func put(_ chunk: [UInt8], at index: Int, of id: Bytes32) throws {
        guard let part = parts[id] else { return }
        try part.put(chunk, at: index)
        room.note(storedBytes: part.storedBytes, of: id)
        evict(try found(room.surplus(isPinned: isPinned)))
        Self.measure(room)
    }

    /// Ends the fetch of a blob; its chunks are kept for the next.
    ///
    /// - Returns: Whether the whole blob is stored now; if so, it is durable.
    /// - Throws: ``BlobFault/damaged``, ``StorageError``
    package func endFetch(of id: Bytes32) throws -> Bool {
        guard let part = parts.removeValue(forKey: id), let partName = room.name(of: id) else {
            return media(id) != nil
        }
        room.endFetch(of: id)
        guard part.missing.isEmpty else {
            if part.isEmpty { remove(partName) }
            return false
        }
        guard part.isWhole, let name = BlobName(part.media, isWhole: true) else {
            remove(partName)
            throw BlobFault.damaged
        }
        try part.flush()
        try rename(path(partName), to: name)
        keep(name)
        return true
    }

    private func makeRoom(for name: BlobName) throws { evict(try evictions(for: name)) }

    private func evictions(for name: BlobName) throws -> [BlobName] {
        try found(room.evictions(for: name.fileBytes, of: name.media.id, isPinned: isPinned))
    }

    /// Returns the blobs that can be removed; throws if they are not enough.
    private func found(_ evictions: [BlobName]?) throws(BlobFault) -> [BlobName] {
        guard let evictions else {
            Counter(label: "stoa_blob_without_room").increment()
            throw .noRoom(quotaBytes: limits.quotaBytes)
        }
        return evictions
    }

    private func evict(_ names: [BlobName]) {
        for name in names {
            Counter(label: "stoa_blob_evicted").increment()
            remove(name)
        }
    }

    private func keep(_ name: BlobName, storedBytes: Int? = nil, isFetched: Bool = false) {
        room.keep(name, storedBytes: storedBytes, isFetched: isFetched)
        renewals[name.media.id] = now
        Self.measure(room)
    }

    private func remove(_ name: BlobName) {
        _ = unsafe unlink(path(name))
        room.forget(name.media.id)
        renewals[name.media.id] = nil
        Self.measure(room)
    }

    private static func measure(_ room: BlobRoom) {
        Gauge(label: "stoa_blob_bytes").record(room.usedBytes)
        Gauge(label: "stoa_blob_files").record(room.count)
    }

    /// Gives a draft its final name, durably.
    private func rename(_ draft: String, to name: BlobName) throws(StorageError) {
        guard unsafe Foundation.rename(draft, path(name)) == 0 else {
            throw systemError(errno, .commit, folder: folder)
        }
        try BlobDescriptor(folder, folder: folder, creates: false, writes: false).flush()
    }

    /// Records a use, now and then also on the disk, so that the order outlives a restart.
    private func noteUse(of name: BlobName) {
        let id = name.media.id
        room.noteUse(of: id)
        let now = now
        if let last = renewals[id], now < last.advanced(by: limits.renewal), last <= now { return }
        renewals[id] = now
        var times = [timespec(now), timespec(now)]
        // A time that cannot be written is only a use forgotten at the next start.
        _ = unsafe utimensat(AT_FDCWD, path(name), &times, 0)
    }

    private var now: Timestamp {
        Timestamp(milliseconds: UInt64(clamping: clock.unixSeconds) * 1_000)
    }

    private func path(_ name: BlobName) -> String { folder + "/" + name.text }

    /// Returns the names of the blobs in a folder, the longest unused first; creates the folder.
    ///
    /// Drafts of interrupted writes are removed; other files are left alone.
    private static func names(
        in folder: String
    ) throws(StorageError) -> [(name: BlobName, storedBytes: Int)] {
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw systemError(errno, .open, folder: folder)
        }
        guard let texts = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw systemError(EACCES, .open, folder: folder)
        }
        var found: [(name: BlobName, storedBytes: Int, usedAt: Double)] = []
        for text in texts {
            let path = folder + "/" + text
            if text.hasSuffix(".new"), BlobName(text: String(text.dropLast(4))) != nil {
                _ = unsafe unlink(path)
            }
            var status = stat()
            guard let name = BlobName(text: text), unsafe lstat(path, &status) == 0 else {
                continue
            }
            let time = status.st_mtim
            // For an incomplete one its bytes on the disk, which are counted in blocks of 512
            // bytes.
            let onDisk = min(name.fileBytes, Int(status.st_blocks) * 512)
            let stored = name.isWhole ? name.fileBytes : onDisk
            found.append((name, stored, Double(time.tv_sec) + Double(time.tv_nsec) / 1e9))
        }
        // A whole blob comes last, so that it replaces the remains of a fetch of the same blob.
        return found.sorted {
            ($0.name.isWhole ? 1 : 0, $0.usedAt, $0.name.text)
                < ($1.name.isWhole ? 1 : 0, $1.usedAt, $1.name.text)
        }.map { ($0.name, $0.storedBytes) }
    }
}

extension timespec {
    fileprivate init(_ time: Timestamp) {
        self.init(
            tv_sec: Int(time.milliseconds / 1_000),
            tv_nsec: Int(time.milliseconds % 1_000) * 1_000_000
        )
    }
}
