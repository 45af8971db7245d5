import Foundation
import Market

extension Timestamp {
    /// The wall clock's date, to the millisecond; before 1970 it is 1970.
    init(_ date: Date) {
        self.init(milliseconds: UInt64(max(0, date.timeIntervalSince1970 * 1_000)))
    }

    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
