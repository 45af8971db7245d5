import Glibc
import Node

/// What is typed or piped in, as the bytes that it is.
enum StandardInput {
    /// Longer lines are no answer to anything.
    private static let lineBytesMax = 65_536

    /// The next line without its end; `nil` if there is none.
    ///
    /// Shares its buffer with `readLine()`, so that either can read what the other left. `name` is
    /// what the line is called at the beginning of a sentence.
    ///
    /// - Throws: ``Failure`` for a line that is not UTF-8, or too long.
    static func line(_ name: String) throws(Failure) -> String? {
        var bytes: [UInt8] = []
        while true {
            let byte = getchar()
            guard let byte = UInt8(exactly: byte) else {
                // The end, or a descriptor that cannot be read.
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
        do { return try UTF8Text.decode(bytes) } catch {
            throw Failure(.usage, "\(name) \(error).")
        }
    }
}
