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

/// The allowances of peers, of all peers of one address together, and of all addresses of a subnet.
///
/// It outlives links: an allowance is removed only once it is full again, so a peer gains nothing
/// by reconnecting, or by using another key. A full table removes the allowance that is nearest to
/// full.
///
/// Source: Docs/protocol.md, section 8.6.
struct PeerAllowances: Sendable {
    /// A node that was suspended allows at most a minute's worth.
    private static let beatsMax = 60

    /// The rate of a subnet, as a multiple of the rate of one address.
    private static let addressesOfSubnet = 4

    /// Heartbeats that passed before the last renewal.
    ///
    /// As much input may arrive at once if this node was too busy to read.
    private(set) var beats = 1
    private var renewedAt = Moment.start
    private let limits: GossipLimits
    private let fresh: PeerAllowance
    private var byPeer: [PeerID: PeerAllowance] = [:]
    private var byGroup: Deliveries
    private var bySubnet: Deliveries

    init(limits: GossipLimits) {
        self.limits = limits
        byGroup = Deliveries(
            deliveriesMax: limits.groupDeliveriesMax,
            perHeartbeat: limits.groupDeliveriesPerHeartbeat,
            countMax: limits.allowancesMax
        )
        bySubnet = Deliveries(
            deliveriesMax: limits.groupDeliveriesMax * Self.addressesOfSubnet,
            perHeartbeat: limits.groupDeliveriesPerHeartbeat * Self.addressesOfSubnet,
            countMax: limits.allowancesMax
        )
        fresh = PeerAllowance(deliveries: limits.deliveriesMax, duplicates: limits.duplicatesMax)
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

    /// Takes one new message from the allowances of a peer, its address and the subnet.
    ///
    /// Returns `false` if one of them has delivered too many.
    mutating func takeDelivery(by peer: PeerID, of group: AddressGroup?) -> Bool {
        guard self[peer].deliveries > 0,
            group.map({ byGroup.left(of: $0) > 0 && bySubnet.left(of: $0.wholeSubnet) > 0 }) ?? true
        else { return false }
        self[peer].deliveries -= 1
        if let group {
            byGroup.take(of: group)
            bySubnet.take(of: group.wholeSubnet)
        }
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
        byGroup.renew(beats)
        bySubnet.renew(beats)
    }
}

/// New messages that all peers of an address, or of a subnet, may still deliver together.
private struct Deliveries: Sendable {
    let deliveriesMax: Int
    let perHeartbeat: Int
    let countMax: Int
    private var left: [AddressGroup: Int] = [:]

    init(deliveriesMax: Int, perHeartbeat: Int, countMax: Int) {
        self.deliveriesMax = deliveriesMax
        self.perHeartbeat = perHeartbeat
        self.countMax = countMax
    }

    func left(of group: AddressGroup) -> Int { left[group] ?? deliveriesMax }

    mutating func take(of group: AddressGroup) {
        if left[group] == nil, left.count >= countMax,
            let fullest = left.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        {
            left[fullest.key] = nil
        }
        left[group] = left(of: group) - 1
    }

    mutating func renew(_ beats: Int) {
        left = left.compactMapValues { deliveries in
            let grown = deliveries + perHeartbeat * beats
            return grown >= deliveriesMax ? nil : grown
        }
    }
}
