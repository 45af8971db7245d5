/// The status of a round of a course; raw values are the contract's.
package enum CourseStatus: UInt64, SaleStatus {
    /// Students enrol. Becomes begun or cancelled.
    case open = 1
    /// The course takes place and is rated. Becomes settled.
    case begun = 2
    /// The students can withdraw the price after a refund.
    case cancelled = 4
    /// The money was divided between teacher and platform.
    case settled = 8

    package var name: String {
        switch self {
        case .open: "open"
        case .begun: "begun"
        case .cancelled: "cancelled"
        case .settled: "settled"
        }
    }

    package var stage: SaleStage {
        switch self {
        case .open: .offered
        case .begun: .running
        case .cancelled, .settled: .over
        }
    }
}
