package import Keys

/// Where a record came from, as far as limits are shared by it: this node, or the place in the
/// network of the peer that brought it first.
///
/// Peer ids are free, addresses are not: peers of one IPv4 address, or of one /64 of IPv6, have one
/// origin. Sixteen bytes, so that stores and tables can keep many.
///
/// Source: Docs/protocol.md, section 4.11.
package struct RecordOrigin: Hashable, Comparable, Sendable {
    /// This node's own, by an account or an operator here.
    package static let own = RecordOrigin(place: 0, kind: 0)
    /// A peer whose address is not known, such as one whose link has just ended.
    package static let unknown = RecordOrigin(place: 0, kind: 1)

    /// An account, of what is shared by accounts.
    package static func account(_ account: Address) -> RecordOrigin {
        RecordOrigin(place: account.words.0, kind: 2 << 32 | UInt64(account.words.2))
    }

    /// The peer's address, or a hash of its name.
    package let place: UInt64
    /// What `place` is.
    package let kind: UInt64

    package init(place: UInt64, kind: UInt64) {
        (self.place, self.kind) = (place, kind)
    }

    package static func < (left: RecordOrigin, right: RecordOrigin) -> Bool {
        (left.place, left.kind) < (right.place, right.kind)
    }
}
