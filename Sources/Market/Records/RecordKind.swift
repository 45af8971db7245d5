/// The kind of a record, with the rules that depend on nothing else.
///
/// Source: Docs/protocol.md, section 5.
package enum RecordKind: UInt8, CaseIterable, Sendable {
    case profile = 1
    case device = 2
    case listing = 3
    case review = 4
    case curation = 5

    /// How long a record is kept after its creation, withdrawals included.
    ///
    /// It is the same for every record of a kind, so a winner always outlives the record that it
    /// replaced.
    package var lifetime: Duration {
        switch self {
        case .profile, .device: .days(730)
        case .listing, .curation: .days(400)
        case .review: .days(3_650)
        }
    }

    /// How many different records of one slot are kept.
    ///
    /// A review cannot be replaced. If its author signs a second one for the same slot, both are
    /// kept, so that everybody sees that they contradict each other.
    package var keptPerSlot: Int { self == .review ? 2 : 1 }

    /// How many slots of an author are kept, withdrawals included.
    package var slotsMax: Int {
        switch self {
        case .profile: 1
        case .device: 16
        case .listing: 1_000
        case .review: 10_000
        case .curation: 16
        }
    }
}
