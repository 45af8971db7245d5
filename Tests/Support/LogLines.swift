package import Logging
import Synchronization

/// Keeps what is logged, for a test to read.
package final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    package var all: [String] { lines.withLock { $0 } }

    /// A logger whose lines, with their metadata, are kept here.
    package var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let text = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let line = "\(event.message) " + text.joined(separator: " ")
            lines.lines.withLock { $0.append(line) }
        }
    }
}
