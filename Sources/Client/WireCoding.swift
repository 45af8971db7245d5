public import Foundation

/// The JSON encoding of the API's types.
///
/// Times are ISO 8601 in UTC with milliseconds; names are in camelCase.
public enum WireCoding {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(of: date))
        }
        return encoder
    }

    /// Returns a time to the nearest millisecond; a format style would round it down, often to the
    /// one before, because few fractions have an exact binary form.
    package static func text(of date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        // From 1970 until the year 10,000, in which years have more digits.
        guard (0..<253_402_300_800_000).contains(milliseconds) else { return date.formatted(style) }
        let (days, time) = Int(milliseconds).quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = calendarDay(days)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ number: Int, digits: Int, _ end: Unicode.Scalar) {
            var divisor = 1
            for _ in 1..<digits { divisor *= 10 }
            while divisor > 0 {
                text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
                divisor /= 10
            }
            text.append(UInt8(ascii: end))
        }
        append(year, digits: 4, "-")
        append(month, digits: 2, "-")
        append(day, digits: 2, "T")
        append(time / 3_600_000, digits: 2, ":")
        append(time / 60_000 % 60, digits: 2, ":")
        append(time / 1_000 % 60, digits: 2, ".")
        append(time % 1_000, digits: 3, "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the day that begins `days` days after 1970 did.
    ///
    /// Counts in years from March on, so that a leap day is the last of its year.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    private static func calendarDay(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    public static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = try? Date(text, strategy: style) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "'\(text)' is not a time such as 2026-01-31T12:00:00.000Z"
                )
            }
            return date
        }
        return decoder
    }
}
