import Foundation
import Testing

/// The code and the texts for people agree about the codes; the compiler does not see these.
struct TextCodeTests {
    @Test func `the code uses the texts that there are, and all of them`() throws {
        let english = try JSONDecoder().decode(
            [String: String].self,
            from: Data(contentsOf: root.appending(path: "Texts/en.json"))
        )
        let all = try sources(under: "Sources").map { try code(of: $0) }.joined()
        let used = Set(all.matches(of: /"(standing\.\w+)"/).map { String($0.output.1) })
        #expect(used == Set(english.keys.filter { $0.hasPrefix("standing.") }))
        let areas = Set(all.matches(of: /, in: "(\w+)"\)/).map { String($0.output.1) })
        let known = Set(english.keys.compactMap { $0.split(separator: ".").first.map(String.init) })
        #expect(areas.contains("phase") && areas.isSubset(of: known))
    }
}
