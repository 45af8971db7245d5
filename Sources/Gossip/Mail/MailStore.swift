package import GossipProtocol
package import Keys
package import Market

/// The durable storage of a home: mail, leases and keys, used by ``MailExchange``.
///
/// Each function returns after its changes are durable. An error means that the node cannot do it
/// now; the peer is answered ``MailRefusal/unable``.
package protocol MailStore: Sendable {
    /// Returns the stored data about an account, and about `device` if it is not `nil`.
    ///
    /// `deposit` is the deposit to be admitted, if the question is one, and `origin` identifies the
    /// sender's address.
    func facts(
        of account: Address,
        device: Bytes32?,
        deposit: MailDeposit?,
        from origin: Bytes32,
        at now: Timestamp
    ) async throws -> MailServer.Facts

    /// Stores a lease for the account; returns the reason if there is no room.
    ///
    /// `origin` identifies the address of the asking peer.
    func grant(
        _ lease: HomeLease,
        to account: Address,
        from origin: Bytes32
    ) async throws -> MailRefusal?

    /// Replaces the stored grants of a certified device.
    func keepGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: Bytes32
    ) async throws -> MailRefusal?

    /// Returns the records and prekey bundles that are needed to write to an account.
    func keys(of account: Address) async throws -> (bundles: [[UInt8]], records: [[UInt8]])

    /// Validates and stores records as if they had arrived by gossip from `origin`.
    ///
    /// Records that this node requested are accepted even if the origin has delivered many
    /// recently.
    func take(records: [[UInt8]], from origin: RecordOrigin, isAsked: Bool) async

    /// Stores a certified device's bundle if it is newer than the stored one.
    func keep(_ bundle: PrekeyBundle, at now: Timestamp) async throws

    /// Stores an envelope; returns `nil` once it is durable, even if it was stored before.
    ///
    /// `origin` identifies the sender's address.
    func deposit(
        _ envelope: MailEnvelope,
        as admission: MailAdmission,
        from origin: Bytes32,
        at now: Timestamp
    ) async throws -> MailRefusal?

    /// Returns envelopes that wait for a device, by rising number.
    func waiting(
        for account: Address,
        device: Bytes32,
        after number: UInt64,
        limit: Int
    ) async throws -> [WaitingEnvelope]

    /// Returns the stored part of a vault, and segments after `marks`, by rising device and number.
    ///
    /// At most `limit` segments, of together at most `byteCountMax`.
    func vault(
        of account: Address,
        after marks: [VaultLogMark],
        limit: Int,
        byteCountMax: Int
    ) async throws -> (held: [VaultLogMark], segments: [VaultSegment])

    /// Returns how many look-ups a question about a vault costs, or a segment that is written to
    /// it.
    func vaultCost(of account: Address) async throws -> Int

    /// Returns the number up to which each log of a vault is here without a gap; `nil` if none has
    /// a gap.
    func vaultGaps(of account: Address) async throws -> [VaultLogMark]?

    /// Stores a segment of a vault that a device of the account has sent.
    func keep(_ segment: VaultSegment) async throws -> MailRefusal?

    /// Removes envelopes that a device has collected.
    func acknowledge(_ numbers: [UInt64], of account: Address, device: Bytes32) async throws
}

/// Settings of this node as a home for others.
package struct MailSettings: Sendable {
    package let network: String
    package var acceptsHomes: Bool
    /// How long a lease lasts.
    package var lease: Duration
    /// Bytes that a lease promises to keep for one account.
    package var quotaByteCount: UInt64
    package var limits: MailLimits

    package init(
        network: String,
        acceptsHomes: Bool,
        lease: Duration,
        quotaByteCount: UInt64,
        limits: MailLimits = MailLimits()
    ) {
        (self.network, self.acceptsHomes, self.lease) = (network, acceptsHomes, lease)
        (self.quotaByteCount, self.limits) = (quotaByteCount, limits)
    }
}
