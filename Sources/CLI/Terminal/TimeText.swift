import ArgumentParser
import Foundation

/// A time as typed, in UTC: `2027-01-31`, or with hours and minutes `2027-01-31 18:00`.
struct TimeText: ExpressibleByArgument, Hashable, Sendable {
    /// Since 1970.
    let seconds: UInt64

    init?(argument: String) {
        let form = /(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?Z?)?/
        guard let match = argument.wholeMatch(of: form) else { return nil }
        let (day, clock, seconds) = (match.output.1, match.output.2, match.output.3)
        let text = "\(day)T\(clock ?? "00:00")\(seconds ?? ":00")Z"
        // A day that does not exist, such as 31 June, would become another one.
        guard let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text,
            date.timeIntervalSince1970 >= 0
        else { return nil }
        self.seconds = date.unixSeconds
    }

    /// Formats a time in seconds since 1970 for people, in UTC.
    static func text(_ seconds: UInt64) -> String {
        text(Date(timeIntervalSince1970: Double(seconds)))
    }

    /// Formats a time for people, in UTC.
    static func text(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, includingFractionalSeconds: false)
        )
    }
}

extension Date {
    /// Whole seconds since 1970; 0 for an earlier date.
    var unixSeconds: UInt64 { UInt64(max(0, timeIntervalSince1970)) }
}
