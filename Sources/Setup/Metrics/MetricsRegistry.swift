package import Metrics
import Synchronization

/// Holds every metric of the process and writes them in Prometheus's text format.
///
/// Source: Prometheus, "Exposition formats", text format 0.0.4.
package final class MetricsRegistry: MetricsFactory, Sendable {
    /// The name and labels of a metric.
    private struct Key: Hashable, Comparable {
        let name: String
        let labels: [String]

        static func < (left: Key, right: Key) -> Bool {
            (left.name, left.labels.joined()) < (right.name, right.labels.joined())
        }
    }

    /// Maximum number of metrics, so that labels made by strangers cannot fill the memory.
    private static let figuresMax = 10_000

    private let metrics = Mutex<[Key: Metric]>([:])

    package init() {}

    package func makeCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any CounterHandler {
        metric(label, dimensions, .counter)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        metric(label, dimensions, .gauge)
    }

    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        metric(label, dimensions, aggregate ? .summary : .gauge)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        metric(label, dimensions, .summary)
    }

    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Returns all metrics in the text format.
    package func text() -> String {
        let all = metrics.withLock { $0.sorted { $0.key < $1.key } }
        var lines: [String] = []
        var lastName = ""
        for (key, metric) in all {
            if key.name != lastName {
                if let help = MetricHelp.texts[key.name] {
                    lines.append("# HELP \(key.name) \(help)")
                }
                lines.append("# TYPE \(key.name) \(metric.kind.rawValue)")
                lastName = key.name
            }
            let labels = key.labels.isEmpty ? "" : "{" + key.labels.joined(separator: ",") + "}"
            lines += metric.lines(name: key.name, labels: labels)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func metric(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: Metric.Kind
    ) -> Metric {
        let name = label.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        let labels = dimensions.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: " ")
            return "\(name)=\"\(escaped)\""
        }
        let key = Key(name: String(name), labels: labels.sorted())
        return metrics.withLock { metrics in
            if let metric = metrics[key] { return metric }
            let metric = Metric(kind)
            if metrics.count < Self.figuresMax { metrics[key] = metric }
            return metric
        }
    }
}
