import Foundation
import GRDB

/// Replaces words that no listing has by similar ones that listings have.
enum CatalogueCorrection {
    /// Shorter words are like too many others.
    private static let wordScalarsMin = 4
    /// The maximum number of listings that are counted for a word.
    private static let listingsMax = 1_000

    static func correction(of text: String, in database: Database) throws -> String? {
        // The vocabulary has only the letters of a measure.
        var words = CatalogueMatch.words(in: text).flatMap(CatalogueMeasures.parts)
        var isChanged = false
        for (place, word) in words.enumerated() {
            let isLast = place == words.count - 1
            let isKnown = try [false, true].contains { isPart in
                try listings(with: word, isLast: isLast, isPart: isPart, max: 1, in: database) > 0
            }
            guard !isKnown else { continue }
            guard let near = try nearest(to: word, isLast: isLast, in: database) else { return nil }
            words[place] = near
            isChanged = true
        }
        return isChanged ? words.joined(separator: " ") : nil
    }

    /// The similar word that most listings have; of those, the first in order.
    private static func nearest(
        to word: String,
        isLast: Bool,
        in database: Database
    ) throws -> String? {
        var best: (word: String, listings: Int)?
        for spelling in CatalogueWords.spellings(of: word) {
            guard spelling.unicodeScalars.count >= wordScalarsMin,
                CatalogueWords.terms(of: spelling) == [.word(spelling)]
            else { continue }
            let similar = try CatalogueVocabulary.similar(
                to: spelling,
                isBegun: isLast,
                in: database
            )
            for candidate in similar.sorted() {
                let listings = try listings(with: candidate, isLast: isLast, in: database)
                if listings > best?.listings ?? 0 { best = (candidate, listings) }
            }
        }
        return best?.word
    }

    private static func listings(
        with word: String,
        isLast: Bool,
        isPart: Bool = false,
        max: Int = listingsMax,
        in database: Database
    ) throws -> Int {
        guard
            let match = try CatalogueMatch.match(word, isLast: isLast, isPart: isPart, in: database)
        else { return 0 }
        return try Int.fetchOne(
            try database.cachedStatement(
                sql: "SELECT count(*) FROM (SELECT 1 FROM texts WHERE texts MATCH ? LIMIT ?)"
            ),
            arguments: [match, max]
        ) ?? 0
    }
}
