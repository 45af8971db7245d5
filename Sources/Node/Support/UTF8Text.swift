/// Bytes that should be text but are not UTF-8.
package struct NotUTF8: Error, Equatable, Sendable {
    /// The position of the first invalid byte, counted from 1.
    package let place: Int

    package init(place: Int) { self.place = place }
}

extension NotUTF8: CustomStringConvertible {
    /// The end of a sentence that begins with the name of what was read.
    package var description: String { "is not UTF-8 text: byte \(place) cannot stand there" }
}

/// Text from outside the program, decoded without changing a byte.
///
/// Swift's own decoding replaces invalid bytes: two different passwords would become one.
package enum UTF8Text {
    /// Decodes all bytes; `offset` is the number of bytes before these, for the place in the error.
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

    /// Checks all bytes and keeps none of them, because they may be secret.
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
