/// Bytes that should be text but are not UTF-8.
package struct NotUTF8: Error, Equatable, Sendable {
    /// The position of the first invalid byte, counted from 1.
    package let place: Int

    package init(place: Int) { self.place = place }
}

extension NotUTF8: CustomStringConvertible {
    /// The end of a sentence that begins with the name of the file or input.
    package var description: String { "is not UTF-8 text: byte \(place) cannot stand there" }
}

/// Text from outside the program, decoded without changing a byte.
///
/// Swift's own decoding replaces invalid bytes: two different passwords would become one.
package enum UTF8Text {
    /// Decodes all bytes; `offset` is the number of bytes before these, for the position in the
    /// error.
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

    /// Decodes the bytes of a file, without the byte order mark that some editors write.
    ///
    /// Text in UTF-16 is read if it begins with the mark.
    ///
    /// - Throws: ``NotUTF8``
    package static func decode(file bytes: some Collection<UInt8>) throws(NotUTF8) -> String {
        let (wide, narrow) = (Array(bytes.prefix(2)), Array(bytes.prefix(3)))
        if narrow == [0xEF, 0xBB, 0xBF] { return try decode(bytes.dropFirst(3), after: 3) }
        guard wide == [0xFE, 0xFF] || wide == [0xFF, 0xFE] else { return try decode(bytes) }
        var (units, high): ([UInt16], UInt16?) = ([], nil)
        for byte in bytes.dropFirst(2) {
            let byte = UInt16(byte)
            if let first = high {
                units.append(wide == [0xFE, 0xFF] ? first << 8 | byte : byte << 8 | first)
            }
            high = high == nil ? byte : nil
        }
        guard high == nil, let text = String(validating: units, as: UTF16.self) else {
            throw NotUTF8(place: 1)
        }
        return text
    }

    /// Checks all bytes and keeps none of them, because they may be secret.
    ///
    /// - Throws: ``NotUTF8``
    package static func check(
        _ bytes: some Collection<UInt8>,
        after offset: Int = 0
    ) throws(NotUTF8) {
        let isText = bytes.withContiguousStorageIfAvailable { unsafe isUTF8($0.span) }
        if isText == true { return }
        // The parser is slower and finds the position.
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

    private static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
        do { _ = try UTF8Span(validating: bytes) } catch { return false }
        return true
    }
}
