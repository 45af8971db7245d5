/// The subject of an entry of a vault.
///
/// A section of a later version is kept and merged like any other.
///
/// Source: Docs/protocol.md, section 15.
package struct VaultSection: RawRepresentable, Hashable, Comparable, Sendable {
    package static let favourites = VaultSection(rawValue: 1)
    package static let cart = VaultSection(rawValue: 2)
    package static let contacts = VaultSection(rawValue: 3)
    package static let settings = VaultSection(rawValue: 4)
    package static let blocks = VaultSection(rawValue: 5)
    package static let savedSearches = VaultSection(rawValue: 6)
    package static let drafts = VaultSection(rawValue: 7)
    package static let readMarks = VaultSection(rawValue: 8)
    package static let accepted = VaultSection(rawValue: 9)
    package static let works = VaultSection(rawValue: 10)
    package static let deliveries = VaultSection(rawValue: 11)

    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The maximum number of entries, removed ones counted.
    ///
    /// It can never change: nodes with different bounds would not agree on a vault's content.
    package var entriesMax: Int {
        switch self {
        case .favourites: 4_000
        case .contacts, .blocks, .readMarks, .accepted, .works, .deliveries: 2_000
        case .cart, .settings: 256
        default: 64
        }
    }

    /// The maximum length of a value, which can never change either.
    package var valueByteCountMax: Int {
        switch self {
        case .drafts: 16_384
        case .savedSearches: 2_048
        case .contacts, .settings: 1_024
        default: 512
        }
    }

    package static func < (left: VaultSection, right: VaultSection) -> Bool {
        left.rawValue < right.rawValue
    }
}
