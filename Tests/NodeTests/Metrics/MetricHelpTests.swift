import Foundation
import Support
import Testing

@testable import Node

/// What Prometheus is told of each metric.
struct MetricHelpTests {
    @Test func `each metric of the program has a line of help, and no other`() throws {
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

    @Test func `the metrics of a node come with their help`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let lines = try await node.get("metrics").body.split(separator: "\n")
            let place = try #require(lines.firstIndex(of: "# TYPE stoa_peers gauge"))
            #expect(lines[place - 1] == "# HELP stoa_peers Peers that are connected.")
        }
    }
}
