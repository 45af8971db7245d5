package import Keys

/// The origin that a record's cost is charged to: this node, or the network address of the peer.
///
/// The peer that delivered the record first. Peer ids are free, addresses are not: all peers of one
/// IPv4 address, or of one /64 of IPv6, have one origin. It takes sixteen bytes, so that stores and
/// tables can hold many.
///
/// Source: Docs/protocol.md, section 4.11.
package struct RecordOrigin: Hashable, Comparable, Sendable {
    /// Records of this node's own accounts or operator.
    package static let own = RecordOrigin(place: 0, kind: 0)
    /// A peer whose address is unknown, for example because its link has just ended.
    package static let unknown = RecordOrigin(place: 0, kind: 1)

    /// The origin of an account, for limits that are shared between accounts.
    package static func account(_ account: Address) -> RecordOrigin {
        RecordOrigin(place: account.words.0, kind: 2 << 32 | UInt64(account.words.2))
    }

    /// The peer's address, or a hash of its id.
    package let place: UInt64
    /// The meaning of `place`.
    package let kind: UInt64

    package init(place: UInt64, kind: UInt64) {
        (self.place, self.kind) = (place, kind)
    }

    package static func < (left: RecordOrigin, right: RecordOrigin) -> Bool {
        (left.place, left.kind) < (right.place, right.kind)
    }
}
