import Foundation
import Keys
import Market

/// How the terms of a listing are written in the index, and how a query names them.
///
/// A word stands as it is; again behind `_` if it is in the title; an identifier stands behind `~`;
/// a property of the listing behind `=` and its letter. No word contains these characters.
///
/// Source: SQLite, "FTS5 Extension", sections 3 and 4.
enum CatalogueTerms {
    /// The tokenizer and the options of the index.
    ///
    /// Rows have no positions and lengths, which only phrases and ranks by rarity need. Without a
    /// prefix index of the same length, FTS5 reads all matches of a prefix before it returns the
    /// first; longer prefixes are looked up among the words, see ``CatalogueVocabulary``.
    static let options = """
        tokenize = "ascii tokenchars '_~='", prefix = '1 2 3 4 5 6 7', detail = none,
        columnsize = 0
        """
    /// The longest prefix that the index finds at once, in a title too.
    static let begunScalarsMax = 6

    static func titled(_ word: String) -> String { "_" + word }
    static func identifier(_ text: String) -> String { "~" + text }
    static func category(_ category: String) -> String { "=c" + escaped(category) }
    /// A whole tag, also one of several words.
    static func tag(_ tag: String) -> String { "=t" + escaped(tag) }
    static func author(_ author: Address) -> String { "=a" + escaped(author.bytes) }
    static func method(_ kind: SaleKind) -> String { "=k" + escaped(kind.rawValue) }
    static func delivery(_ method: Delivery.Method) -> String { "=d" + escaped(method.rawValue) }
    static func currency(_ currency: Currency) -> String {
        currency == .native ? "=n" : "=u" + escaped(currency.address.bytes)
    }
    /// A place as written in a listing, whether it is shipped to or handed over at.
    static func place(_ place: String) -> String { "=p" + escaped(place) }
    /// A country that it is shipped to.
    static func country(_ code: String) -> String { "=s" + escaped(code.lowercased()) }
    /// The term of listings that ship everywhere.
    static let everywhere = "=w"

    /// The term as FTS5 takes it, which no character in it can end.
    static func quoted(_ term: String, isBegun: Bool = false) -> String {
        "\"\(term)\"" + (isBegun ? " *" : "")
    }

    private static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

    /// Letters and digits as they are, other bytes as `_` and two digits.
    private static func escaped(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                escaped.append(byte)
            default:
                escaped += [UInt8(ascii: "_"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension Listing {
    /// The terms of the listing and its author as one text, which the index splits at spaces.
    ///
    /// - Parameters:
    ///   - author: The account that published the listing.
    ///   - words: Receives the words that can be completed.
    /// - Returns: The text.
    func terms(by author: Address, words: inout [String]) -> String {
        var seen: Set<String> = []
        var titled: [CatalogueWords.Term] = []
        CatalogueWords.index(title, into: &titled, seen: &seen)
        var terms = titled
        for text in [description, category] + tags {
            CatalogueWords.index(text, into: &terms, seen: &seen)
        }
        var text = CatalogueTerms.identifier(identifier.text)
        func add(_ term: String) {
            text += " "
            text += term
        }
        for term in titled { add(CatalogueTerms.titled(term.text)) }
        for term in terms {
            add(term.text)
            if case .word(let word) = term { words.append(word) }
        }
        add(CatalogueTerms.category(category))
        for tag in tags { add(CatalogueTerms.tag(tag)) }
        add(CatalogueTerms.author(author))
        add(CatalogueTerms.method(self.terms.kind))
        add(CatalogueTerms.delivery(delivery.method))
        add(CatalogueTerms.currency(self.terms.currency))
        addDelivery(add)
        return text
    }

    private func addDelivery(_ add: (String) -> Void) {
        switch delivery {
        case .online: break
        case .pickup(let place): add(CatalogueTerms.place(place))
        case .shipping(let limits):
            switch limits.area {
            case .places(let scope, let places):
                for place in places {
                    add(
                        scope == .countries
                            ? CatalogueTerms.country(place) : CatalogueTerms.place(place)
                    )
                }
            case .distance(let metres, _, let place):
                add(CatalogueTerms.place(place))
                if metres >= ShippingLimits.radiusMetresMax { add(CatalogueTerms.everywhere) }
            }
        }
    }
}
