import CLMDB
import Glibc

/// A whole copy of a store as of one moment, also of one that another process is writing to.
@safe
package enum StoreCopy {
    /// Copies the store in `folder` into `target`, which must exist and be empty, without its
    /// free pages; durable when this returns.
    ///
    /// Not for a folder that this process itself has open, of which LMDB allows one at a time.
    ///
    /// - Throws: ``StorageError``
    package static func make(of folder: String, in target: String) throws(StorageError) {
        let lock = try lockUnlessInUse(folder)
        defer { withExtendedLifetime(lock) {} }
        // A process that has the folder open has looked already, and may be growing the file.
        if lock != nil { try DataFile.checkLength(folder: folder) }
        try copy(folder, to: target)
        try makeDurable(target + "/data.mdb", folder: target)
        try makeDurable(target, folder: target)
    }

    private static func lockUnlessInUse(_ folder: String) throws(StorageError) -> FolderLock? {
        do {
            return try FolderLock(folder: folder)
        } catch .locked {
            return nil
        }
    }

    private static func copy(_ folder: String, to target: String) throws(StorageError) {
        var pointer: OpaquePointer?
        try check(unsafe mdb_env_create(&pointer), .open)
        let environment = try unsafe unwrapped(pointer, .open)
        defer { unsafe mdb_env_close(environment) }
        let flags = UInt32(MDB_RDONLY | MDB_NOTLS)
        let opened = unsafe mdb_env_open(environment, folder, flags, 0o600)
        if opened != MDB_SUCCESS { throw systemError(opened, .open, folder: folder) }
        let copied = unsafe mdb_env_copy2(environment, target, UInt32(MDB_CP_COMPACT))
        if copied != MDB_SUCCESS { throw systemError(copied, .copy, folder: target) }
        // LMDB lets others read what it copies.
        if unsafe chmod(target + "/data.mdb", 0o600) != 0 {
            throw systemError(errno, .copy, folder: target)
        }
    }

    private static func makeDurable(_ path: String, folder: String) throws(StorageError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw systemError(errno, .copy, folder: folder) }
        defer { close(file) }
        if fsync(file) != 0 { throw systemError(errno, .copy, folder: folder) }
    }
}
