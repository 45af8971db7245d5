package import Keys
package import Market

/// Where a home keeps mail, leases and keys: what the node's disk does for ``MailExchange``.
///
/// Whatever returns is durable. An error says that the node cannot do it now; it is answered as
/// ``MailRefusal/unable``.
package protocol MailStore: Sendable {
    /// What is known of an account, and of one of its devices where one is meant.
    /// `deposit` is what is deposited for it, if anything is.
    func facts(
        of account: Address,
        device: Bytes32?,
        deposit: MailDeposit?,
        at now: Timestamp
    ) async throws -> MailServer.Facts

    /// Keeps the account's mail from now on; answers why not, if there is no room.
    ///
    /// `origin` names the address that asks.
    func grant(
        _ lease: HomeLease,
        to account: Address,
        from origin: Bytes32
    ) async throws -> MailRefusal?

    /// Keeps what a certified device says of its grants, in place of what it said before.
    func keepGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: Bytes32
    ) async throws -> MailRefusal?

    /// Records and bundles by which an account can be written to.
    func keys(of account: Address) async throws -> (bundles: [[UInt8]], records: [[UInt8]])

    /// Judges records as if they had come by gossip from a peer of that origin; those that this
    /// node asked for are taken even if the origin has brought much lately.
    func take(records: [[UInt8]], from origin: RecordOrigin, isAsked: Bool) async

    /// Keeps a certified device's bundle if it is newer than the one here.
    func keep(_ bundle: PrekeyBundle, at now: Timestamp) async throws

    /// Keeps an envelope; `nil` once it is durable, also if it was here before.
    ///
    /// `origin` names the address that it came from.
    func deposit(
        _ envelope: MailEnvelope,
        as admission: MailAdmission,
        from origin: Bytes32,
        at now: Timestamp
    ) async throws -> MailRefusal?

    /// What waits for a device, by rising numbers.
    func waiting(
        for account: Address,
        device: Bytes32,
        after number: UInt64,
        limit: Int
    ) async throws -> [WaitingEnvelope]

    /// Forgets what a device has collected.
    func acknowledge(_ numbers: [UInt64], of account: Address, device: Bytes32) async throws
}

/// How this node is a home for others.
package struct MailSettings: Sendable {
    package let network: String
    package var acceptsHomes: Bool
    /// How long a lease lasts.
    package var lease: Duration
    /// What a lease promises to keep for one account.
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
