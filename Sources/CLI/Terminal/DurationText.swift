import ArgumentParser
import Concurrency
import Foundation
import Texts

/// A duration as typed, such as `3d`, `36h`, `90 min` or `2 weeks`.
///
/// Digits alone, other than `0`, are none: people mean days by `60` in one place, and minutes in
/// another.
struct DurationText: ExpressibleByArgument, Hashable, Sendable {
    let seconds: UInt64

    private static let units: [(names: [Substring], seconds: UInt64)] = [
        (["s", "sec", "second", "seconds"], 1), (["m", "min", "minute", "minutes"], 60),
        (["h", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400),
        (["w", "week", "weeks"], 604_800),
    ]

    init?(argument: String) {
        let text = argument.lowercased().filter { $0 != " " }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count)
        let unit = Self.units.first { $0.names.contains(name) }?.seconds
        guard let number = UInt64(digits), unit != nil || name.isEmpty && number == 0 else {
            return nil
        }
        let (seconds, isOver) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !isOver else { return nil }
        self.seconds = seconds
    }

    init(seconds: UInt64) { self.seconds = seconds }

    /// Returns the time this long after `start`, or after this machine's present time without one,
    /// in seconds since 1970.
    func end(from start: Date?) -> UInt64 {
        let now = start ?? SystemWallClock().now
        let (end, isOver) = now.unixSeconds.addingReportingOverflow(seconds)
        return isOver ? .max : end
    }

    var defaultValueDescription: String { Self.text(seconds) }

    /// Formats seconds in the largest unit that gives a whole number: `3 days`, `90 minutes`.
    static func text(_ seconds: UInt64) -> String { NumberWords.duration(seconds: seconds) }
}
