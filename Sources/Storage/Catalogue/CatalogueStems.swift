import CStemmer
import Synchronization

/// Reduces words to their stems, which the forms of a word share: "battery" and "batteries".
///
/// Nobody says in which language a listing is, so a word has a stem by each one. Short stems would
/// join words that have nothing to do with each other, such as "cars" and "care" in French.
///
/// Source: Snowball 2.2.
enum CatalogueStems {
    private static let scalarsMin = 4
    /// In English, the plurals of words of three letters count too.
    private static let englishScalarsMin = 3
    private static let wordScalars = 4...32

    /// The stemmer of one language, which has the result of its last word.
    @safe
    private struct Stemmer {
        let scalarsMin: Int
        private let pointer: OpaquePointer

        /// - Returns: `nil` if the library does not have the language.
        init?(_ language: String) {
            guard let pointer = unsafe sb_stemmer_new(language, "UTF_8") else { return nil }
            unsafe self.pointer = pointer
            scalarsMin =
                language == "english" ? CatalogueStems.englishScalarsMin : CatalogueStems.scalarsMin
        }

        func stem(_ word: String) -> String {
            var word = word
            return word.withUTF8 { bytes in
                guard
                    let start = unsafe sb_stemmer_stem(
                        pointer,
                        bytes.baseAddress,
                        CInt(bytes.count)
                    )
                else { return "" }
                let count = unsafe Int(sb_stemmer_length(pointer))
                return unsafe String(
                    decoding: UnsafeBufferPointer(start: start, count: count),
                    as: UTF8.self
                )
            }
        }
    }

    /// Those of all languages, by their script.
    private struct Stemmers {
        let latin = [
            "english", "german", "french", "spanish", "italian", "portuguese", "dutch", "swedish",
            "danish", "norwegian",
        ].compactMap(Stemmer.init)
        let cyrillic = ["russian"].compactMap(Stemmer.init)
    }

    /// They live as long as the program.
    private static let stemmers = Mutex(Stemmers())

    /// Returns the stems of a word in plain letters, itself among them if it is one.
    static func stems(of word: String) -> Set<String> {
        let scalars = word.unicodeScalars
        guard wordScalars.contains(scalars.count) else { return [] }
        let isLatin = word.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        guard isLatin || scalars.allSatisfy({ (0x0430...0x044F).contains($0.value) }) else {
            return []
        }
        return stemmers.withLock { stemmers in
            var stems: Set<String> = []
            for stemmer in isLatin ? stemmers.latin : stemmers.cyrillic {
                let stem = stemmer.stem(word)
                if stem.unicodeScalars.count >= stemmer.scalarsMin { stems.insert(stem) }
            }
            return stems
        }
    }
}
