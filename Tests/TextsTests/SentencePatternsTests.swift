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
            #expect(Self.names(in: pattern) == Self.names(in: korean[code] ?? ""), "\(code)")
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
            #expect(!pattern.replacing(/\{\w+\}/, with: "").contains(/[{}"]/), "\(code)")
        }
    }

    /// A particle depends on the sound before it, which nobody knows of a value.
    @Test func `no Korean particle follows a value`() throws {
        for (code, pattern) in try Self.file("ko") {
            let particle = /\}(?:이|가|을|를|은|는|과|와|으로|로|이다|다)(?:\s|$|[.,])/
            #expect(!pattern.contains(particle), "\(code)")
        }
    }

    private static func names(in pattern: String) -> Set<String> {
        Set(pattern.matches(of: /\{(\w+)\}/).map { String($0.output.1) })
    }

    private static func file(_ language: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(contentsOf: url(language)))
    }

    private static func url(_ language: String) -> URL {
        URL(filePath: #filePath).appending(path: "../../../Texts/\(language).json").standardized
    }
}
