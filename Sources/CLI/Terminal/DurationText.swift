import ArgumentParser
import Concurrency
import Foundation
import Texts

/// A duration as typed, such as `3d`, `36h` or `90m`; digits alone are seconds.
struct DurationText: ExpressibleByArgument, Hashable, Sendable {
    let seconds: UInt64

    private static let units: [(name: Character, seconds: UInt64)] = [
        ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800),
    ]

    init?(argument: String) {
        let text = argument.lowercased().filter { $0 != " " }
        let unit = Self.units.first { $0.name == text.last }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = UInt64(digits)
        else { return nil }
        let (seconds, isOver) = number.multipliedReportingOverflow(by: unit?.seconds ?? 1)
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
