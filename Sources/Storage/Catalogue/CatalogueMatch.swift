import Foundation
import GRDB
import Keys
import Market

/// A typed text and the properties of a query, as queries of FTS5.
///
/// All words, or prefixes of words, must occur in the listing or in its seller's name; or the text
/// must be a prefix of the identifier. Each term is quoted, so that none acts as an operator or
/// causes an error.
struct CatalogueMatch {
    static let wordsMax = 16
    static let wordScalarsMax = 64
    /// A shorter word that is not the last must match whole: too many words begin with it.
    private static let begunScalarsMin = 3
    /// A shorter text is not looked for among identifiers: too many begin with it.
    private static let identifierBytesMin = 4
    /// The maximum number of words that a prefix matches, if the index cannot find it at once.
    private static let completionsMax = 48
    /// The maximum number of words that are looked for as forms of one.
    private static let formsMax = 24
    private static let sellersMax = 16
    /// Of more words, all but one are not looked for: that would take too many terms.
    private static let omittedOfMax = 4

    /// The queries of one word.
    private struct WordQuery {
        var all: String
        var titled: String
        /// Whether longer words contain it.
        var isPart = false
    }

    /// The maximum number of words that are looked for because they contain one.
    private static let containingMax = 48

    /// The listings that match.
    let all: String
    /// The same in groups, the most relevant first; no listing is in two of them.
    let groups: [String]

    /// Compiles the terms of a query; `nil` if no listing can match.
    init?(_ query: CatalogueQuery, in database: Database) throws {
        let marks = Self.marks(of: query)
        guard let text = query.text else {
            guard query.closeness == .whole else { return nil }
            all = Self.every(marks)
            groups = [all]
            return
        }
        let words = Self.words(in: text)
        guard !words.isEmpty else { return nil }
        let compiled = try words.enumerated().map { number, word in
            try Self.match(word, isLast: number == words.count - 1, in: database)
        }
        func whole(_ matches: [String]) -> String {
            let all = Self.every(matches)
            // Identifiers have no spaces in the index.
            guard words.count > 1, let identifier = Self.identifier(text) else { return all }
            return "((\(all)) OR \(identifier))"
        }
        var levels = [whole(compiled.map(\.titled)), whole(compiled.map(\.all))]
        var nearer: [String] = []
        if query.closeness != .whole {
            let parts = try compiled.enumerated().map { number, word in
                try Self.withParts(word, words[number], in: database)
            }
            if query.closeness == .parts {
                guard parts.contains(where: \.isPart) else { return nil }
                nearer = levels.suffix(1)
                levels = [whole(parts.map(\.titled)), whole(parts.map(\.all))]
            } else {
                nearer = [whole(parts.map(\.all))]
                levels = Self.fewer(parts, of: words)
            }
        }
        guard let any = levels.last else { return nil }
        func found(_ level: String, without others: [String]) -> String {
            let found = Self.every([level] + marks)
            return others.isEmpty ? found : "(\(found)) NOT (\(Self.any(others)))"
        }
        all = found(any, without: nearer)
        groups = levels.enumerated().map { number, level in
            found(level, without: nearer + levels.prefix(number))
        }
    }

    /// The queries of a word, also as a part of longer ones.
    private static func withParts(
        _ word: WordQuery,
        _ text: String,
        in database: Database
    ) throws -> WordQuery {
        let containing = try CatalogueWords.spellings(of: text)
            .filter { CatalogueWords.terms(of: $0) == [.word($0)] }
            .flatMap {
                try CatalogueVocabulary.words(containing: $0, countMax: containingMax, in: database)
            }
        guard !containing.isEmpty else { return word }
        func any(_ own: String, _ written: (String) -> String) -> String {
            Self.any(["(\(own))"] + containing.map { CatalogueTerms.quoted(written($0)) })
        }
        return WordQuery(
            all: any(word.all) { $0 },
            titled: any(word.titled, CatalogueTerms.titled),
            isPart: true
        )
    }

    /// The query of one word alone, or, if `isPart`, of longer words too that contain it; `nil` if
    /// no word does.
    static func match(
        _ word: String,
        isLast: Bool,
        isPart: Bool,
        in database: Database
    ) throws -> String? {
        let whole = try match(word, isLast: isLast, in: database)
        guard isPart else { return whole.all }
        let found = try withParts(whole, word, in: database)
        return found.isPart ? found.all : nil
    }

    /// The listings with all words but one; then those with any word in the title, and any word.
    private static func fewer(
        _ compiled: [WordQuery],
        of words: [String]
    ) -> [String] {
        let telling = zip(words, compiled).filter { isTelling($0.0) }.map(\.1)
        guard words.count > 1, !telling.isEmpty else { return [] }
        var levels = [any(telling.map(\.titled)), any(telling.map(\.all))]
        if (3...omittedOfMax).contains(telling.count) {
            let omitted = telling.indices.map { omitted in
                "(" + every(telling.indices.filter { $0 != omitted }.map { telling[$0].all }) + ")"
            }
            levels.insert(any(omitted), at: 0)
        }
        return levels
    }

    /// Whether a word alone is worth finding: one or two Latin letters are in too many listings.
    private static func isTelling(_ word: String) -> Bool {
        !CatalogueWords.isPlain(word) || word.utf8.count >= begunScalarsMin
            || word.utf8.contains { $0 <= UInt8(ascii: "9") }
    }

    /// Whether a query is answered by the index of words.
    ///
    /// The time, the author, the category and, separately, the prices of a currency have their own
    /// indexes.
    static func isNeeded(for query: CatalogueQuery) -> Bool {
        if query.closeness != .whole { return true }
        if query.identifier != nil || query.tag != nil { return true }
        if query.text != nil || query.place != nil || query.country != nil { return true }
        if query.method != nil || query.delivery != nil { return true }
        if query.author != nil, query.category != nil { return true }
        let isSelected = query.author != nil || query.category != nil
        return query.currency != nil && (isSelected || !query.order.isByPrice)
    }

    /// The words of a typed text, at most ``wordsMax`` of ``wordScalarsMax`` letters.
    static func words(in text: String) -> [String] {
        // Longer texts than a person types are not read to their end.
        let start = String(text.unicodeScalars.prefix(wordsMax * (wordScalarsMax + 1)))
        return CatalogueWords.words(in: start).prefix(wordsMax)
            .map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(wordScalarsMax))) }
            .filter { $0.unicodeScalars.contains { !$0.properties.generalCategory.isMark } }
    }

    /// The queries of one word alone.
    private static func match(
        _ word: String,
        isLast: Bool,
        in database: Database
    ) throws -> WordQuery {
        var all: [String] = []
        var titled: [String] = []
        for spelling in CatalogueWords.spellings(of: word) {
            let terms = CatalogueWords.terms(of: spelling)
            guard !terms.isEmpty else { continue }
            let matches = try terms.enumerated().map { number, term in
                try match(
                    term,
                    isAlone: terms.count == 1,
                    isLast: isLast && number == terms.count - 1,
                    in: database
                )
            }
            all.append(every(matches.flatMap(\.all)))
            titled.append(every(matches.flatMap(\.titled)))
        }
        let sellers = try sellers(named: word, in: database)
        return WordQuery(all: any(all + sellers), titled: any(titled + sellers))
    }

    /// One term of a word: nothing, if the terms before it say as much.
    private static func match(
        _ term: CatalogueWords.Term,
        isAlone: Bool,
        isLast: Bool,
        in database: Database
    ) throws -> (all: [String], titled: [String]) {
        switch term {
        case .pair(let text):
            return (
                [CatalogueTerms.quoted(text)],
                [CatalogueTerms.quoted(CatalogueTerms.titled(text))]
            )
        case .letter(let text):
            // Every other letter is the second of a pair.
            guard isAlone else { return ([], []) }
            return (
                [CatalogueTerms.quoted(text, isBegun: true)],
                [CatalogueTerms.quoted(CatalogueTerms.titled(text), isBegun: true)]
            )
        case .word(let text):
            let isBegun = isLast || text.unicodeScalars.count >= begunScalarsMin
            let identifier = CatalogueTerms.quoted(
                CatalogueTerms.identifier(text),
                isBegun: isBegun
            )
            var words = try completions(text, isBegun: isBegun, in: database)
            words += try CatalogueVocabulary.forms(of: text, countMax: formsMax, in: database)
                .filter { !isBegun || !$0.hasPrefix(text) }.sorted().map { ($0, false) }
            func any(_ written: (String) -> String) -> String {
                let terms = words.map {
                    CatalogueTerms.quoted(written($0.text), isBegun: $0.isBegun)
                }
                return Self.any(terms + [identifier])
            }
            return ([any { $0 }], [any(CatalogueTerms.titled)])
        }
    }

    /// The words that a prefix matches, if the index cannot find it at once.
    private static func completions(
        _ word: String,
        isBegun: Bool,
        in database: Database
    ) throws -> [(text: String, isBegun: Bool)] {
        guard isBegun, word.unicodeScalars.count > CatalogueTerms.begunScalarsMax,
            let words = try CatalogueVocabulary.words(
                beginning: word,
                countMax: completionsMax,
                in: database
            )
        else { return [(word, isBegun)] }
        return words.isEmpty ? [(word, false)] : words.map { ($0, false) }
    }

    /// The sellers whose names have the word, or one that begins so.
    private static func sellers(named word: String, in database: Database) throws -> [String] {
        var sellers: [String] = []
        for spelling in CatalogueWords.spellings(of: word) {
            guard spelling.unicodeScalars.count >= begunScalarsMin || !CatalogueWords.isPlain(word)
            else { continue }
            let authors = try Data.fetchAll(
                try database.cachedStatement(
                    sql: "SELECT author FROM sellers WHERE word >= ? AND word < ? LIMIT ?"
                ),
                arguments: [spelling, CatalogueVocabulary.end(of: spelling), sellersMax]
            )
            sellers += authors.compactMap { Address([UInt8]($0)) }
                .map { CatalogueTerms.quoted(CatalogueTerms.author($0)) }
        }
        return Array(Set(sellers)).sorted()
    }

    private static func identifier(_ text: String) -> String? {
        guard text.utf8.count <= wordsMax * wordScalarsMax,
            let identifier = try? ItemIdentifier(normalising: text),
            identifier.text.utf8.count >= identifierBytesMin
        else { return nil }
        return CatalogueTerms.quoted(CatalogueTerms.identifier(identifier.text), isBegun: true)
    }

    private static func marks(of query: CatalogueQuery) -> [String] {
        let single = [
            query.category.map(CatalogueTerms.category), query.tag.map(CatalogueTerms.tag),
            query.author.map(CatalogueTerms.author), query.method.map(CatalogueTerms.method),
            query.delivery.map(CatalogueTerms.delivery),
            query.currency.map(CatalogueTerms.currency),
            query.identifier.map(CatalogueTerms.identifier),
        ].compactMap { $0 }.map { CatalogueTerms.quoted($0) }
        let places = [
            query.place.map { [CatalogueTerms.place($0), CatalogueTerms.country($0)] },
            query.country.map { [CatalogueTerms.country($0), CatalogueTerms.everywhere] },
        ].compactMap { $0 }.map { any($0.map { CatalogueTerms.quoted($0) }) }
        return single + places
    }

    private static func every(_ terms: [String]) -> String { terms.joined(separator: " AND ") }

    private static func any(_ terms: [String]) -> String {
        terms.count == 1 ? terms[0] : "(\(terms.joined(separator: " OR ")))"
    }
}
