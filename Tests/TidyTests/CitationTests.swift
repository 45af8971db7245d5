import Foundation
import Testing

/// What the code cites of the documents exists.
struct CitationTests {
    @Test func `each section that the code cites exists`() throws {
        var count = 0
        var documents: [String: Document] = [:]
        for file in files {
            let data = try Data(contentsOf: file)
            guard data.range(of: Data("Docs/".utf8)) != nil else { continue }
            let text = Self.joined(String(decoding: data, as: UTF8.self))
            for citation in text.matches(of: /Docs\/(\w+)\.md(?:,|`,)? sections? ([^;|]{1,60})/) {
                let name = String(citation.output.1)
                let document = try documents[name] ?? Document(name)
                documents[name] = document
                let cited = String(citation.output.2)
                if let title = cited.firstMatch(of: /^"([^"]+)"/) {
                    count += 1
                    #expect(
                        document.titles.contains(String(title.output.1)),
                        "\(file.lastPathComponent): \(citation.output.0)"
                    )
                }
                let list = cited.prefixMatch(of: /\d+(\.\d+)*((, | and )\d+(\.\d+)*)*/)
                for number in list?.output.0.matches(of: /\d+(\.\d+)*/) ?? [] {
                    count += 1
                    #expect(
                        document.numbers.contains(String(number.output.0)),
                        "\(file.lastPathComponent): \(citation.output.0)"
                    )
                }
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: ["protocol", "operations", "api", "cli", "limits", "contracts"])
    func `each section number that a document cites in itself exists`(name: String) throws {
        let document = try Document(name)
        // Other documents' and specifications' numbers stand behind a name.
        let cited = document.text.matches(of: /\((\d+\.\d+(?:\.\d+)?)(?:, (\d+\.\d+))?\)/)
        for citation in cited {
            for number in [citation.output.1, citation.output.2].compactMap({ $0 }) {
                #expect(document.numbers.contains(String(number)), "\(citation.output.0)")
            }
        }
    }

    @Test func `each section that a document cites in another document exists`() throws {
        var count = 0
        var documents: [String: Document] = [:]
        let folder = root.appending(path: "Docs")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let cited = text.matches(
                of: /\b([Pp]rotocol|operations|api|cli|limits) (\d+(?:\.\d+)*)/
            )
            for citation in cited {
                let other = citation.output.1.lowercased()
                let document = try documents[other] ?? Document(other)
                documents[other] = document
                count += 1
                #expect(
                    document.numbers.contains(String(citation.output.2)),
                    "\(name): \(citation.output.0)"
                )
            }
        }
        #expect(count > 50)
    }

    @Test func `each Swift file that a document names exists`() throws {
        let folder = root.appending(path: "Docs")
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for path in text.matches(of: /`((?:Sources|Tests)\/[\w+\/.]+\.swift)`/) {
                count += 1
                let file = root.appending(path: String(path.output.1))
                #expect(FileManager.default.fileExists(atPath: file.path), "\(name): \(file.path)")
            }
        }
        #expect(count > 20)
    }

    /// All code, tests and scripts.
    private var files: [URL] {
        ["Sources", "Tests", "Benchmarks", "Scripts"].flatMap { folder in
            let found = FileManager.default.enumerator(
                at: root.appending(path: folder),
                includingPropertiesForKeys: nil
            )
            return (found?.allObjects as? [URL] ?? []).filter {
                ["swift", "py", "vy", "proto"].contains($0.pathExtension)
            }
        }
    }

    /// The text with comments that go over several lines in one.
    private static func joined(_ text: String) -> String {
        text.replacing(/\n[ \t]*(\/\/\/?|#) (?=\S)/, with: " ")
    }
}

/// The numbers and titles of a document's sections.
private struct Document {
    let text: String
    let titles: Set<String>
    let numbers: Set<String>

    init(_ name: String) throws {
        let file = root.appending(path: "Docs/\(name).md")
        text = try String(contentsOf: file, encoding: .utf8)
        let headings = text.matches(of: /(?m)^#+ (?:(\d+(?:\.\d+)*)\.? )?(.+)$/)
        titles = Set(headings.map { String($0.output.2) })
        let paragraphs = text.matches(of: /(?m)^(\d+\.\d+(?:\.\d+)?)\.[ ]/)
        numbers = Set(
            headings.compactMap { $0.output.1.map(String.init) }
                + paragraphs.map { String($0.output.1) }
        )
    }
}
