import Market

/// The work that one peer may still cause until the next heartbeat.
struct PeerAllowance: Equatable, Sendable {
    /// New messages it may still deliver; increases with each heartbeat.
    var deliveries: Int
    /// Duplicates it may still send.
    ///
    /// Increases with each heartbeat, and with each new message from any peer.
    var duplicates: Int
    var announcements = 0
    var wanted = 0
    /// Ids it asked for.
    var asked = 0
    /// Ids it asked for that were never here.
    var unknownAsked = 0
    var servedBytes = 0
    /// Frames without effect.
    var emptyFrames = 0
    /// Bytes without effect.
    var unusedBytes = 0
    /// Subscriptions, GRAFTs and PRUNEs.
    var changes = 0
}

/// The allowances of peers, and of all peers of one address together.
///
/// It outlives links: an allowance is removed only once it is full again, so a peer gains nothing
/// by reconnecting, or by using another key. A full table removes the allowance that is nearest to
/// full.
///
/// Source: Docs/protocol.md, section 8.6.
struct PeerAllowances: Sendable {
    /// A node that was suspended allows a minute's worth, and no more.
    private static let beatsMax = 60

    /// Heartbeats that passed before the last renewal.
    ///
    /// As much input may arrive at once if this node was too busy to read.
    private(set) var beats = 1
    private var renewedAt = Moment.start
    private let limits: GossipLimits
    private let fresh: PeerAllowance
    private var byPeer: [PeerID: PeerAllowance] = [:]
    /// New messages that all peers of an address may still deliver together.
    private var byGroup: [AddressGroup: Int] = [:]

    init(limits: GossipLimits) {
        self.limits = limits
        fresh = PeerAllowance(
            deliveries: limits.deliveriesMax,
            duplicates: limits.duplicatesMax
        )
    }

    subscript(peer: PeerID) -> PeerAllowance {
        get { byPeer[peer] ?? fresh }
        set {
            if byPeer[peer] == nil, byPeer.count >= limits.allowancesMax,
                let fullest = byPeer.max(by: {
                    ($0.value.deliveries, $0.key) < ($1.value.deliveries, $1.key)
                })
            {
                byPeer[fullest.key] = nil
            }
            byPeer[peer] = newValue
        }
    }

    /// Takes one new message from the allowances of a peer and its address.
    ///
    /// Returns `false` if either has delivered too many.
    mutating func takeDelivery(by peer: PeerID, of group: AddressGroup?) -> Bool {
        let left = group.map { byGroup[$0] ?? limits.groupDeliveriesMax }
        guard self[peer].deliveries > 0, left.map({ $0 > 0 }) ?? true else { return false }
        self[peer].deliveries -= 1
        guard let group, let left else { return true }
        if byGroup[group] == nil, byGroup.count >= limits.allowancesMax,
            let fullest = byGroup.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            byGroup[fullest.key] = nil
        }
        byGroup[group] = left - 1
        return true
    }

    /// Whether this node's own heartbeat is late, so that limits must be scaled.
    func isOverdue(at now: Moment) -> Bool { renewedAt + limits.heartbeat * 2 <= now }

    /// Renews all allowances for the time since the last renewal, at least one heartbeat.
    ///
    /// `newCount` is the number of new messages from all peers in that time.
    mutating func renew(after newCount: Int, at now: Moment) {
        let elapsed = (now.sinceStart - renewedAt.sinceStart) / limits.heartbeat
        beats = Int(min(max(1, elapsed), Double(Self.beatsMax)))
        renewedAt = now
        let duplicates =
            limits.duplicatesPerHeartbeat * beats + newCount * limits.duplicatesPerNewMessage
        for (peer, allowance) in byPeer {
            let grown = PeerAllowance(
                deliveries: min(
                    allowance.deliveries + limits.deliveriesPerHeartbeat * beats,
                    limits.deliveriesMax
                ),
                duplicates: min(max(0, allowance.duplicates) + duplicates, limits.duplicatesMax)
            )
            byPeer[peer] = grown == fresh ? nil : grown
        }
        for (group, deliveries) in byGroup {
            let grown = deliveries + limits.groupDeliveriesPerHeartbeat * beats
            byGroup[group] = grown >= limits.groupDeliveriesMax ? nil : grown
        }
    }
}
