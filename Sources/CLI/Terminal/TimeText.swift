import Foundation

/// Formats times for people, in UTC.
enum TimeText {
    static func text(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, includingFractionalSeconds: false)
        )
    }
}
