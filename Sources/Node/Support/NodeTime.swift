import Foundation
import Market

extension Timestamp {
    /// Takes the wall clock's date, to the millisecond; a date before 1970 becomes 1970.
    init(_ date: Date) {
        self.init(milliseconds: UInt64(max(0, date.timeIntervalSince1970 * 1_000)))
    }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
