import Foundation
import Testing

/// Turns that do not read as English do not come back; see CONTRIBUTING.md, "Prose".
struct ProseTests {
    /// Each with a plain word that takes its place.
    private static let turns = [
        "all the same": "nevertheless", "amid": "during", "an caller": "a caller",
        "anew": "again", "any more": "no longer", "as ever": "as usual", "by turns": "in turn",
        "hence": "so", "in place of": "instead of", "in its stead": "instead",
        "meanwhile": "until then", "no more": "at most or no longer",
        "of others": "another account's", "shall": "must",
        "to be had": "available", "who may do what": "the possible moves",
    ]

    @Test(arguments: sources(under: "Sources"))
    func `comments avoid the listed turns and name their subject`(file: URL) throws {
        let comments = try comments(of: file)
        let words = Self.words(comments.joined(separator: " | "))
        for (turn, plain) in Self.turns {
            let isUsed = words.contains(" \(turn) ")
            #expect(!isUsed, "\(file.lastPathComponent): write '\(plain)' for '\(turn)'")
        }
        let vague = comments.filter {
            $0.prefixMatch(of: /(?:- (?:Parameter )?\w+: )?What\b/) != nil
        }
        #expect(vague.isEmpty, "\(file.lastPathComponent) says 'What …' instead of a noun")
    }

    @Test(arguments: sources(under: "Tests"))
    func `test names avoid the listed turns`(file: URL) throws {
        let names = try code(of: file).matches(of: /func `([^`]+)`/).map { $0.output.1 }
        let words = Self.words(names.joined(separator: " | "))
        for (turn, plain) in Self.turns {
            let isUsed = words.contains(" \(turn) ")
            #expect(!isUsed, "\(file.lastPathComponent): write '\(plain)' for '\(turn)'")
        }
    }

    /// The words of a text in lower case, with one blank before, between and after them; `|` stays.
    private static func words(_ text: String) -> String {
        let kept = Set("abcdefghijklmnopqrstuvwxyz'|".utf8)
        let words = text.lowercased().utf8.split { !kept.contains($0) }
        return " " + words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") + " "
    }

    /// The paragraphs and list items in the comments of a file, each on one line.
    private func comments(of file: URL) throws -> [String] {
        var found: [String] = []
        var isOpen = false
        for line in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            let body = line.drop { $0 == " " }
            let text = String(body.drop { $0 == "/" }.drop { $0 == " " })
            guard body.hasPrefix("//"), !text.isEmpty else {
                isOpen = false
                continue
            }
            if isOpen, !text.hasPrefix("- ") {
                found[found.count - 1] += " " + text
            } else {
                found.append(text)
            }
            isOpen = true
        }
        return found
    }
}
