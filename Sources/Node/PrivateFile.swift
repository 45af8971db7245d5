import Foundation

/// Writes files that only their owner may read, whole or not at all.
package enum PrivateFile {
    /// Replaces the file; it survives a crash of the machine once this returns.
    ///
    /// Nobody else can read it at any moment: it is made with mode 0600, not given it afterwards.
    ///
    /// - Throws: ``PrivateFileError``, with the system's own reason.
    package static func write(_ bytes: some Sequence<UInt8>, to path: String)
        throws(PrivateFileError)
    {
        let draft = path + ".new"
        // One that a crash left may have other permissions, which opening it would keep.
        _ = unsafe unlink(draft)
        let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFileError(path) }
        let isWritten = write([UInt8](bytes), to: file) && fsync(file) == 0
        let fault = PrivateFileError(path)
        close(file)
        guard isWritten else {
            _ = unsafe unlink(draft)
            throw fault
        }
        guard unsafe rename(draft, path) == 0,
            flush(URL(filePath: path).deletingLastPathComponent().path)
        else { throw PrivateFileError(path) }
    }

    /// Waits until the disk has a file, or the names in a folder.
    static func flush(_ path: String) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return fsync(file) == 0
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.write(file, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Why a private file could not be written.
package struct PrivateFileError: Error, Equatable, Sendable {
    package let path: String
    package let reason: String

    /// Takes the reason of the system call that just failed.
    init(_ path: String) {
        self.path = path
        reason = unsafe String(cString: strerror(errno))
    }
}
