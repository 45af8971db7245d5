import Metrics
import Storage

/// What metrics show of records that cost nothing, and of those that wait for a sale.
enum RecordMeters {
    /// What became of one.
    enum Outcome: String, CaseIterable {
        case accepted
        /// Accepted, but its origin brings more than is passed on.
        case notPassedOn = "not_passed_on"
        case unstamped = "no_stamp"
        case tooLong = "too_long"
        case originOverBudget = "origin_over_budget"
        case authorOverBudget = "author_over_budget"
        case noRoom = "no_room"
        case held
        case heldOverBudget = "held_over_budget"
        case heldNoRoom = "held_no_room"
        /// Its signature was not looked at: too many of its origin's came to nothing.
        case notChecked = "not_checked"
    }

    private static let counters = Outcome.allCases.map { outcome in
        Counter(label: "stoa_records_open", dimensions: [("outcome", outcome.rawValue)])
    }

    static func count(_ outcome: Outcome) {
        guard let index = Outcome.allCases.firstIndex(of: outcome) else { return }
        counters[index].increment()
    }

    /// Sets the levels of the moment.
    static func show(_ store: Store) throws {
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
