import Foundation
import Setup
import Testing

/// What Prometheus is told of each metric.
struct MetricHelpTests {
    @Test func `exactly the program's metrics have a line of help`() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        var labels: Set<String> = []
        for case let path as String in files where path.hasSuffix(".swift") {
            guard !path.hasSuffix("MetricHelp.swift") else { continue }
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /"(stoa_[a-z_0-9]+)"/) {
                labels.insert(String(match.output.1))
            }
        }
        #expect(labels == Set(MetricHelp.texts.keys))
    }
}
