import CLMDB
import Glibc

/// Turns LMDB's answer into our error; says nothing where it is success.
func check(_ code: Int32, _ operation: StorageError.Operation) throws(StorageError) {
    if code != MDB_SUCCESS { throw storageError(code, operation) }
}

/// What a code of LMDB, or of the system below it, means to the caller.
///
/// A short write is `EIO` to LMDB, though mostly the disk or the file's allowance is at its end,
/// hence the question to the disk is left to who reads the message.
func storageError(_ code: Int32, _ operation: StorageError.Operation) -> StorageError {
    switch code {
    case MDB_MAP_FULL: .mapFull(operation)
    case MDB_READERS_FULL: .tooManyReaders(max: Environment.readersMax)
    case MDB_BAD_VALSIZE: .keyTooLong(byteCountMax: Environment.keyByteCountMax)
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_VERSION_MISMATCH, MDB_INCOMPATIBLE:
        .corrupt(.page(operation, code: code))
    case ENOSPC, EDQUOT, EFBIG: .diskFull(operation)
    case EIO where operation == .commit: .diskFull(operation)
    case EIO: .diskFailed(operation, code: code)
    case MDB_PANIC: .stopped
    default: .refused(operation, code: code)
    }
}
