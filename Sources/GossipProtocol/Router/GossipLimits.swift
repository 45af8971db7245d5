/// Limits of the router: the specification's parameters with its defaults, and Stoa's own bounds.
///
/// Source: libp2p specs, gossipsub-v1.0.md "Parameters" and gossipsub-v1.1.md "Overview of New
/// Parameters".
package struct GossipLimits: Sendable {
    /// `D`: the number of peers that a mesh aims at.
    package var meshSize = 6
    /// `D_low`: the router grafts peers below it.
    package var meshSizeLow = 5
    /// `D_high`: the router prunes peers above it.
    package var meshSizeHigh = 12
    /// `D_out`: peers of a mesh that this node dialled itself, so that attackers cannot surround
    /// it.
    package var meshOutbound = 2
    /// `D_lazy`: peers outside the mesh that receive ids at each heartbeat, at least.
    package var gossipPeers = 6
    /// `gossip_factor`: the same as a percentage of those peers, if that is more.
    package var gossipPercent = 25
    /// `mcache_len`: heartbeats for which a message can be served.
    package var cacheHeartbeats = 5
    /// `mcache_gossip`: heartbeats for which its id is announced.
    package var gossipHeartbeats = 3
    /// `fanout_ttl`.
    package var fanoutLife: Duration = .seconds(60)
    /// From one heartbeat to the next; allowances per heartbeat are for this time.
    package var heartbeat: Duration = .seconds(1)
    /// `seen_ttl`.
    package var seenLife: Duration = .seconds(120)
    /// `prune_backoff`.
    package var backoff: Duration = .seconds(60)
    /// `unsubscribe_backoff`.
    package var unsubscribeBackoff: Duration = .seconds(10)
    /// The longest back-off that a peer can impose on this node.
    package var backoffMax: Duration = .seconds(600)
    /// Time this node waits beyond a back-off, since the peer's clock for it started later.
    package var backoffSlack: Duration = .seconds(2)
    /// How long a peer may take to serve a message it announced.
    package var promiseLife: Duration = .seconds(3)

    package var seenMax = 200_000
    package var cachedBytesMax = 64 << 20
    package var pendingMax = 4_096
    package var pendingBytesMax = 64 << 20
    /// Messages of these that are being validated at one time; among the others, the next is chosen
    /// late.
    package var judgedMax = 256
    /// New messages that one peer may deliver per heartbeat in the long run, and at once.
    package var deliveriesPerHeartbeat = 500
    package var deliveriesMax = 5_000
    /// The same for all peers of one address together.
    package var groupDeliveriesPerHeartbeat = 1_000
    package var groupDeliveriesMax = 10_000
    /// Duplicates that a peer may send: per heartbeat, per message that was new here, and at once.
    package var duplicatesPerHeartbeat = 200
    package var duplicatesPerNewMessage = 3
    package var duplicatesMax = 20_000
    /// Peers, and addresses, whose allowances are remembered until they are full again.
    package var allowancesMax = 4_096
    /// Ids in one peer's IWANTs that are looked up per heartbeat; below, how many may be unknown.
    package var askedPerHeartbeatMax = 10_000
    package var unknownAskedPerHeartbeatMax = 100
    /// The ids that the IWANTs of one frame count as, at least.
    package var askedPerFrameMin = 100
    /// Frames without effect, per heartbeat.
    package var emptyFramesPerHeartbeatMax = 20
    /// Bytes without effect in one peer's frames, such as fields of later versions, per heartbeat.
    package var unusedBytesPerHeartbeatMax = 256 << 10
    /// Subscriptions, GRAFTs and PRUNEs of one peer, per heartbeat.
    package var changesPerHeartbeatMax = 1_000
    package var peersMax = 512
    package var topicsPerPeerMax = 128
    package var announcementsPerHeartbeatMax = 10
    package var wantedPerHeartbeatMax = 5_000
    package var servingsMax = 3
    package var promisesMax = 20_000
    package var promisesPerPeerMax = 5_000
    /// Peers remembered that announced the same message, to be asked if the first one fails.
    package var announcersMax = 4
    package var backoffsPerTopicMax = 4_096
    /// Bytes served for one peer's IWANTs, per heartbeat.
    package var servedBytesPerHeartbeatMax = 8 << 20
    /// All frames of a peer with a score below this are ignored.
    package var graylistBelow = -80.0

    package var frameBytesMax = 384 << 10
    /// The longest frame that this node sends.
    package var sentFrameBytesMax = 192 << 10
    package var messageBytesMax = 128 << 10
    package var subscriptionsPerFrameMax = 256
    package var messagesPerFrameMax = 2_048
    package var idsPerFrameMax = 10_000
    package var controlEntriesMax = 512
    package var idBytesMax = 128
    package var topicBytesMax = 256

    package init() {}

    /// Stops the program if limits contradict each other.
    package func check() {
        precondition(
            meshOutbound < meshSizeLow && meshOutbound <= meshSize / 2,
            "a mesh has room for others than those dialled"
        )
        precondition(
            meshSizeLow <= meshSize && meshSize <= meshSizeHigh,
            "a mesh would never be of the right size"
        )
        precondition(gossipHeartbeats <= cacheHeartbeats, "what is announced could not be had")
        precondition(
            messageBytesMax + 1_024 <= sentFrameBytesMax && sentFrameBytesMax <= frameBytesMax,
            "a frame would not hold one message"
        )
        precondition(
            pendingMax > 0 && judgedMax > 0 && judgedMax < pendingMax
                && messageBytesMax <= pendingBytesMax,
            "no message would ever wait, or be judged"
        )
        precondition(promisesPerPeerMax <= promisesMax, "one peer may not exceed the whole")
        precondition(
            deliveriesMax <= groupDeliveriesMax && peersMax <= allowancesMax,
            "one peer would use up its address's part, or be forgotten"
        )
        precondition(
            wantedPerHeartbeatMax <= askedPerHeartbeatMax,
            "a peer would not look at all that this node asks for"
        )
    }
}
