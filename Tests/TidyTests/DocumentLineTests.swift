import Foundation
import Testing

/// Each line of a document is one whole sentence, so that a changed rule is a changed line.
struct DocumentLineTests {
    private static let documents = ["README", "CONTRIBUTING", "SECURITY"].map { "\($0).md" } + docs

    @Test(arguments: documents)
    func `a line has one sentence`(name: String) throws {
        let crowded = try lines(of: name).map(\.text).filter { line in
            let plain = line.replacing(/`[^`]*`/, with: "X").replacing(/\*\*[^*]*\*\*/, with: "x")
                .trimmingPrefix(while: \.isWhitespace)
                .replacing(/^(?:- |\d+\. |\d+\.\d+(?:\.\d+)?\. )/, with: "")
            return plain.contains(/[.!?][)"]? +["(]?[A-Z]/)
        }
        #expect(crowded.isEmpty)
    }

    @Test(arguments: documents)
    func `a sentence ends on its line`(name: String) throws {
        let broken = try lines(of: name).filter { line in
            line.isContinued && !line.text.contains(/[.!?][)"*`]*$/)
        }
        #expect(broken.map(\.text).isEmpty)
    }

    /// The documents in Docs.
    private static var docs: [String] {
        let folder = root.appending(path: "Docs").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { "Docs/\($0)" }
    }

    /// The lines of prose, without headings, tables and code, and whether prose follows that begins
    /// neither an item nor a numbered rule.
    private func lines(of name: String) throws -> [(text: Substring, isContinued: Bool)] {
        var isCode = false
        let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
        let all = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.contains("```") { isCode.toggle() }
            let isProse = !isCode && !line.contains(/^(?:\||#|<|```|    |\s*$)/)
            return isProse ? line : nil
        }
        return zip(all, all.dropFirst() + [nil]).compactMap { line, next in
            guard let line else { return nil }
            let begins = next?.contains(/^ *(?:- |\d+\. |\d+\.\d)/) ?? true
            return (line, !begins)
        }
    }
}
