import Glibc
import Setup

/// Reads lines from standard input, and refuses invalid UTF-8 instead of repairing it.
enum StandardInput {
    /// The longest line that is read.
    private static let lineBytesMax = 65_536

    /// Reads the next line.
    ///
    /// Uses the same buffer as `readLine()`, so the two can be mixed.
    ///
    /// - Parameter name: The content of the line, as the start of an error message.
    /// - Returns: The line without its line break; `nil` at the end of the input.
    /// - Throws: ``Failure`` for a line that is not UTF-8, or too long.
    static func line(_ name: String) throws(Failure) -> String? {
        var bytes: [UInt8] = []
        while true {
            let byte = getchar()
            guard let byte = UInt8(exactly: byte) else {
                // The end of the input, or a read error.
                guard !bytes.isEmpty else { return nil }
                break
            }
            guard byte != UInt8(ascii: "\n") else { break }
            guard bytes.count < lineBytesMax else {
                throw Failure(.usage, "\(name) is longer than \(lineBytesMax) bytes.")
            }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        // Some programs send a byte order mark first.
        do { return try UTF8Text.decode(file: bytes) } catch {
            throw Failure(.usage, "\(name) \(error).")
        }
    }
}
