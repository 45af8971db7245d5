package import Market

/// The ban of an address, as it is kept over a restart.
package struct AddressBanNote: Hashable, Sendable {
    package let group: AddressGroup
    /// When it ends, in seconds of Unix time; `nil` if it was lifted.
    package let until: Int64?
    package let reason: String

    package init(group: AddressGroup, until: Int64?, reason: String) {
        (self.group, self.until, self.reason) = (group, until, reason)
    }
}

/// The part of a peer's entry that is kept over a restart.
package struct PeerNote: Hashable, Sendable {
    package let peer: PeerID
    /// Best first, each with the expected peer.
    package var addresses: [Multiaddr]
    /// The sequence of the peer's newest record that was read.
    package var sequence: UInt64
    /// In seconds of Unix time, like the other times here.
    package var lastSuccessAt: Int64?
    package var lastFailureAt: Int64?
    /// Failures since the last success.
    package var failures: Int
    /// When a ban ends.
    package var bannedUntil: Int64?
    package var banReason: String

    package init(
        peer: PeerID,
        addresses: [Multiaddr] = [],
        sequence: UInt64 = 0,
        lastSuccessAt: Int64? = nil,
        lastFailureAt: Int64? = nil,
        failures: Int = 0,
        bannedUntil: Int64? = nil,
        banReason: String = ""
    ) {
        self.peer = peer
        self.addresses = addresses
        self.sequence = sequence
        self.lastSuccessAt = lastSuccessAt
        self.lastFailureAt = lastFailureAt
        self.failures = failures
        self.bannedUntil = bannedUntil
        self.banReason = banReason
    }
}
