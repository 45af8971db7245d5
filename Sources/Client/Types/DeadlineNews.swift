public import Foundation

/// A reminder of a deadline of one of the account's sales, in events of type `deadline`.
public struct DeadlineNews: Hashable, Sendable {
    /// The type of these events.
    public static let eventType = "deadline"

    /// When it passes, or passed, on the chain's clock.
    public var deadline: Date
    /// 72, 24 or 6 in a reminder; 0 once it has passed.
    public var hoursLeft: Int
    /// The account's role in the sale.
    public var role: String?
    /// The moves of the account that end with it.
    public var closes: [String]
    /// The moves that it opens in the account's favour, or to the account alone.
    public var opens: [String]
    /// The change, in words.
    public var consequence: String?
    /// Why the node could not make the move in ``opens`` for the account, in words.
    public var problem: String?

    public init(
        deadline: Date,
        hoursLeft: Int,
        role: String? = nil,
        closes: [String] = [],
        opens: [String],
        consequence: String? = nil,
        problem: String? = nil
    ) {
        (self.deadline, self.hoursLeft, self.role) = (deadline, hoursLeft, role)
        (self.closes, self.opens) = (closes, opens)
        (self.consequence, self.problem) = (consequence, problem)
    }

    /// Reads an event; `nil` for one of another type or without a time.
    public init?(_ event: Event) {
        guard event.type == Self.eventType,
            let deadline = event.data["deadline"].flatMap({ try? Date($0, strategy: .iso8601) }),
            let hoursLeft = event.data["hoursLeft"].flatMap({ Int($0) })
        else { return nil }
        func names(_ key: String) -> [String] {
            event.data[key].map { $0.split(separator: ",").map(String.init) } ?? []
        }
        self.init(
            deadline: deadline,
            hoursLeft: hoursLeft,
            role: event.data["role"],
            closes: names("closes"),
            opens: names("opens"),
            consequence: event.data["consequence"],
            problem: event.data["problem"]
        )
    }

    /// The event's ``Event/data``.
    public var data: [String: String] {
        var data = ["deadline": deadline.formatted(.iso8601), "hoursLeft": "\(hoursLeft)"]
        if !closes.isEmpty { data["closes"] = closes.joined(separator: ",") }
        if !opens.isEmpty { data["opens"] = opens.joined(separator: ",") }
        data["role"] = role
        data["consequence"] = consequence
        data["problem"] = problem
        return data
    }
}
