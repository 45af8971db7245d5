/// A bound for combining marks that follow each other in a caller's text.
///
/// Comparing, sorting and folding text takes time that grows with the square of such a run, because
/// the marks are put in order. No language has more than a few on one letter.
///
/// Source: Unicode Standard Annex 15, section "Stream-Safe Text Format".
package enum MarkRuns {
    package static let lengthMax = 30
    /// Marks of Tibetan vowels that are not put in order themselves, but represent two that are.
    private static let composed: Set<Unicode.Scalar> = ["\u{F73}", "\u{F75}", "\u{F81}"]

    /// Returns whether no run in a text in UTF-8 is longer than ``lengthMax``.
    ///
    /// A character written as `\u` and four digits in JSON counts too.
    package static func areShort(in text: some Collection<UInt8>) -> Bool {
        text.withContiguousStorageIfAvailable { unsafe runsAreShort(in: $0) }
            ?? runsAreShort(in: text)
    }

    private static func runsAreShort(in text: some Collection<UInt8>) -> Bool {
        // Most text is ASCII without escapes.
        guard text.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }) else { return true }
        var decoder = EscapedText(text)
        var length = 0
        while let scalar = decoder.next() {
            let isMark =
                scalar.properties.canonicalCombiningClass != .notReordered
                || composed.contains(scalar)
            length = isMark ? length + 1 : 0
            guard length <= lengthMax else { return false }
        }
        return true
    }

    /// The characters of a text with JSON's escapes; a plain one is any letter.
    private struct EscapedText<Bytes: Collection<UInt8>> {
        private var rest: Bytes.SubSequence
        private var parser = Unicode.UTF8.ForwardParser()

        init(_ bytes: Bytes) {
            rest = bytes[...]
        }

        mutating func next() -> Unicode.Scalar? {
            guard let first = rest.first else { return nil }
            guard first >= 0x80 else {
                rest.removeFirst()
                return first == UInt8(ascii: "\\") ? escaped() : "a"
            }
            var bytes = rest.prefix(4).makeIterator()
            guard case .valid(let encoded) = parser.parseScalar(from: &bytes) else {
                rest.removeFirst()
                parser = Unicode.UTF8.ForwardParser()
                return "a"
            }
            parser = Unicode.UTF8.ForwardParser()
            rest = rest.dropFirst(encoded.count)
            return Unicode.UTF8.decode(encoded)
        }

        /// Reads what follows a backslash.
        private mutating func escaped() -> Unicode.Scalar {
            guard rest.popFirst() == UInt8(ascii: "u"), let unit = unit() else { return "a" }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            // The second half of a pair is read only if there is one.
            let pair = rest.prefix(2)
            guard UTF16.isLeadSurrogate(unit), pair.elementsEqual(#"\u"#.utf8) else { return "a" }
            let after = rest
            rest = rest.dropFirst(2)
            guard let second = self.unit(), UTF16.isTrailSurrogate(second) else {
                rest = after
                return "a"
            }
            let value = 0x1_0000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            return Unicode.Scalar(value) ?? "a"
        }

        private mutating func unit() -> UInt16? {
            let digits = rest.prefix(4)
            guard digits.count == 4, let text = String(validating: digits, as: UTF8.self),
                let unit = UInt16(text, radix: 16)
            else { return nil }
            rest = rest.dropFirst(4)
            return unit
        }
    }
}
