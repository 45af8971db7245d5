/// Takes secrets out of a text, however it spells them: in other case, with percent-encoding, or
/// with invisible characters between.
enum Redaction {
    /// The most Unicode scalars of a text that are looked at; what follows is left out.
    private static let scalarsMax = 16_384

    /// Returns the text with "…" instead of each secret; earlier secrets come first.
    static func redacted(_ text: String, _ secrets: [String]) -> String {
        guard !secrets.isEmpty else { return text }
        let scalars = Array(text.unicodeScalars.prefix(scalarsMax))
        let (bytes, places) = plain(scalars)
        var isHidden = [Bool](repeating: false, count: bytes.count)
        var hidden: [Range<Int>] = []
        for secret in secrets {
            let wanted = plain(Array(secret.unicodeScalars)).bytes
            var start = 0
            while !wanted.isEmpty, start + wanted.count <= bytes.count {
                let range = start..<start + wanted.count
                guard bytes[range].elementsEqual(wanted), !isHidden[range].contains(true) else {
                    start += 1
                    continue
                }
                for index in range { isHidden[index] = true }
                let last = places[range.upperBound - 1]
                hidden.append(places[start].lowerBound..<last.upperBound)
                start = range.upperBound
            }
        }
        var shown = String.UnicodeScalarView()
        var place = 0
        for range in hidden.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if place < range.lowerBound {
                shown.append(contentsOf: scalars[place..<range.lowerBound])
            }
            shown.append("…")
            place = max(place, range.upperBound)
        }
        shown.append(contentsOf: scalars[place...])
        return String(shown)
    }

    /// Returns a text's bytes as they are compared, each with the scalars that stand for it.
    private static func plain(
        _ scalars: [Unicode.Scalar]
    ) -> (bytes: [UInt8], places: [Range<Int>]) {
        var (bytes, places): ([UInt8], [Range<Int>]) = ([], [])
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "%", index + 2 < scalars.count, let high = digit(scalars[index + 1]),
                let low = digit(scalars[index + 2])
            {
                bytes.append(lowercased(high << 4 | low))
                places.append(index..<index + 3)
                index += 3
                continue
            }
            if !isInvisible(scalar) {
                for byte in String(scalar).utf8 {
                    bytes.append(lowercased(byte))
                    places.append(index..<index + 1)
                }
            }
            index += 1
        }
        return (bytes, places)
    }

    private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
        Character(scalar).isASCII ? Character(scalar).hexDigitValue.map(UInt8.init) : nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .nonspacingMark,
            .enclosingMark:
            return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
