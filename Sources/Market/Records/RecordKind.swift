/// What a record says, with the rules that follow from it alone.
///
/// Source: Docs/protocol.md, section 5.
package enum RecordKind: UInt8, CaseIterable, Sendable {
    case profile = 1
    case device = 2
    case listing = 3
    case review = 4

    /// How long after its making a record is kept, withdrawals included.
    ///
    /// The same for every record of a kind, so that a winner outlives what it replaced.
    package var lifetime: Duration {
        switch self {
        case .profile, .device: .days(730)
        case .listing: .days(400)
        case .review: .days(3_650)
        }
    }

    /// How many of an author's slots are kept, withdrawals counted.
    package var slotsMax: Int {
        switch self {
        case .profile: 1
        case .device: 16
        case .listing: 1_000
        case .review: 10_000
        }
    }
}
