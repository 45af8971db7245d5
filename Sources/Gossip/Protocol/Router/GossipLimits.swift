/// The numbers of the router: the specification's names and defaults, and our bounds.
///
/// Source: libp2p specs, gossipsub-v1.0.md "Parameters" and gossipsub-v1.1.md "Overview of New
/// Parameters".
package struct GossipLimits: Sendable {
    /// `D`: how many peers a mesh aims at.
    package var meshSize = 6
    /// `D_low`: below it peers are added.
    package var meshSizeLow = 5
    /// `D_high`: above it peers are let go.
    package var meshSizeHigh = 12
    /// `D_out`: how many of a mesh we dialled ourselves, so that nobody can surround us.
    package var meshOutbound = 2
    /// `D_lazy`: the fewest peers outside the mesh that hear of ids at each heartbeat.
    package var gossipPeers = 6
    /// `gossip_factor`: or this share of them, in percent, where it is more.
    package var gossipPercent = 25
    /// `mcache_len`: heartbeats a message can be served for.
    package var cacheHeartbeats = 5
    /// `mcache_gossip`: heartbeats its id is announced for.
    package var gossipHeartbeats = 3
    /// `fanout_ttl`.
    package var fanoutLife: Duration = .seconds(60)
    /// From one heartbeat to the next; what is allowed for a heartbeat is allowed for this time.
    package var heartbeat: Duration = .seconds(1)
    /// `seen_ttl`.
    package var seenLife: Duration = .seconds(120)
    /// `prune_backoff`.
    package var backoff: Duration = .seconds(60)
    /// `unsubscribe_backoff`.
    package var unsubscribeBackoff: Duration = .seconds(10)
    /// The most a peer may make us wait before we ask again.
    package var backoffMax: Duration = .seconds(600)
    /// How much longer than a back-off we wait ourselves, since the other side's clock for it
    /// started later than ours.
    package var backoffSlack: Duration = .seconds(2)
    /// How long a peer may take to serve what it announced.
    package var promiseLife: Duration = .seconds(3)

    package var seenMax = 200_000
    package var cachedBytesMax = 64 << 20
    package var pendingMax = 4_096
    package var pendingBytesMax = 64 << 20
    /// New messages one peer may deliver between two heartbeats in the long run, and at once.
    package var deliveriesPerHeartbeat = 500
    package var deliveriesMax = 5_000
    /// The same for all peers of one address together.
    package var groupDeliveriesPerHeartbeat = 1_000
    package var groupDeliveriesMax = 10_000
    /// Messages seen before that a peer may send: so many between two heartbeats, so many for each
    /// message that was new here, and at once.
    package var duplicatesPerHeartbeat = 200
    package var duplicatesPerNewMessage = 3
    package var duplicatesMax = 20_000
    /// Peers, and addresses, whose allowances are remembered until they are full again.
    package var allowancesMax = 4_096
    /// Ids of one peer's IWANTs that are looked at between two heartbeats, and how many of them
    /// may never have been here.
    package var askedPerHeartbeatMax = 10_000
    package var unknownAskedPerHeartbeatMax = 100
    /// As how many ids the IWANTs of one frame count at least.
    package var askedPerFrameMin = 100
    /// Frames that say nothing, between two heartbeats.
    package var emptyFramesPerHeartbeatMax = 20
    /// Bytes of one peer's frames that say nothing, such as fields of later versions.
    package var unusedBytesPerHeartbeatMax = 256 << 10
    /// Subscriptions, GRAFTs and PRUNEs of one peer between two heartbeats.
    package var changesPerHeartbeatMax = 1_000
    package var peersMax = 512
    package var topicsPerPeerMax = 128
    package var announcementsPerHeartbeatMax = 10
    package var wantedPerHeartbeatMax = 5_000
    package var servingsMax = 3
    package var promisesMax = 20_000
    package var promisesPerPeerMax = 5_000
    /// Peers remembered that announced the same message, to be asked when the first fails.
    package var announcersMax = 4
    package var backoffsPerTopicMax = 4_096
    /// What one peer's IWANTs are served with between two heartbeats.
    package var servedBytesPerHeartbeatMax = 8 << 20
    /// Below this score a peer is not heard at all.
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

    /// Stops a configuration whose limits contradict each other.
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
