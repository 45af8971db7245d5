/// One line of the table of attacks.
struct AttackRow {
    /// What a node is expected to hold to.
    struct Bounds {
        /// Latency that is good enough, however quick it is otherwise.
        let milliseconds: Double
        /// How many times the quiet latency it may take besides.
        let factor: Double
        let mebibytes: Double
    }

    static let head = """
        | attack | done | ping | gossip | record | delivered | CPU | memory | stored | left | verdict |
        |---|---|---|---|---|---|---|---|---|---|---|
        """

    let attack: Attack
    /// Units of the attack that were done.
    let sent: Int
    let before: HonestPair.Phase
    let during: HonestPair.Phase
    let after: HonestPair.Phase
    /// Of one processor.
    let processor: Double
    /// Anonymous memory at most, during the attack.
    let mebibytes: Double
    let storedBytes: Double
    /// What is still held for the attacker after it has gone; nothing if empty.
    let left: [String]
    let limits: Bounds

    var line: String {
        let cells = [
            "\(attack.name): \(attack.words)", "\(sent)", latencies(\.ping), latencies(\.gossip),
            latencies(\.record), "\(during.delivered) of \(during.sent)",
            "\(Int((processor * 100).rounded())) %", "\(Int(mebibytes.rounded())) MiB",
            "\(Int(storedBytes / 1_024)) KiB",
            left.isEmpty ? "nothing" : left.joined(separator: ", "),
            verdict,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// Median and 99th percentile in milliseconds: before, during, after.
    private func latencies(_ part: KeyPath<HonestPair.Phase, [Double]>) -> String {
        [before, during, after]
            .map { phase in
                let sorted = phase[keyPath: part].sorted()
                return "\(quantile(0.5, of: sorted)) (\(quantile(0.99, of: sorted)))"
            }
            .joined(separator: "; ")
    }

    private var verdict: String {
        guard sent >= attack.least else { return "did not take place" }
        var missed: [String] = []
        if !during.isWhole { missed.append("lost") }
        if !after.isWhole { missed.append("lost after") }
        let parts: [(String, KeyPath<HonestPair.Phase, [Double]>)] = [
            ("ping", \.ping), ("gossip", \.gossip), ("record", \.record),
        ]
        for (name, part) in parts {
            if isSlow(during, part, 0.99) { missed.append(name) }
            // The 99th percentile of so few would be a single one.
            if isSlow(after, part, 0.5) { missed.append("\(name) after") }
        }
        if mebibytes > limits.mebibytes { missed.append("memory") }
        if !left.isEmpty { missed.append("left") }
        return missed.isEmpty ? "held" : "missed: " + missed.joined(separator: ", ")
    }

    /// Whether a quantile of a latency is beyond what it may be, by the same quantile before.
    private func isSlow(
        _ phase: HonestPair.Phase,
        _ part: KeyPath<HonestPair.Phase, [Double]>,
        _ quantile: Double
    ) -> Bool {
        let quiet = self.quantile(quantile, of: before[keyPath: part].sorted())
        let bound = max(limits.milliseconds, limits.factor * quiet)
        return self.quantile(quantile, of: phase[keyPath: part].sorted()) > bound
    }

    private func quantile(_ part: Double, of sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let value = sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
        return (value * 10).rounded() / 10
    }
}
