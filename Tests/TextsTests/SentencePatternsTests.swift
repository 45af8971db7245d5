import Foundation
import Testing
import Texts

/// Texts made of patterns and values, and the files that have the patterns.
struct SentencePatternsTests {
    private static let patterns = SentencePatterns(
        json: Data(#"{"a.b": "{one}, then {two}", "role.buyer": "buyer"}"#.utf8)
    )

    @Test func `puts values into a pattern, and never searches a value`() {
        #expect(Self.patterns.text("a.b", ["one": "1", "two": "2"]) == "1, then 2")
        let hostile = Self.patterns.text("a.b", ["one": "{two} $0", "two": "{"])
        #expect(hostile == "{two} $0, then {")
        #expect(Self.patterns.text("a.b", ["two": "2"]) == ", then 2")
        #expect(Self.patterns.text("a.c") == "a.c")
    }

    @Test(
        arguments: [
            ("{n, plural, one {one day} other {# days}}", "0", "0 days"),
            ("{n, plural, one {one day} other {# days}}", "1", "one day"),
            ("{n, plural, one {one day} other {# days}}", "21", "21 days"),
            ("{n, plural, other {#일}}", "1", "1일"),
            ("for {n, duration}", "259200", "for 3 days"), ("{n, duration}", "3600", "one hour"),
            ("{n, duration}", "0", "0 seconds"), ("{n, duration}", "90", "90 seconds"),
            ("in {n, round}", "0", "in the first round (0)"), ("{n, round}", "2", "round 2"),
            ("{n, share} of it", "3333", "33.33 % of it"),
            ("{n, time}", "2027-01-31T18:00:00.000Z", "2027-01-31 18:00:00Z"),
            ("{n, time}", "2027-01-31T18:00:00Z", "2027-01-31 18:00:00Z"),
            ("the {n, term}", "role.buyer", "the buyer"),
            ("{n, counts}", "2 role.buyer,1 role.king", "2 buyer, 1 role.king"),
            ("{n, amount}", "500000000000000000 native 1", "0.5 ETH"),
            ("{n, amount}", "1 native 8217", "0.000000000000000001 KAIA"),
            ("{n, amount}", "1234567890123456789 native 1", "≈ 1.234568 ETH"),
            ("{n, amountDown}", "1234567890123456789 native 1", "≈ 1.234567 ETH"),
            ("{n, amountWhole}", "1234567890123456789 native 1", "1.234567890123456789 ETH"),
            ("{n, amount}", "5 0xAA 1", "5 units of token 0xAA"),
            ("{n, account}", "0xAA", "0xAA"), ("{n}", "{n, plural} 5 #", "{n, plural} 5 #"),
            // A value of another form stands for itself.
            ("{n, amount}", "many", "many"), ("{n, duration}", "long", "long"),
            ("{n, share}", "half", "half"), ("{n, term}", "role.king", "role.king"),
        ]
    )
    func `writes each type of value`(pattern: String, value: String, text: String) throws {
        let json = try JSONEncoder().encode(
            [
                "a.b": pattern, "role.buyer": "buyer",
                "round.first": "the first round (0)", "round.later": "round {number}",
                "unit.day": "{count, plural, one {one day} other {# days}}",
                "unit.hour": "{count, plural, one {one hour} other {# hours}}",
                "unit.second": "{count, plural, one {one second} other {# seconds}}",
            ]
        )
        let patterns = SentencePatterns(json: json)
        #expect(patterns.text("a.b", ["n": value]) == text)
        #expect(patterns.names(in: "a.b") == ["n"])
    }

    @Test func `a pattern that does not end is only text`() throws {
        let patterns = SentencePatterns(json: Data(#"{"a.b": "{one {two}", "a.c": "}{"}"#.utf8))
        #expect(patterns.text("a.b", ["one": "1"]) == "{one {two}")
        #expect(patterns.text("a.c") == "}{")
    }

    @Test func `a sentence is made again in other units`() throws {
        let values = ["amount": "12500000 0xAA 1"]
        let sentence = Sentence("escrow.lost", values)
        #expect(sentence.code == "escrow.lost" && sentence.values == values)
        #expect(sentence.detail == "12500000 units of token 0xAA of what is locked is lost.")
        let both = [sentence, sentence].written(in: Points())
        let inPoints = "12.5 P of what is locked is lost."
        #expect(both.detail == "\(inPoints) \(inPoints)")
    }

    /// Units of a token with six decimals.
    private struct Points: AmountUnits {
        func text(
            of amount: String,
            in currency: String,
            onChain chain: UInt64,
            _ rounding: AmountRounding
        ) -> String {
            AmountText.exact(amount, decimals: 6) + " P"
        }
    }

    @Test func `a sentence is read with its own text, or in the reader's units`() throws {
        let values = ["amount": "1234567890 0xAA 1"]
        let sent = try JSONEncoder().encode(Sentence("escrow.lost", values))
        let read = try JSONDecoder().decode(Sentence.self, from: sent)
        #expect(read.detail == "1234567890 units of token 0xAA of what is locked is lost.")
        let again = try Sentence.$unitsRead.withValue(Points()) {
            try JSONDecoder().decode(Sentence.self, from: sent)
        }
        #expect(again.detail == "1234.56789 P of what is locked is lost.")
        let newer = Data(#"{"code": "escrow.newer", "values": {"a": "1"}, "detail": "New."}"#.utf8)
        let kept = try Sentence.$unitsRead.withValue(Points()) {
            try JSONDecoder().decode(Sentence.self, from: newer)
        }
        #expect(kept.detail == "New.")
    }

    @Test func `amounts that are compared or sent have all digits`() {
        let (amount, other) = ("1234567890123456789 native 1", "1234567890123456788 native 1")
        let costs = Sentence("offer.otherCurrency", ["now": amount, "then": other])
        #expect(
            costs.detail == "It costs 1.234567890123456789 ETH instead of 1.234567890123456788 ETH."
        )
        let sent = Sentence("wallet.send", ["amount": amount, "receiver": "0x1"])
        #expect(sent.detail == "Your account sends 1.234567890123456789 ETH to 0x1.")
    }

    @Test func `a value without words stands for itself`() {
        #expect(Self.patterns.words(for: "buyer", in: "role") == "buyer")
        #expect(Self.patterns.words(for: "{one}", in: "role") == "{one}")
        #expect(SentencePatterns(json: Data("no".utf8)).words(for: "b", in: "a") == "b")
    }

    @Test func `the program has the English texts`() throws {
        let english = try Self.file("en")
        #expect(english.count > 100)
        for (code, pattern) in english where !pattern.contains("{") {
            #expect(SentencePatterns.english.text(code) == pattern)
        }
    }

    @Test func `each language has the same codes, with the same values`() throws {
        let english = try Self.file("en")
        let korean = try Self.file("ko")
        #expect(Set(english.keys) == Set(korean.keys))
        for (code, pattern) in english {
            #expect(Self.values(of: pattern) == Self.values(of: korean[code] ?? ""), "\(code)")
        }
    }

    @Test(arguments: ["en", "ko"])
    func `a language's file is sorted, and its texts are trimmed`(language: String) throws {
        let text = try String(contentsOf: Self.url(language), encoding: .utf8)
        let codes = text.matches(of: /(?m)^  "([A-Za-z]+\.\w+)": "/).map { String($0.output.1) }
        #expect(try codes.count == Self.file(language).count)
        #expect(codes == codes.sorted())
        for (code, pattern) in try Self.file(language) {
            #expect(!pattern.contains(/^\s|\s$|^$/), "\(code)")
            #expect(!pattern.replacing(Self.placeholder(), with: "").contains(/[{}"]/), "\(code)")
            for found in pattern.matches(of: Self.placeholder()) where found.output.2 == "plural" {
                let kinds = (found.output.3 ?? "").matches(of: /(\w+) \{/).map(\.output.1)
                #expect(kinds == (language == "en" ? ["one", "other"] : ["other"]), "\(code)")
            }
        }
    }

    /// A particle depends on the sound before it, which nobody knows of a value.
    @Test func `no Korean particle follows a value`() throws {
        for (code, pattern) in try Self.file("ko") {
            let particle = /\}(?:이|가|을|를|은|는|과|와|으로|로|이다|다)(?:\s|$|[.,])/
            #expect(!pattern.contains(particle), "\(code)")
        }
    }

    /// A placeholder in a pattern, with its name, its type and the forms of a plural.
    private static func placeholder() -> Regex<(Substring, Substring, Substring?, Substring?)> {
        /\{(\w+)(?:, (amount|amountDown|amountWhole|counts|duration|round|time|share|account|term|plural))?(,(?: \w+ \{[^{}]+\})+)?\}/
    }

    /// The values of a pattern, each with its type.
    private static func values(of pattern: String) -> [Substring: Substring] {
        Dictionary(
            pattern.matches(of: placeholder()).map { ($0.output.1, $0.output.2 ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private static func file(_ language: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(contentsOf: url(language)))
    }

    private static func url(_ language: String) -> URL {
        URL(filePath: #filePath).appending(path: "../../../Texts/\(language).json").standardized
    }
}
