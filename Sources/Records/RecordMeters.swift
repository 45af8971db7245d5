import Metrics
package import Storage

/// The metrics of open records, and of records that wait for a sale.
package enum RecordMeters {
    /// The outcome for one record.
    enum Outcome: String, CaseIterable {
        case accepted
        /// Accepted, but its origin sends more than is passed on.
        case notForwarded = "not_passed_on"
        case unstamped = "no_stamp"
        case tooLong = "too_long"
        case originOverBudget = "origin_over_budget"
        case authorOverBudget = "author_over_budget"
        case noRoom = "no_room"
        case held
        case heldOverBudget = "held_over_budget"
        case heldNoRoom = "held_no_room"
        /// Its signature was not checked: too many checks for its origin have failed.
        case notChecked = "not_checked"
    }

    private static let counters = Outcome.allCases.map { outcome in
        Counter(label: "stoa_records_open", dimensions: [("outcome", outcome.rawValue)])
    }

    static func count(_ outcome: Outcome) {
        guard let index = Outcome.allCases.firstIndex(of: outcome) else { return }
        counters[index].increment()
    }

    private static let unknownKinds = Counter(label: "stoa_records_unknown_kind")

    /// Counts a record of a kind that only a later version knows.
    static func countUnknownKind() { unknownKinds.increment() }

    /// Sets the gauges to the present values.
    package static func show(_ store: Store) throws {
        let (bytes, kept, held) = try store.read {
            (try $0.openLaneBytes(), try $0.keptOpenBytes(), try $0.heldRecordCount())
        }
        let givenUp = try store.read { try $0.givenUpCount() }
        Gauge(label: "stoa_open_lane_bytes").record(bytes)
        Gauge(label: "stoa_open_lane_kept_bytes").record(kept)
        Gauge(label: "stoa_records_held").record(held)
        Gauge(label: "stoa_records_given_up").record(givenUp)
    }
}
