package import Concurrency
package import Foundation
package import Keys
package import Market

extension Timestamp {
    /// Takes the wall clock's date, to the millisecond; a date before 1970 becomes 1970.
    package init(_ date: Date) {
        self.init(milliseconds: UInt64(max(0, date.timeIntervalSince1970 * 1_000)))
    }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

extension StoredWriter {
    /// Writes a date to the nearest millisecond, so that one that was read is written unchanged.
    package mutating func write(_ date: Date) {
        write(UInt64(max(0, (date.timeIntervalSince1970 * 1_000).rounded())))
    }
}

extension StoredReader {
    package mutating func date() throws(StoredValueError) -> Date { try time().date }
}

extension WallClock {
    /// The machine's date, to the millisecond.
    package var timestamp: Timestamp { Timestamp(now) }
}
