import Foundation

/// Whether names look alike, whatever letters they are written with.
///
/// Source: Unicode Technical Standard 39, section 4 "Confusable Detection".
package enum Lookalikes {
    /// The look of each character that is like another one.
    private static let prototypes: [Unicode.Scalar: String] = {
        func scalar(_ code: Substring) -> Unicode.Scalar? {
            UInt32(code, radix: 16).flatMap(Unicode.Scalar.init)
        }
        var found: [Unicode.Scalar: String] = [:]
        for entry in table.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: ":")
            let target = parts[0].split(separator: "+").compactMap(scalar)
            for source in parts[1].split(separator: ",").compactMap(scalar) {
                found[source] = String(String.UnicodeScalarView(target))
            }
        }
        return found
    }()

    /// Returns the skeleton of a text: its look without case, marks and invisible characters.
    ///
    /// Texts with equal skeletons can be taken for each other.
    static func skeleton(_ text: String) -> String {
        var seen = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
        where !scalar.properties.isDefaultIgnorableCodePoint {
            if let prototype = prototypes[scalar] {
                seen.append(contentsOf: prototype.unicodeScalars)
            } else {
                seen.append(scalar)
            }
        }
        return String(seen).decomposedStringWithCompatibilityMapping.folded
    }

    /// Returns the skeletons of a name: as written and in small letters.
    ///
    /// Names that have one of these in common can be taken for each other: `I` looks like `l`, and
    /// people read it as `i`.
    package static func forms(of name: String) -> Set<String> {
        [skeleton(name), skeleton(name.lowercased()), name.folded]
    }

    /// Whether a name could be taken for an address, or for the first digits of an address or an
    /// id.
    package static func isLikeAddress(_ name: String) -> Bool {
        startsLikeAddress(name) || IDPrefix(name) != nil
    }

    /// Whether a name begins as addresses do, whatever letters it is written with.
    package static func startsLikeAddress(_ name: String) -> Bool {
        if name.folded.hasPrefix("0x") { return true }
        let letters = skeleton(name).filter { $0.isLetter || $0.isNumber }
        guard letters.hasPrefix(addressStart) else { return false }
        let digits = letters.dropFirst(addressStart.count)
        // A word such as "oxbed" is a name.
        return digits.count >= IDPrefix.digitsMin && digits.allSatisfy(hexadecimal.contains)
    }

    /// Whether a name has the start of an address in brackets, as names are shown with addresses.
    static func hasBracketedAddress(_ name: String) -> Bool {
        // Wide digits become plain ones first, which then look like letters.
        let plain = name.decomposedStringWithCompatibilityMapping.lowercased()
        let look = skeleton(plain.filter { !$0.isWhitespace })
        return "([{<".contains { look.contains("\($0)\(addressStart)") }
    }

    private static let addressStart = skeleton("0x")
    private static let hexadecimal = Set(skeleton("0123456789abcdef"))
}

extension String {
    /// The text in a form that is the same for names that differ only in case or accents.
    package var folded: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
