import Glibc

/// A lock that keeps a second process, or a second store in this process, out of a folder.
///
/// It locks an open file; the system releases it when the process ends in any way. The file holds
/// the id of the process. LMDB's own lock allows several processes, so it does not serve here.
final class FolderLock: Sendable {
    private let file: Int32

    init(folder: String) throws(StorageError) {
        let path = folder + "/stoa.lock"
        file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw systemError(errno, .open, folder: folder, file: path) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.process(in: file)
            close(file)
            throw .locked(folder: folder, process: holder)
        }
        let line = [UInt8]("\(getpid())\n".utf8)
        guard ftruncate(file, 0) == 0, unsafe pwrite(file, line, line.count, 0) == line.count
        else {
            let code = errno
            close(file)
            throw systemError(code, .open, folder: folder)
        }
    }

    /// Keeps writers out of a folder that this process cannot write.
    ///
    /// - Throws: ``StorageError/locked(folder:process:)`` if a process has it open,
    ///   ``StorageError/notReadable(folder:)``
    init(readOnly folder: String) throws(StorageError) {
        file = unsafe open(folder + "/stoa.lock", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            // Nobody has ever opened it: a copy has no lock yet.
            guard errno == ENOENT, unsafe access(folder, X_OK) == 0 else {
                throw .notReadable(folder: folder)
            }
            return
        }
        guard flock(file, LOCK_SH | LOCK_NB) == 0 else {
            let holder = Self.process(in: file)
            close(file)
            throw .locked(folder: folder, process: holder)
        }
    }

    deinit {
        if file >= 0 { close(file) }
    }

    private static func process(in file: Int32) -> Int32? {
        var line = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(file, &line, line.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: line[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }
}

/// Returns the error for a system call that failed on a file of the store.
func systemError(
    _ code: Int32,
    _ operation: StorageError.Operation,
    folder: String,
    file: String? = nil
) -> StorageError {
    switch code {
    case EACCES, EROFS, EPERM, ENOENT, ENOTDIR: .readOnly(folder: folder)
    case EISDIR: .notAFile(path: file ?? folder)
    case EAGAIN: .locked(folder: folder, process: nil)
    default: storageError(code, operation)
    }
}
