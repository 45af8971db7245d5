import Foundation
package import Keys

/// Writes files that only their owner can read, whole or not at all.
package enum PrivateFile {
    /// Replaces the file; it survives a crash of the machine once this returns.
    ///
    /// Nobody else can read it at any moment: it is created with mode 0600, not given it
    /// afterwards.
    ///
    /// - Throws: ``PrivateFileError``, with the system's reason.
    package static func write(_ bytes: some Sequence<UInt8>, to path: String)
        throws(PrivateFileError)
    {
        let bytes = [UInt8](bytes)
        try replace(path) { file in
            unsafe bytes.withUnsafeBytes { unsafe write($0, to: file) }
        }
    }

    /// Replaces the file with a key or another secret.
    package static func write(_ secret: SecretBytes, to path: String) throws(PrivateFileError) {
        try replace(path) { file in
            unsafe secret.withBytes { unsafe write($0, to: file) }
        }
    }

    /// Returns the content of a file with a key or another secret.
    ///
    /// Returns `nil` if the file cannot be read, or is longer than any of them.
    package static func secret(in path: String) -> SecretBytes? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let byteCount = Int(lseek(file, 0, SEEK_END))
        guard (0...secretBytesMax).contains(byteCount), lseek(file, 0, SEEK_SET) == 0 else {
            return nil
        }
        var isRead = true
        let secret = unsafe SecretBytes(count: byteCount) { memory in
            var place = 0
            while place < memory.count {
                let rest = unsafe memory[place...]
                let count = unsafe Foundation.read(
                    file,
                    UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                guard count > 0 else {
                    isRead = false
                    return
                }
                place += count
            }
        }
        return isRead ? secret : nil
    }

    /// Returns the text of such a file, without a byte order mark.
    ///
    /// Returns `nil` as ``secret(in:)``.
    ///
    /// - Throws: ``NotUTF8``, with the position in the file.
    package static func secretText(in path: String) throws -> String? {
        try secret(in: path).map { secret in
            try unsafe secret.withBytes { try unsafe UTF8Text.decode(file: $0) }
        }
    }

    /// Removes a file, if it is there; it stays removed after a crash of the machine once this
    /// returns.
    ///
    /// - Throws: ``PrivateFileError``, with the system's reason.
    static func remove(_ path: String) throws(PrivateFileError) {
        guard unsafe unlink(path) == 0 else {
            if errno == ENOENT { return }
            throw PrivateFileError(path)
        }
        guard flush(URL(filePath: path).deletingLastPathComponent().path) else {
            throw PrivateFileError(path)
        }
    }

    private static let secretBytesMax = 4_096

    private static func replace(
        _ path: String,
        _ body: (Int32) -> Bool
    ) throws(PrivateFileError) {
        let draft = path + ".new"
        // A draft that a crash left may have other permissions, which opening it would keep.
        _ = unsafe unlink(draft)
        let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PrivateFileError(path) }
        let isWritten = body(file) && fsync(file) == 0
        let fault = PrivateFileError(path)
        close(file)
        guard isWritten else {
            _ = unsafe unlink(draft)
            throw fault
        }
        guard unsafe rename(draft, path) == 0 else {
            let fault = PrivateFileError(path)
            _ = unsafe unlink(draft)
            throw fault
        }
        guard flush(URL(filePath: path).deletingLastPathComponent().path) else {
            throw PrivateFileError(path)
        }
    }

    /// Waits until a file, or the names in a folder, are on disk.
    static func flush(_ path: String) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return fsync(file) == 0
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var place = 0
        while place < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[place...])
            let count = unsafe Foundation.write(file, rest.baseAddress, rest.count)
            guard count > 0 else { return false }
            place += count
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
