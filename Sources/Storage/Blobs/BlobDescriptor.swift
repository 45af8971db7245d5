import Glibc

/// An open file of a blob; closed when its last user releases it.
final class BlobDescriptor: Sendable {
    private let file: Int32
    private let folder: String

    /// Opens a file, or creates it for its owner alone.
    init(_ path: String, folder: String, creates: Bool, writes: Bool) throws(StorageError) {
        let flags = O_CLOEXEC | (writes ? O_RDWR : O_RDONLY) | (creates ? O_CREAT : 0)
        file = unsafe open(path, flags, 0o600)
        self.folder = folder
        guard file >= 0 else { throw systemError(errno, .open, folder: folder) }
    }

    deinit { close(file) }

    var byteCount: Int { Int(lseek(file, 0, SEEK_END)) }

    /// Reads exactly `count` bytes; `nil` if the file is shorter.
    func read(count: Int, at place: Int) throws(StorageError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let (start, rest) = (done, count - done)
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(file, buffer.baseAddress?.advanced(by: start), rest, place + start)
            }
            if got < 0 { throw systemError(errno, .get, folder: folder) }
            if got == 0 { return nil }
            done += got
        }
        return bytes
    }

    func write(_ bytes: [UInt8], at place: Int) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let start = done
            let put = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    file,
                    buffer.baseAddress?.advanced(by: start),
                    buffer.count - start,
                    place + start
                )
            }
            guard put > 0 else { throw systemError(put < 0 ? errno : ENOSPC, .put, folder: folder) }
            done += put
        }
    }

    func setLength(_ byteCount: Int) throws(StorageError) {
        if ftruncate(file, byteCount) != 0 { throw systemError(errno, .put, folder: folder) }
    }

    /// Waits until the file is on the disk.
    func flush() throws(StorageError) {
        if fsync(file) != 0 { throw systemError(errno, .commit, folder: folder) }
    }
}
