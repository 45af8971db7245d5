import Glibc

/// LMDB's table of readers, `lock.mdb`, which it maps into memory like the data.
///
/// Source: LMDB 0.9.24, `mdb.c`: `mdb_env_setup_locks`, `MDB_reader`, `MDB_txninfo`.
enum ReaderTable {
    private static let byteCount = (Environment.readersMax - 1) * 64 + 192

    /// Allocates the blocks of the file before LMDB maps it: on a full disk, the first access to a
    /// hole in it would end the process with SIGBUS.
    ///
    /// A file that is not empty keeps its length, because another process may have mapped it.
    ///
    /// - Throws: ``StorageError``: the system's error for the file.
    static func allocate(folder: String) throws(StorageError) {
        let path = folder + "/lock.mdb"
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw systemError(errno, .open, folder: folder, file: path) }
        defer { close(file) }
        let length = lseek(file, 0, SEEK_END)
        let code = posix_fallocate(file, 0, length > 0 ? length : off_t(byteCount))
        guard code == 0 else { throw systemError(code, .open, folder: folder, file: path) }
    }
}
