import Foundation
import GRDB
import Keys
import Market

/// The words of listings, to complete long prefixes, to find parts and other forms of words, and to
/// correct mistyped ones.
///
/// A word stays when its listings go, so a search for a word from here may find none.
struct CatalogueVocabulary {
    private static let knownMax = 16_384
    /// The index of words by every three letters that follow each other.
    ///
    /// A word costs 1.6 µs and 30 bytes in it. Among 300,000 words it finds a part in at most 0.3
    /// ms; to look through all would take 13.
    static let partOptions =
        "tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0"
    /// The length of the shortest part of a word that is looked for.
    private static let partScalarsMin = 3
    /// Parts of longer words are not found, so that they take at most the room of their listings.
    private static let wholeScalarsMax = 64
    /// Whether a word is completed: a number is not, and of a measure only its letters are.
    ///
    /// A listing of "bicycle 97" has the words "bicycle" and "bicycle97". With the latter among the
    /// completions of "bicycle" there would be more than a query takes.
    private static func isWord(_ word: String) -> Bool {
        word.utf8.contains { $0 > UInt8(ascii: "9") }
            && CatalogueMeasures.parts(of: word).count == 1
    }

    /// Words that are in the table, so that they are not added again.
    private var known: Set<String> = []

    mutating func add(_ words: [String], to database: Database) throws {
        for word in words where Self.isWord(word) {
            guard !known.contains(word) else { continue }
            try database.cachedStatement(sql: "INSERT OR IGNORE INTO vocabulary (word) VALUES (?)")
                .execute(arguments: [word])
            if database.changesCount > 0 { try Self.addForms(of: word, to: database) }
            if known.count >= Self.knownMax { known.removeAll(keepingCapacity: true) }
            known.insert(word)
        }
    }

    private static func addForms(of word: String, to database: Database) throws {
        if word.unicodeScalars.count <= wholeScalarsMax {
            try database.cachedStatement(sql: "INSERT INTO parts (word) VALUES (?)")
                .execute(arguments: [word])
        }
        for stem in CatalogueStems.stems(of: word) where stem != word {
            try database.cachedStatement(sql: "INSERT INTO stems (stem, word) VALUES (?, ?)")
                .execute(arguments: [stem, word])
        }
    }

    /// Forgets the additions, because they were not committed.
    mutating func forget() { known.removeAll() }

    /// Returns the words that begin so; `nil` if there are more than `countMax` or it is a number
    /// or a measure.
    static func words(
        beginning: String,
        countMax: Int,
        in database: Database
    ) throws -> [String]? {
        guard isWord(beginning) else { return nil }
        let words = try String.fetchAll(
            try database.cachedStatement(
                sql: "SELECT word FROM vocabulary WHERE word >= ? AND word < ? LIMIT ?"
            ),
            arguments: [beginning, end(of: beginning), countMax + 1]
        )
        return words.count > countMax ? nil : words
    }

    /// Returns words that can be other forms of a word, at most `countMax`.
    static func forms(
        of word: String,
        countMax: Int,
        in database: Database
    ) throws -> Set<String> {
        let stems = CatalogueStems.stems(of: word)
        guard !stems.isEmpty else { return [] }
        let marks = (1...stems.count).map { "?\($0)" }.joined(separator: ",")
        // A word that is a stem itself has no row for that.
        return try String.fetchSet(
            try database.cachedStatement(
                sql: """
                    SELECT word FROM vocabulary WHERE word IN (\(marks))
                    UNION SELECT word FROM stems WHERE stem IN (\(marks))
                    LIMIT ?\(stems.count + 1)
                    """
            ),
            arguments: StatementArguments(stems) + [countMax]
        ).subtracting([word])
    }

    /// Returns words that contain a part not at their start, at most `countMax`.
    static func words(
        containing part: String,
        countMax: Int,
        in database: Database
    ) throws -> [String] {
        let letters = Array(part.unicodeScalars)
        guard letters.count >= partScalarsMin, isWord(part) else { return [] }
        let trigrams = (0...letters.count - partScalarsMin).map { start in
            CatalogueTerms.quoted(
                String(String.UnicodeScalarView(letters[start..<start + partScalarsMin]))
            )
        }
        return try String.fetchAll(
            try database.cachedStatement(
                sql: "SELECT word FROM parts WHERE parts MATCH ? AND instr(word, ?) > 1 LIMIT ?"
            ),
            arguments: [trigrams.joined(separator: " AND "), part, countMax]
        )
    }

    /// An upper bound of all words that begin with `beginning`; no word contains the last code
    /// point.
    static func end(of beginning: String) -> String { beginning + "\u{10FFFF}" }

    /// Returns words from which `word` differs in one letter, or in the order of two that are
    /// neighbours or have one between them, such as the vowels of a syllable.
    ///
    /// Visits only the prefixes that the words have: at each position of the word, the letters that
    /// follow there.
    ///
    /// - Parameters:
    ///   - word: The word, which the vocabulary does not have.
    ///   - isBegun: Whether longer words may begin so, if no word is whole.
    ///   - database: The index.
    /// - Returns: Whole words, or prefixes.
    /// - Throws: The errors of SQLite.
    static func similar(
        to word: String,
        isBegun: Bool,
        in database: Database
    ) throws -> [String] {
        var search = SimilarWords(word: Array(word.unicodeScalars), isBegun: isBegun)
        return try search.found(in: database)
    }
}

/// A search for words within one edit of a word.
private struct SimilarWords {
    private static let foundMax = 16
    /// The maximum number of prefixes that are looked up.
    private static let lookupsMax = 1_000

    let word: [Unicode.Scalar]
    let isBegun: Bool
    private var found: [String] = []
    private var begun: [String] = []
    private var lookups = 0

    init(word: [Unicode.Scalar], isBegun: Bool) {
        (self.word, self.isBegun) = (word, isBegun)
    }

    mutating func found(in database: Database) throws -> [String] {
        for place in 0...word.count {
            let (before, rest) = (word[..<place], word[place...])
            if rest.count > 0 { try check(before + rest.dropFirst(), in: database) }
            if rest.count > 1 {
                let swapped = [rest[place + 1], rest[place]] + rest.dropFirst(2)
                try check(before + swapped, in: database)
            }
            if rest.count > 2 {
                let turned = [rest[place + 2], rest[place + 1], rest[place]] + rest.dropFirst(3)
                try check(before + turned, in: database)
            }
            for letter in try letters(after: Array(before), in: database) {
                try check(before + [letter] + rest, in: database)
                if rest.count > 0 { try check(before + [letter] + rest.dropFirst(), in: database) }
            }
        }
        return found.isEmpty && isBegun ? begun : found
    }

    /// The letters that follow a prefix in the vocabulary.
    private mutating func letters(
        after beginning: [Unicode.Scalar],
        in database: Database
    ) throws -> [Unicode.Scalar] {
        var letters: [Unicode.Scalar] = []
        let before = Self.text(beginning)
        var from = before
        while let next = try first(from, in: database) {
            let scalars = Array(next.unicodeScalars)
            guard scalars.starts(with: beginning) else { break }
            guard scalars.count > beginning.count else {
                from = before + "\u{1}"
                continue
            }
            letters.append(scalars[beginning.count])
            from = before + String(scalars[beginning.count]) + "\u{10FFFF}"
        }
        return letters
    }

    private mutating func check(
        _ candidate: ArraySlice<Unicode.Scalar>,
        in database: Database
    ) throws {
        let text = Self.text(Array(candidate))
        guard text.unicodeScalars.count > 1, !found.contains(text),
            let next = try first(text, in: database)
        else { return }
        if next == text {
            if found.count < Self.foundMax { found.append(text) }
        } else if next.utf8.starts(with: text.utf8), !begun.contains(text) {
            if begun.count < Self.foundMax { begun.append(text) }
        }
    }

    private mutating func first(_ text: String, in database: Database) throws -> String? {
        guard lookups < Self.lookupsMax else { return nil }
        lookups += 1
        return try String.fetchOne(
            try database.cachedStatement(
                sql: "SELECT word FROM vocabulary WHERE word >= ? ORDER BY word LIMIT 1"
            ),
            arguments: [text]
        )
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
