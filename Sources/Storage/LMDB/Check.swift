import CLMDB
import Glibc

/// Throws the ``StorageError`` for a code of LMDB, unless the code means success.
func check(_ code: Int32, _ operation: StorageError.Operation) throws(StorageError) {
    if code != MDB_SUCCESS { throw storageError(code, operation) }
}

/// Returns the error for a code of LMDB, or of the system below it.
///
/// LMDB reports a short write as `EIO`. Its usual cause is a full disk or quota, so `EIO` at a
/// commit becomes ``StorageError/diskFull(_:)``.
func storageError(_ code: Int32, _ operation: StorageError.Operation) -> StorageError {
    switch code {
    case MDB_MAP_FULL: .mapFull(operation)
    case MDB_READERS_FULL: .tooManyReaders(max: Environment.readersMax)
    case MDB_BAD_VALSIZE: .keyTooLong(byteCountMax: Environment.keyByteCountMax)
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_VERSION_MISMATCH, MDB_INCOMPATIBLE:
        .corrupt(.page(operation, code: code))
    case ENOSPC, EDQUOT, EFBIG: .diskFull(operation)
    case EIO where operation == .commit: .diskFull(operation)
    case ENOMEM: .noMemory(operation)
    case EMFILE, ENFILE: .tooManyFiles(operation)
    case EIO: .diskFailed(operation, code: code)
    case MDB_PANIC: .stopped
    default: .refused(operation, code: code)
    }
}
