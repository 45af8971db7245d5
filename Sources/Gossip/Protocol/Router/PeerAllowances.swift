import Market

/// What one peer may still make the router do until the next heartbeat.
struct PeerAllowance: Equatable, Sendable {
    /// New messages it may still deliver; grows with each heartbeat.
    var deliveries: Int
    /// Messages seen before that it may still send; grows with each heartbeat, and with what is
    /// new from anybody.
    var duplicates: Int
    var announcements = 0
    var wanted = 0
    /// Ids it asked for.
    var asked = 0
    /// Ids it asked for that were never here.
    var unknownAsked = 0
    var servedBytes = 0
    /// Frames that said nothing.
    var emptyFrames = 0
    /// Bytes that said nothing.
    var unusedBytes = 0
    /// Subscriptions, GRAFTs and PRUNEs.
    var changes = 0
}

/// What peers, and all keys of one address together, may still make the router do.
///
/// It outlives links: an allowance is forgotten only once it is full again, so that a peer gains
/// nothing by coming back, nor by coming under another key. A full table forgets the allowance
/// that is nearest to full.
///
/// Source: Docs/protocol.md, section 8.6.
struct PeerAllowances: Sendable {
    /// A node that slept is lenient for a minute's worth, and no more.
    private static let beatsMax = 60

    /// Heartbeats' worth of time before the last renewal: as much may come at once, if this node
    /// was too busy to read in between.
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

    /// Takes one new message off what a peer and its address may deliver; `false` if either has
    /// delivered too many.
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

    /// Whether this node's own heartbeat is late, so that peers must not be held to it.
    func isOverdue(at now: Moment) -> Bool { renewedAt + limits.heartbeat * 2 <= now }

    /// Gives everybody what the time since the last renewal brings, and at least what a heartbeat
    /// does, after `newCount` new messages came from anybody.
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
