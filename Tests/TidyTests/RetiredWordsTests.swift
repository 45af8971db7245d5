import Foundation
import Testing

/// Names that were replaced do not come back; see Docs/glossary.md for those that are used.
struct RetiredWordsTests {
    /// Parts of names, each beginning with a capital letter.
    private static let parts = [
        "Bell", "Desk", "Door", "Errand", "Farewell", "Figure", "Goodbye", "Lapse", "Lapsed",
        "Rig", "Shelf", "Shelves", "Shown", "Sieve", "Sifting", "Tally", "Town", "Turnstile",
        "Visitor", "Wish",
    ]
    /// Whole names.
    private static let names = [
        "Act", "APIGate", "Asker", "Doubt", "EventLog", "FoundOffer", "Gate", "Ground", "Holder",
        "Limits",
        "Line",
        "ListPlace", "LatestValue", "NodeParts", "Nothing", "OfferTerms", "OfferedContent",
        "OfferedTransaction", "Pair", "Passed", "PaymentMethod",
        "Promise", "Reading",
        "SaleLaw", "SignatureOffer", "Standing", "Trade", "TradeRig", "Word",
    ]

    @Test(arguments: ["Sources", "Tests", "Benchmarks"])
    func `no type has a retired name`(folder: String) throws {
        let declaration = /\b(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        for file in sources(under: folder) {
            let text = try code(of: file)
            for name in text.matches(of: declaration).map({ String($0.output.1) }) {
                let words = name.matches(of: /[A-Z]+(?![a-z])|[A-Z][a-z]+/)
                    .map { String($0.output) }
                #expect(
                    !words.contains(where: Self.parts.contains) && !Self.names.contains(name),
                    "\(file.lastPathComponent): \(name)"
                )
            }
        }
    }

    @Test(arguments: sources(under: "Sources") + sources(under: "Tests"))
    func `no file has a retired name`(file: URL) {
        let words = file.deletingPathExtension().lastPathComponent
            .matches(of: /[A-Z]+(?![a-z])|[A-Z][a-z]+/).map { String($0.output) }
        #expect(!words.contains(where: Self.parts.contains))
    }
}
