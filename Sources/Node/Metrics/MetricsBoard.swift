package import Metrics
import Synchronization

/// Holds every figure of the process and writes them as Prometheus reads them.
///
/// Source: Prometheus, "Exposition formats", text format 0.0.4.
package final class MetricsBoard: MetricsFactory, Sendable {
    /// One figure by its name and labels.
    private struct Key: Hashable, Comparable {
        let name: String
        let labels: [String]

        static func < (left: Key, right: Key) -> Bool {
            (left.name, left.labels.joined()) < (right.name, right.labels.joined())
        }
    }

    /// The most figures kept, so that labels made by strangers cannot fill the memory.
    private static let figuresMax = 10_000

    private let figures = Mutex<[Key: Figure]>([:])

    package init() {}

    package func makeCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any CounterHandler {
        figure(label, dimensions, .counter)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        figure(label, dimensions, .gauge)
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        figure(label, dimensions, aggregate ? .summary : .gauge)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        figure(label, dimensions, .summary)
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// All figures, in the text format.
    package func text() -> String {
        let all = figures.withLock { $0.sorted { $0.key < $1.key } }
        var lines: [String] = []
        var lastName = ""
        for (key, figure) in all {
            if key.name != lastName {
                if let help = MetricHelp.texts[key.name] {
                    lines.append("# HELP \(key.name) \(help)")
                }
                lines.append("# TYPE \(key.name) \(figure.kind.rawValue)")
                lastName = key.name
            }
            let labels = key.labels.isEmpty ? "" : "{" + key.labels.joined(separator: ",") + "}"
            lines += figure.lines(name: key.name, labels: labels)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func figure(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: Figure.Kind
    ) -> Figure {
        let name = label.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        let labels = dimensions.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: " ")
            return "\(name)=\"\(escaped)\""
        }
        let key = Key(name: String(name), labels: labels.sorted())
        return figures.withLock { figures in
            if let figure = figures[key] { return figure }
            let figure = Figure(kind)
            if figures.count < Self.figuresMax { figures[key] = figure }
            return figure
        }
    }
}
