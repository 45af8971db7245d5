import Metrics
import Synchronization

/// A metric: a counter, a gauge, or the sum and the number of measurements.
final class Metric: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, Sendable {
    /// The metric's type in Prometheus.
    enum Kind: String, Sendable {
        case counter
        case gauge
        case summary
    }

    private struct State {
        var value = 0.0
        var count = 0
    }

    let kind: Kind
    private let state = Mutex(State())

    init(_ kind: Kind) {
        self.kind = kind
    }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { state.withLock { $0 = State() } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { state.withLock { $0.value = value } }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        if kind == .gauge { set(value) } else { measure(value) }
    }

    func recordNanoseconds(_ duration: Int64) { measure(Double(duration) / 1e9) }

    func lines(name: String, labels: String) -> [String] {
        let now = state.withLock { $0 }
        guard kind == .summary else { return ["\(name)\(labels) \(now.value)"] }
        return ["\(name)_sum\(labels) \(now.value)", "\(name)_count\(labels) \(now.count)"]
    }

    private func add(_ amount: Double) { state.withLock { $0.value += amount } }

    private func measure(_ value: Double) {
        state.withLock { state in
            state.value += value
            state.count += 1
        }
    }
}
