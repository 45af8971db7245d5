import Foundation
import Testing

/// The code and the texts for people agree about the codes; the compiler does not see these.
struct TextCodeTests {
    /// A sentence in the code: its code, and its values.
    private static var sentence: Regex<(Substring, Substring, Substring?)> {
        /Sentence\(\s*"(\w+\.\w+)"(?:,\s*\[([^\]]*)\]|\))/
    }

    @Test func `the code uses the texts that there are, and all of them`() throws {
        let english = try JSONDecoder().decode(
            [String: String].self,
            from: Data(contentsOf: root.appending(path: "Texts/en.json"))
        )
        let all = try sources(under: "Sources").map { try code(of: $0) }.joined()
        let texts = Set(all.matches(of: /"([A-Za-z]+\.\w+)"/).map { String($0.output.1) })
        let made = Set(all.matches(of: Self.sentence).map { String($0.output.1) })
        #expect(made.isSubset(of: english.keys))
        let labels = texts.filter { ["label", "call", "row"].contains(Self.area($0)) }
        #expect(labels.isSubset(of: english.keys))
        // The codes of phases and states are made of these.
        let areas = Set(made.map(Self.area)).union(["call", "label", "row", "turn"])
            .subtracting(["phase", "state"])
        let unused = english.keys.filter { areas.contains(Self.area($0)) && !texts.contains($0) }
        #expect(unused.isEmpty)
        let words = Set(all.matches(of: /, in: "(\w+)"\)/).map { String($0.output.1) })
        #expect(words.contains("phase") && words.isSubset(of: english.keys.map(Self.area)))
    }

    /// The compiler refuses a code that the page uses without a text, but not the opposite.
    @Test func `the page uses all texts that only it has`() throws {
        let english = try JSONDecoder().decode(
            [String: String].self,
            from: Data(contentsOf: root.appending(path: "Texts/en.json"))
        )
        let files = FileManager.default.enumerator(
            at: root.appending(path: "Web"),
            includingPropertiesForKeys: nil
        )
        let sources = (files?.allObjects as? [URL] ?? []).filter {
            ["ts", "tsx"].contains($0.pathExtension)
        }
        let codes = try Set(
            sources.flatMap { try code(of: $0).matches(of: /"(page\.\w+)"/) }
                .map { String($0.output.1) }
        )
        #expect(codes == Set(english.keys.filter { $0.hasPrefix("page.") }))
    }

    @Test func `a sentence has the values that its pattern names`() throws {
        let english = try JSONDecoder().decode(
            [String: String].self,
            from: Data(contentsOf: root.appending(path: "Texts/en.json"))
        )
        for file in sources(under: "Sources") {
            for made in try code(of: file).matches(of: Self.sentence) {
                let values = Set((made.output.2 ?? "").matches(of: /"(\w+)":/).map(\.output.1))
                let pattern = try #require(english[String(made.output.1)], "\(made.output.1)")
                let forms = /(?:one|other) \{[^}]*\}/
                let places = pattern.replacing(forms, with: "").matches(of: /\{(\w+)[,}]/)
                let names = Set(places.map(\.output.1))
                #expect(values == names, "\(made.output.1) in \(file.lastPathComponent)")
            }
        }
    }

    /// The files whose refusals only the author of a program can mend: of how a request is written.
    private static let formChecks: Set = [
        "APIContext.swift", "AccountRoutes.swift", "Authenticator.swift", "BodyShape.swift",
        "OperationLog+Stored.swift", "PaceHandler.swift", "ProblemMiddleware.swift",
        "QueryCheck.swift", "Reply.swift", "SentMedia.swift", "SessionRoutes.swift",
    ]

    @Test func `each refusal that a person reads has a code`() throws {
        var withoutCode: Set<String> = []
        for file in sources(under: "Sources") where file.lastPathComponent != "Refusal.swift" {
            let code = try code(of: file)
            if code.contains("forPrograms:") {
                withoutCode.insert(file.lastPathComponent)
            }
            // The compiler refuses a bare text as well, as long as there is no such initialiser.
            let texts = code.matches(of: /\bRefusal\(\s*(?:\.\w+|code),\s*"[^"]*/)
            #expect(texts.isEmpty, "\(file.lastPathComponent): \(texts.map(\.output))")
        }
        #expect(withoutCode == Self.formChecks)
    }

    private static func area(_ code: String) -> String { String(code.prefix { $0 != "." }) }
}
