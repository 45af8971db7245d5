import CTexts
package import Foundation

/// The patterns of one language's texts for people, by their codes.
///
/// Each file of `Texts` has the patterns of one language, in a part of ICU's MessageFormat:
/// `{name}` stands for a value, `{name, type}` for one of a type of Docs/api.md, section 1.5, and
/// `{name, plural, one {a day} other {# days}}` for a form that depends on a number.
package struct SentencePatterns: Sendable {
    /// The English patterns, which are part of the program.
    package static let english = SentencePatterns(
        json: Data(unsafe String(cString: stoa_english_texts()).utf8)
    )

    private let patterns: [String: String]

    /// Reads a file of `Texts`; one that cannot be read has no patterns.
    package init(json: Data) {
        patterns = (try? JSONDecoder().decode([String: String].self, from: json)) ?? [:]
    }

    /// The codes that have a pattern, in the order of the file.
    package var codes: [String] { patterns.keys.sorted() }

    /// Makes the text of a code.
    ///
    /// - Parameters:
    ///   - code: A key of `Texts/en.json`.
    ///   - values: The texts that stand in it, by their names in the pattern.
    ///   - units: The units in which amounts are written.
    /// - Returns: The text; an unknown code itself.
    package func text(
        _ code: String,
        _ values: [String: String] = [:],
        in units: any AmountUnits = PlainUnits()
    ) -> String {
        guard let pattern = patterns[code] else { return code }
        var text = ""
        var rest = pattern[...]
        // A value is not searched again: braces in it are only text.
        while let placeholder = Placeholder(firstIn: rest) {
            text += rest[..<placeholder.range.lowerBound]
            text += words(for: values[placeholder.name] ?? "", at: placeholder, in: units)
            rest = rest[placeholder.range.upperBound...]
        }
        return text + rest
    }

    /// Returns the names of the values of a code.
    package func names(in code: String) -> Set<String> {
        var names: Set<String> = []
        var rest = (patterns[code] ?? "")[...]
        while let placeholder = Placeholder(firstIn: rest) {
            names.insert(placeholder.name)
            rest = rest[placeholder.range.upperBound...]
        }
        return names
    }

    /// Finds the words for a value of the API, such as a phase.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - area: The first part of its code, such as `phase`.
    /// - Returns: The words; an unknown value itself.
    package func words(for value: String, in area: String) -> String {
        patterns["\(area).\(value)"] ?? value
    }

    /// The values of the API that have words in an area, such as `phase`, in alphabetical order.
    package func values(in area: String) -> [String] {
        codes.filter { $0.hasPrefix(area + ".") }.map { String($0.dropFirst(area.count + 1)) }
    }

    /// Writes a duration in the largest unit that divides it.
    package func duration(seconds: UInt64) -> String {
        let units: [(String, UInt64)] = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
        let largest = units.first { seconds > 0 && seconds.isMultiple(of: $0.1) }
        let (unit, length) = largest ?? ("second", 1)
        return text("unit.\(unit)", ["count": "\(seconds / length)"])
    }

    private func amount(
        _ value: String,
        in units: any AmountUnits,
        _ rounding: AmountRounding
    ) -> String {
        let parts = value.split(separator: " ")
        guard parts.count == 3, let chain = UInt64(parts[2]) else { return value }
        return units.text(of: String(parts[0]), in: String(parts[1]), onChain: chain, rounding)
    }

    private func words(
        for value: String,
        at placeholder: Placeholder,
        in units: any AmountUnits
    ) -> String {
        switch placeholder.type {
        case "amount": return amount(value, in: units, .up)
        case "amountDown": return amount(value, in: units, .down)
        case "amountWhole": return amount(value, in: units, .whole)
        case "counts":
            return value.split(separator: ",").map { part in
                let words = part.split(separator: " ")
                return words.map { $0.contains(".") ? text(String($0)) : String($0) }
                    .joined(separator: " ")
            }
            .joined(separator: ", ")
        case "duration": return UInt64(value).map { duration(seconds: $0) } ?? value
        case "plural":
            let form =
                (value == "1" ? placeholder.form("one") : nil) ?? placeholder.form("other") ?? "#"
            return form.replacingOccurrences(of: "#", with: value)
        case "round":
            return text(value == "0" ? "round.first" : "round.later", ["number": value])
        case "share": return UInt64(value).map(NumberWords.percent) ?? value
        case "term": return text(value)
        case "time":
            let digits = value.prefix { $0 != "." && $0 != "Z" }
            return digits.replacingOccurrences(of: "T", with: " ") + "Z"
        default: return value
        }
    }
}

/// Stands in a pattern for a value.
private struct Placeholder {
    /// Where it is, with its braces.
    let range: Range<String.Index>
    let name: String
    /// Empty for a text.
    let type: Substring
    /// Of a plural, the texts by the kind of number.
    private let forms: Substring

    init?(firstIn text: Substring) {
        let bytes = text.utf8
        guard let start = bytes.firstIndex(of: UInt8(ascii: "{")) else { return nil }
        var depth = 0
        let end = bytes[start...].firstIndex { byte in
            if byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "}") { depth -= 1 }
            return depth == 0
        }
        guard let end else { return nil }
        range = start..<bytes.index(after: end)
        let parts = text[bytes.index(after: start)..<end].split(separator: ",", maxSplits: 2)
        name = parts.first.map(String.init) ?? ""
        type = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        forms = parts.count > 2 ? parts[2] : ""
    }

    /// Returns the text for a kind of number, such as `other`.
    func form(_ kind: String) -> Substring? {
        guard let start = forms.range(of: "\(kind) {")?.upperBound else { return nil }
        return forms[start...].prefix { $0 != "}" }
    }
}
