import CLMDB
import Glibc

/// Copies a store as of one moment, even while another process writes to it.
@safe
package enum StoreCopy {
    /// Copies the store in `folder`, without its free pages, into `target`.
    ///
    /// The folder `target` must exist and be empty. The copy is durable when this returns. Do not
    /// copy a folder that this process itself has open: LMDB allows only one environment of a
    /// folder in a process.
    ///
    /// - Throws: ``StorageError``
    package static func make(of folder: String, in target: String) throws(StorageError) {
        do {
            let lock = try lockUnlessInUse(folder)
            defer { withExtendedLifetime(lock) {} }
            // A process that has the folder open has checked the file already, and may be growing
            // it.
            if lock != nil {
                try DataFile.checkLength(folder: folder)
                try ReaderTable.allocate(folder: folder)
            }
            try copy(folder, to: target)
        } catch .readOnly(folder: folder) {
            try copyReadOnly(folder, to: target)
        }
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

    /// Copies a store that this process cannot write, such as a backup on a disk for reading.
    ///
    /// LMDB registers readers in a file of the folder, without which a writing process would
    /// overwrite the pages being copied. So there must be none.
    private static func copyReadOnly(_ folder: String, to target: String) throws(StorageError) {
        let lock = try FolderLock(readOnly: folder)
        defer { withExtendedLifetime(lock) {} }
        try DataFile.checkLength(folder: folder, isReadOnly: true)
        try copy(folder, to: target, flags: MDB_NOLOCK)
    }

    private static func copy(
        _ folder: String,
        to target: String,
        flags more: Int32 = 0
    ) throws(StorageError) {
        var pointer: OpaquePointer?
        try check(unsafe mdb_env_create(&pointer), .open)
        let environment = try unsafe unwrapped(pointer, .open)
        defer { unsafe mdb_env_close(environment) }
        let flags = UInt32(MDB_RDONLY | MDB_NOTLS | more)
        let opened = unsafe mdb_env_open(environment, folder, flags, 0o600)
        if opened != MDB_SUCCESS { throw systemError(opened, .open, folder: folder) }
        let copied = unsafe mdb_env_copy2(environment, target, UInt32(MDB_CP_COMPACT))
        if copied != MDB_SUCCESS { throw systemError(copied, .copy, folder: target) }
        // LMDB creates a copy that other users can read.
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
