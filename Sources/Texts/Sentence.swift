/// A sentence for a person: its code, the values that stand in it, and the English text made from
/// them.
///
/// Programs that speak another language, or show amounts in their own way, make the text from code
/// and values by the pattern in their file of `Texts`.
public struct Sentence: Codable, Hashable, Sendable {
    /// The units in which the sentences of an answer are written again as they are read; `nil` if
    /// their texts stay as they were sent.
    @TaskLocal package static var unitsRead: (any AmountUnits)?

    /// A key of `Texts/en.json`; its pattern says of which type each value is.
    public var code: String
    /// The values, by their names in the pattern.
    public var values: [String: String]
    /// The English text.
    public var detail: String

    /// Makes the sentence of a code.
    ///
    /// - Parameters:
    ///   - code: A key of `Texts/en.json`.
    ///   - values: Exactly the values that its pattern names.
    ///   - units: The units in which amounts are written.
    package init(
        _ code: String,
        _ values: [String: String] = [:],
        in units: any AmountUnits = PlainUnits()
    ) {
        let patterns = SentencePatterns.english
        assert(patterns.names(in: code) == Set(values.keys), "other values of \(code): \(values)")
        (self.code, self.values) = (code, values)
        detail = patterns.text(code, values, in: units)
    }

    /// Takes a sentence as it was written down, with its text of that time.
    package init(code: String, values: [String: String], detail: String) {
        (self.code, self.values, self.detail) = (code, values, detail)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        values = try container.decode([String: String].self, forKey: .values)
        detail = try container.decode(String.self, forKey: .detail)
        // A newer node can have another pattern: its text then stays.
        guard let units = Self.unitsRead,
            SentencePatterns.english.names(in: code) == Set(values.keys)
        else { return }
        detail = SentencePatterns.english.text(code, values, in: units)
    }

    /// Its value of type `term` in another sentence: the code, or the text if it has values.
    package var term: String { values.isEmpty ? code : detail }

    /// Returns the sentence with its amounts written in other units.
    package func written(in units: any AmountUnits) -> Sentence {
        Sentence(code, values, in: units)
    }
}

extension Sentence: CustomStringConvertible {
    public var description: String { detail }
}

extension Sequence<Sentence> {
    /// The English text of all of them.
    public var detail: String { map(\.detail).joined(separator: " ") }

    /// Returns the sentences with their amounts written in other units.
    package func written(in units: any AmountUnits) -> [Sentence] {
        map { $0.written(in: units) }
    }
}
