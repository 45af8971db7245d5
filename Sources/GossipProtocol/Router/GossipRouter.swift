package import Market

/// Decides which messages go to which peers.
///
/// It implements gossipsub 1.1's mesh; its scores are only hooks so far. Pure: it owns no socket,
/// clock or random source. A message is forwarded only once the validator has accepted it, and the
/// validator accepts it only once it is durable.
///
/// Differences from the specification: peers offered by PRUNE are not dialled yet; a message that
/// was ignored for now can be validated when it arrives again.
///
/// Source: libp2p specs, pubsub/gossipsub/gossipsub-v1.0.md and gossipsub-v1.1.md;
/// Docs/protocol.md, section "Gossip".
package struct GossipRouter: Sendable {
    package enum Event: Sendable {
        /// A peer that speaks gossipsub is linked.
        ///
        /// Also sent if a new link replaced a known one: then the peer is told everything again.
        /// `group` is that of its address, unless it is this machine or unknown.
        case connected(PeerID, isOutbound: Bool, group: AddressGroup? = nil)
        /// A linked peer takes no frames: nothing is sent to it, but its messages count.
        case muted(PeerID)
        case disconnected(PeerID)
        /// This node wants a topic's messages.
        case joined(Topic)
        case left(Topic)
        /// A peer's frame; `unusedBytes` is the number of its bytes without effect.
        case received(GossipRPC, from: PeerID, unusedBytes: Int = 0)
        /// This node dropped messages to this peer: announce them to it.
        case dropped(PeerID)
        /// The validator's answer to ``Directive/validate(_:id:from:)``.
        case validated(MessageID, Verdict)
        /// A message of this node, already durable.
        case published([UInt8], on: Topic)
        /// A message that did not arrive by gossip, already validated and durable: forward it.
        case fetched([UInt8], on: Topic)
        /// One heartbeat has passed, a second by default.
        case heartbeat
    }

    /// The actions, in order.
    package enum Directive: Equatable, Sendable {
        case send(GossipRPC, to: PeerID)
        /// Validate it and answer with ``Event/validated(_:_:)``; until then the message is
        /// pending. At most ``GossipLimits/judgedMax`` are not answered at one time.
        case validate(GossipMessage, id: MessageID, from: PeerID)
        case note(PeerID, Offence)
    }

    /// A peer's breach of the rules.
    package enum Offence: Hashable, Sendable {
        /// A message that breaks the network's policy or is too long.
        case unfitMessage
        /// A message that the validator rejected.
        case rejectedMessage
        case graftTooEarly
        case tooManyAnnouncements
        case tooManyTopics
        case brokenPromise
        /// More duplicates than a mesh delivers.
        case tooManyDuplicates
        /// IWANTs for ids that were never here.
        case unknownAsked
        /// Frames without effect.
        case emptyFrames
        /// Ten times the allowed number of frames without effect.
        case emptyFlood
        /// Too many bytes without effect.
        case unusedBytes
        /// Too many subscriptions, GRAFTs and PRUNEs.
        case tooManyChanges
    }

    struct Peer: Sendable {
        var isOutbound: Bool
        var group: AddressGroup?
        var topics: Set<Topic> = []
        /// Whether it may lack messages, since some were dropped or it just joined a mesh.
        var isBehind = false
        /// Messages it was asked for and has not served yet.
        var promises = 0
        /// Whether it takes no frames from this node.
        var isMute = false
        /// Accepted messages that it delivered first.
        var firstDeliveries = 0
    }

    /// A message that this node asked a peer for.
    struct IWantPromise: Sendable {
        let peer: PeerID
        let until: Moment
        /// Other peers that announced it, to be asked next.
        var others: [PeerID] = []
    }

    /// A message that waits for its verdict.
    struct Pending: Sendable {
        let message: GossipMessage
        /// The peers that sent it; first those for which it is validated first.
        var senders: [Sender]
        /// The index of the sender for which it is being validated.
        var validated = 0

        var peers: [PeerID] { senders.map(\.peer) }
    }

    /// A peer that sent a message, and its address at that time; its link may have ended since.
    struct Sender: Sendable {
        let peer: PeerID
        let group: AddressGroup?
    }

    struct Fanout: Sendable {
        var peers: Set<PeerID>
        var lastPublished: Moment
    }

    let limits: GossipLimits
    let policy: MessagePolicy
    /// The publisher that this node's own messages name; an echo's id may be forgotten by now.
    let publisher: PeerID?
    var scores: any PeerScoring
    var random: SplitMix
    var peers: [PeerID: Peer] = [:]
    var allowances: PeerAllowances
    /// New messages since the last heartbeat.
    var newCount = 0
    package internal(set) var meshes: [Topic: Set<PeerID>] = [:]
    var fanouts: [Topic: Fanout] = [:]
    var backoffs: [Topic: [PeerID: Moment]] = [:]
    var seen: SeenCache
    var cache: MessageCache
    var pending: [MessageID: Pending] = [:]
    /// Which of them are judged next, and which go if there are too many.
    var waiting: WaitingMessages
    /// Messages that found no room among those that wait.
    package internal(set) var crowdedOutCount = 0
    var promises: [MessageID: IWantPromise] = [:]
    var sequence: UInt64

    /// Creates a router without peers.
    ///
    /// `seed` fixes every random choice and, under StrictSign, the first sequence number.
    package init(
        limits: GossipLimits = GossipLimits(),
        policy: MessagePolicy = .strictNoSign,
        scores: any PeerScoring = EqualScores(),
        seed: UInt64
    ) {
        self.limits = limits
        self.policy = policy
        publisher = policy.publisher
        self.scores = scores
        random = SplitMix(seed: seed)
        allowances = PeerAllowances(limits: limits)
        seen = SeenCache(life: limits.seenLife, countMax: limits.seenMax)
        cache = MessageCache(limits: limits)
        waiting = WaitingMessages(limits: limits)
        sequence = random.next() >> 1
    }

    package mutating func handle(_ event: Event, at now: Moment) -> [Directive] {
        defer {
            assert(pending.count <= limits.pendingMax && promises.count <= limits.promisesMax)
        }
        // A peer's limits are for the time that passed, however late the heartbeat is.
        if case .received = event, allowances.isOverdue(at: now) { renewAllowances(at: now) }
        return switch event {
        case .connected(let peer, let isOutbound, let group): connect(peer, isOutbound, group)
        case .muted(let peer): mute(peer)
        case .disconnected(let peer): disconnect(peer)
        case .joined(let topic): join(topic, at: now)
        case .left(let topic): leave(topic, at: now)
        case .received(let rpc, let peer, let unusedBytes):
            noteUnused(unusedBytes, by: peer) + receive(rpc, from: peer, at: now)
        case .dropped(let peer): markBehind(peer)
        case .validated(let id, let verdict): validated(id, verdict)
        case .published(let data, let topic): publish(data, on: topic, at: now)
        case .fetched(let data, let topic): relay(data, on: topic, at: now)
        case .heartbeat: heartbeat(at: now)
        }
    }

    /// Returns the peers in this node's mesh of `topic`.
    package func mesh(of topic: Topic) -> Set<PeerID> { meshes[topic] ?? [] }

    /// Returns the address of the peer for which a message is being validated, as it was when the
    /// message arrived; `nil` for this machine.
    package func group(of id: MessageID) -> AddressGroup? {
        pending[id].flatMap { $0.senders[$0.validated].group }
    }

    /// The number of accepted messages that each peer delivered first.
    package var deliveryCounts: [PeerID: Int] { peers.mapValues(\.firstDeliveries) }

    /// Returns the peers that subscribe to `topic`.
    package func subscribers(of topic: Topic) -> [PeerID] {
        peers.filter { $0.value.topics.contains(topic) }.keys.sorted()
    }

    /// Returns the topics that a peer subscribes to.
    package func topics(of peer: PeerID) -> Set<Topic> { peers[peer]?.topics ?? [] }

    private mutating func connect(
        _ peer: PeerID,
        _ isOutbound: Bool,
        _ group: AddressGroup?
    ) -> [Directive] {
        if peers[peer] != nil {
            peers[peer]?.isOutbound = isOutbound
            peers[peer]?.group = group
            peers[peer]?.isMute = false
        } else {
            guard peers.count < limits.peersMax else { return [] }
            peers[peer] = Peer(isOutbound: isOutbound, group: group)
        }
        scores.noteLink(to: peer, group: group)
        var hello = GossipRPC()
        let topics = meshes.keys.sorted()
        hello.subscriptions = topics.map { .init(topic: $0, isWanted: true) }
        hello.meshChanges = topics.filter { mesh(of: $0).contains(peer) }.map { .graft($0) }
        return hello.isEmpty ? [] : [.send(hello, to: peer)]
    }

    private mutating func markBehind(_ peer: PeerID) -> [Directive] {
        peers[peer]?.isBehind = true
        return []
    }

    private mutating func mute(_ peer: PeerID) -> [Directive] {
        peers[peer]?.isMute = true
        peers[peer]?.topics = []
        takeOut(peer)
        return []
    }

    private mutating func disconnect(_ peer: PeerID) -> [Directive] {
        peers[peer] = nil
        takeOut(peer)
        scores.noteGone(peer)
        return []
    }

    /// Removes a peer from all meshes and fanouts.
    private mutating func takeOut(_ peer: PeerID) {
        for topic in meshes.keys { meshes[topic]?.remove(peer) }
        for topic in fanouts.keys { fanouts[topic]?.peers.remove(peer) }
    }

    private mutating func receive(
        _ rpc: GossipRPC,
        from peer: PeerID,
        at now: Moment
    ) -> [Directive] {
        guard let state = peers[peer], scores.score(of: peer) >= limits.graylistBelow else {
            return []
        }
        var directives = saysNothing(rpc, by: peer) ? noteEmptyFrame(by: peer) : []
        let isChanging = takeChanges(of: rpc, by: peer, &directives)
        if !state.isMute, isChanging { directives += subscribe(rpc.subscriptions, by: peer) }
        for message in rpc.messages {
            directives += receive(message, from: peer, at: now)
        }
        guard !state.isMute else { return directives }
        var answer = GossipRPC()
        if isChanging {
            directives += change(rpc.meshChanges, by: peer, answer: &answer, at: now)
        }
        directives += want(rpc.announcements, of: peer, answer: &answer, at: now)
        directives += serve(rpc.wanted, to: peer, answer: &answer)
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
            } else if let topics = peers[peer]?.topics,
                topics.contains(topic) || topics.count < limits.topicsPerPeerMax
            {
                peers[peer]?.topics.insert(topic)
            } else {
                scores.noteMisconduct(by: peer)
                directives.append(.note(peer, .tooManyTopics))
            }
        }
        return directives
    }
}
