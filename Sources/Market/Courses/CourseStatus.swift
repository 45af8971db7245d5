/// The statuses of a round of a course, in the contract's order.
package enum CourseStatus: String, SaleStatus, ContractFlag {
    /// Students enrol. Becomes begun or cancelled.
    case open
    /// The course takes place and is rated. Becomes settled.
    case begun
    /// The students can withdraw the price after a refund.
    case cancelled
    /// The money was divided between teacher and platform.
    case settled

    package var stage: SaleStage {
        switch self {
        case .open: .offered
        case .begun: .running
        case .cancelled, .settled: .over
        }
    }
}
