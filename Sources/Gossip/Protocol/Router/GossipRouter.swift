package import Market

/// Decides which messages go to which peers.
///
/// gossipsub 1.1's mesh without its scores, whose hooks are here. Pure: it owns no socket, clock
/// or random source. A message goes on only once it was judged, and the judge answers only once
/// what it accepts is on disk.
///
/// Differences from the specification: peers offered by PRUNE are not dialled yet; a message that
/// was ignored for now can be judged again when it comes again.
///
/// Source: libp2p specs, pubsub/gossipsub/gossipsub-v1.0.md and gossipsub-v1.1.md;
/// Docs/protocol.md, section "Gossip".
package struct GossipRouter: Sendable {
    package enum Event: Sendable {
        /// A peer that speaks gossipsub is there.
        case connected(PeerID, isOutbound: Bool)
        case disconnected(PeerID)
        /// We want a topic's messages.
        case joined(Topic)
        case left(Topic)
        case received(GossipRPC, from: PeerID)
        /// The judge's answer to a ``Directive/judge(_:id:from:)``.
        case judged(MessageID, Verdict)
        /// A message of our own, already on disk.
        case published([UInt8], on: Topic)
        /// One heartbeat has passed, a second by default.
        case heartbeat
    }

    /// What the judge says of a message.
    package enum Verdict: Hashable, Sendable {
        /// Valid and on disk: pass it on.
        case accept
        /// No version ever accepts it: whoever sent it is at fault.
        case reject
        /// Not for us, and nobody's fault.
        case ignore
        /// Not now: the same message may be right when it comes again.
        case ignoreForNow
    }

    /// What to do, in order.
    package enum Directive: Equatable, Sendable {
        case send(GossipRPC, to: PeerID)
        /// Answer with ``Event/judged(_:_:)``; until then the message waits.
        case judge(GossipMessage, id: MessageID, from: PeerID)
        case note(PeerID, Offence)
    }

    /// What a peer did that it must not.
    package enum Offence: Hashable, Sendable {
        /// A message that breaks the network's policy or is too long.
        case unfitMessage
        /// A message that the judge rejected.
        case rejectedMessage
        case graftTooEarly
        case tooManyAnnouncements
        case tooManyTopics
        case brokenPromise
    }

    struct Peer: Sendable {
        let isOutbound: Bool
        var topics: Set<Topic> = []
        var announcements = 0
        var wanted = 0
    }

    /// A message that waits for its verdict, and all who sent it meanwhile.
    struct Pending: Sendable {
        let message: GossipMessage
        var senders: [PeerID]
    }

    struct Fanout: Sendable {
        var peers: Set<PeerID>
        var lastPublished: Moment
    }

    let limits: GossipLimits
    let policy: MessagePolicy
    var scores: any PeerScoring
    var random: SplitMix
    var peers: [PeerID: Peer] = [:]
    var meshes: [Topic: Set<PeerID>] = [:]
    var fanouts: [Topic: Fanout] = [:]
    var backoffs: [Topic: [PeerID: Moment]] = [:]
    var seen: SeenCache
    var cache: MessageCache
    var pending: [MessageID: Pending] = [:]
    var promises: [MessageID: (peer: PeerID, until: Moment)] = [:]
    var sequence: UInt64

    /// - Parameter seed: Fixes every choice and, under StrictSign, the first sequence number.
    package init(
        limits: GossipLimits = GossipLimits(),
        policy: MessagePolicy = .strictNoSign,
        scores: any PeerScoring = EqualScores(),
        seed: UInt64
    ) {
        self.limits = limits
        self.policy = policy
        self.scores = scores
        random = SplitMix(seed: seed)
        seen = SeenCache(life: limits.seenLife, countMax: limits.seenMax)
        cache = MessageCache(limits: limits)
        sequence = random.next() >> 1
    }

    package mutating func handle(_ event: Event, at now: Moment) -> [Directive] {
        defer { assert(pending.count <= limits.pendingMax) }
        return switch event {
        case .connected(let peer, let isOutbound): connect(peer, isOutbound)
        case .disconnected(let peer): disconnect(peer)
        case .joined(let topic): join(topic, at: now)
        case .left(let topic): leave(topic, at: now)
        case .received(let rpc, let peer): receive(rpc, from: peer, at: now)
        case .judged(let id, let verdict): judged(id, verdict)
        case .published(let data, let topic): publish(data, on: topic, at: now)
        case .heartbeat: heartbeat(at: now)
        }
    }

    /// The peers of our mesh of `topic`, for people to see.
    package func mesh(of topic: Topic) -> Set<PeerID> { meshes[topic] ?? [] }

    /// The peers that want `topic`.
    package func subscribers(of topic: Topic) -> [PeerID] {
        peers.filter { $0.value.topics.contains(topic) }.keys.sorted()
    }

    private mutating func connect(_ peer: PeerID, _ isOutbound: Bool) -> [Directive] {
        guard peers[peer] == nil, peers.count < limits.peersMax else { return [] }
        peers[peer] = Peer(isOutbound: isOutbound)
        var hello = GossipRPC()
        hello.subscriptions = meshes.keys.sorted().map { .init(topic: $0, isWanted: true) }
        return hello.isEmpty ? [] : [.send(hello, to: peer)]
    }

    private mutating func disconnect(_ peer: PeerID) -> [Directive] {
        peers[peer] = nil
        for topic in meshes.keys { meshes[topic]?.remove(peer) }
        for topic in fanouts.keys { fanouts[topic]?.peers.remove(peer) }
        scores.noteGone(peer)
        return []
    }

    private mutating func receive(
        _ rpc: GossipRPC,
        from peer: PeerID,
        at now: Moment
    ) -> [Directive] {
        guard peers[peer] != nil else { return [] }
        var directives = subscribe(rpc.subscriptions, by: peer)
        for message in rpc.messages {
            directives += receive(message, from: peer, at: now)
        }
        var answer = GossipRPC()
        directives += change(rpc.meshChanges, by: peer, answer: &answer, at: now)
        directives += want(rpc.announcements, of: peer, answer: &answer, at: now)
        answer.messages = rpc.wanted.prefix(limits.wantedPerHeartbeatMax)
            .compactMap { cache.serve($0, to: peer) }
        if !answer.isEmpty { directives.append(.send(answer, to: peer)) }
        return directives
    }

    private mutating func subscribe(
        _ subscriptions: [GossipRPC.Subscription],
        by peer: PeerID
    ) -> [Directive] {
        var directives: [Directive] = []
        for subscription in subscriptions {
            let topic = subscription.topic
            if !subscription.isWanted {
                peers[peer]?.topics.remove(topic)
                meshes[topic]?.remove(peer)
                fanouts[topic]?.peers.remove(peer)
            } else if (peers[peer]?.topics.count ?? 0) < limits.topicsPerPeerMax {
                peers[peer]?.topics.insert(topic)
            } else {
                scores.noteMisconduct(by: peer)
                directives.append(.note(peer, .tooManyTopics))
            }
        }
        return directives
    }
}
