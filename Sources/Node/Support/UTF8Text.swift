/// Bytes that were to be text and are not UTF-8.
package struct NotUTF8: Error, Equatable, Sendable {
    /// The place of the first byte at fault, counted from 1.
    package let place: Int

    package init(place: Int) { self.place = place }
}

extension NotUTF8: CustomStringConvertible {
    /// The end of a sentence that begins with what was read.
    package var description: String { "is not UTF-8 text: byte \(place) cannot stand there" }
}

/// Text from outside the program, decoded without a byte being changed.
///
/// Swift's own decoding replaces what is malformed: two different passwords would become one.
package enum UTF8Text {
    /// Decodes all bytes; `offset` is how many stand before these, for the place in the error.
    ///
    /// - Throws: ``NotUTF8``
    package static func decode(
        _ bytes: some Collection<UInt8>,
        after offset: Int = 0
    ) throws(NotUTF8) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        try check(bytes, after: offset)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads all bytes and keeps nothing of them, for what may be secret.
    ///
    /// - Throws: ``NotUTF8``
    package static func check(
        _ bytes: some Collection<UInt8>,
        after offset: Int = 0
    ) throws(NotUTF8) {
        var place = offset + 1
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): place += scalar.count
            case .emptyInput: return
            case .error: throw NotUTF8(place: place)
            }
        }
    }
}
