import Concurrency
package import Logging
package import Market

/// Spreads records among peers: routes messages, exchanges what is missing, keeps peers.
///
/// One inbox, handled one event at a time; nothing else changes its cores. What waits for a peer,
/// a judge or the disk runs as a task of its own and answers into the inbox.
///
/// Source: Docs/protocol.md, sections 8 and 9; Docs/operations.md, section 3.
package actor GossipService {
    /// What is known of one open link.
    struct Link {
        var info: LinkInfo
        var outbox: PeerOutbox
        /// How many more streams may be opened to the peer for gossip.
        var lines: TokenBuckets<PeerID>
        /// Whether it is on its way out, as the peer does not even read what it must.
        var isGivenUp = false
        /// Whether the peer takes no gossip: it refused this node's streams, or ended them all.
        var isMute = false
        var description: PeerDescription?
        var framesDropped = 0
        var exchanges: [Topic: ExchangeStatus] = [:]
        /// Where exchanges that were stopped are to go on.
        var positions: [Topic: RecordExchange.Position] = [:]
        /// When it last asked or answered something in one of this node's protocols.
        var usefulAt: Moment
        var isAskingPeers = false
    }

    nonisolated let links: any PeerLinks
    nonisolated let validator: any RecordValidator
    nonisolated let source: any RecordSource
    nonisolated let peerStore: any PeerStore
    nonisolated let settings: GossipSettings
    nonisolated let logger: Logger
    nonisolated let inbox: BoundedQueue<GossipInput>
    nonisolated let jobs: BoundedQueue<PendingValidation>
    nonisolated let offences = OffenceBook()
    nonisolated let outboxes: OutboxBudget
    nonisolated let streams: GossipStreams
    nonisolated let questionPace: QuestionPace
    nonisolated let unixTime: @Sendable () -> Int64

    /// What changed, for one reader; where it reads slowly, the oldest news is lost.
    package nonisolated let changes: AsyncStream<GossipChange>
    private nonisolated let changesEntry: AsyncStream<GossipChange>.Continuation
    private nonisolated let clock = SystemMonotonicClock()

    var router: GossipRouter
    var book: PeerBook
    var random: SplitMix
    var table: [PeerID: Link] = [:]
    var schedule: ExchangeSchedule
    /// Exchanges that are running.
    var places: [PeerID: ActiveExchange] = [:]
    /// What peers may still make this node fetch.
    var fetched: FetchAllowance
    /// When which peer is asked for others.
    var asking: PeerAsking
    /// How often peers may ask for others.
    var peerQuestions: PeerMeter
    /// Those of peers that have used up what they may say, until the next heartbeat.
    var heldPermits: [AsyncSemaphore.Permit] = []
    /// What was encoded last.
    var encoded: (rpc: GossipRPC, frames: [[UInt8]])?
    var topics: Set<Topic> = []
    var gossipCounts = GossipCounts()
    var changedNotes: Set<PeerID> = []
    var isKeepingNotes = false
    private var isAttached = false

    /// Begins nothing before `run()`.
    ///
    /// `links` are run by their owner, beside this service. `validator` judges and keeps what arrives,
    /// `source` shows what is held. `unixTime` is in seconds, `seed` fixes every choice of peers.
    package init(
        links: any PeerLinks,
        validator: any RecordValidator,
        source: any RecordSource,
        peerStore: any PeerStore = EmptyPeerStore(),
        settings: GossipSettings = GossipSettings(),
        unixTime: @escaping @Sendable () -> Int64 = SystemWallClock.seconds,
        seed: UInt64,
        logger: Logger
    ) {
        settings.check()
        self.links = links
        self.validator = validator
        self.source = source
        self.peerStore = peerStore
        self.settings = settings
        self.unixTime = unixTime
        self.logger = logger
        inbox = BoundedQueue(elementsMax: settings.inboxMax)
        jobs = BoundedQueue(elementsMax: settings.gossip.pendingMax)
        outboxes = OutboxBudget(settings: settings)
        fetched = FetchAllowance(limits: settings.exchange)
        asking = PeerAsking(beat: settings.heartbeat)
        peerQuestions = PeerMeter(
            burst: settings.peerQuestionsBurst,
            every: settings.heartbeat * settings.peerQuestionBeats
        )
        streams = GossipStreams(settings: settings)
        questionPace = QuestionPace(limits: settings.exchange)
        (changes, changesEntry) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
        random = SplitMix(seed: seed)
        var gossip = settings.gossip
        gossip.heartbeat = settings.heartbeat
        router = GossipRouter(
            limits: gossip,
            policy: settings.policy,
            seed: random.next()
        )
        book = PeerBook(
            localPeer: links.localPeer,
            limits: settings.peers,
            seed: random.next()
        )
        schedule = ExchangeSchedule(
            limits: settings.exchange,
            interval: settings.exchangeInterval,
            seed: random.next()
        )
    }

    var now: Moment { Moment(sinceStart: clock.uptime) }

    /// Serves until cancelled.
    ///
    /// - Throws: What the peer shelf throws when the node starts.
    package func run() async throws {
        let notes = try await peerStore.notes()
        await attach()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followLinks() }
            group.addTask { await self.beat() }
            for _ in 0..<settings.judgesMax { group.addTask { await self.judgeMessages() } }
            for work in begin(notes) { group.addTask { await self.perform(work) } }
            while let input = await inbox.receive() {
                for work in await handle(input) { group.addTask { await self.perform(work) } }
            }
            for link in table.values { link.outbox.end() }
            for place in places.values { place.revoke() }
            inbox.finish()
            jobs.finish()
            group.cancelAll()
        }
        changesEntry.finish()
    }

    /// Makes the links answer this service's protocols.
    ///
    /// To be called before they listen, so that no early peer finds the protocols missing.
    package func attach() async {
        guard !isAttached else { return }
        isAttached = true
        await answerStreams()
        await links.judgeLinks { [weak self] in await self?.router.deliveryCounts ?? [:] }
    }

    /// Tells peers of a record that is already durable here.
    package nonisolated func publish(_ data: [UInt8], on topic: Topic) async {
        await inbox.send(.published(data, on: topic))
    }

    /// Takes part in a topic: hears it, passes it on, and asks every peer for what is missing.
    package nonisolated func join(_ topic: Topic) async { await inbox.send(.joined(topic)) }

    package nonisolated func leave(_ topic: Topic) async { await inbox.send(.left(topic)) }

    /// Links to a peer beside those of the configuration; `address` names it.
    package nonisolated func add(_ address: Multiaddr) async {
        await inbox.send(.dialled(address))
    }

    /// Bans a peer, and ends its link; a duration of zero lifts its ban.
    package nonisolated func ban(_ peer: PeerID, for life: Duration, reason: String) async {
        await inbox.send(.banned(peer, for: life, reason: reason))
    }

    /// Charges a peer with what it did in another of the node's protocols.
    package nonisolated func charge(_ peer: PeerID, with offence: PeerOffence) {
        offences.note(offence, by: peer)
    }

    /// Whom what a peer brings counts for.
    func origin(of peer: PeerID) -> RecordOrigin {
        RecordOrigin(peer, at: table[peer]?.info.address)
    }

    /// Notes that a peer asked or answered something in another of the node's protocols, so that
    /// its link is of use.
    package nonisolated func noteUse(of peer: PeerID) async { await inbox.send(.used(peer)) }

    func tell(_ change: GossipChange) { changesEntry.yield(change) }

    /// Where a peer may be found, best first; for who wants to link to it.
    package func addresses(of peer: PeerID) -> [Multiaddr] { book.addresses(of: peer) }

    private func begin(_ notes: [PeerNote]) -> [GossipEffect] {
        let time = unixTime()
        var directives: [PeerBook.Directive] = []
        for note in notes {
            directives += book.handle(.remembered(note, unixTime: time), at: now)
        }
        for address in settings.bootstrap {
            directives += book.handle(.bootstrap(address), at: now)
        }
        return perform(directives)
    }

    /// Passes time on, until cancelled.
    @concurrent
    private nonisolated func beat() async {
        while !Task.isCancelled {
            do { try await clock.wait(settings.heartbeat) } catch { return }
            // In the line with the rest: where peers keep it full, time must pass all the same.
            await inbox.send(.heartbeat)
        }
    }

    @concurrent
    private nonisolated func followLinks() async {
        while let event = await links.events.receive() { await inbox.send(.link(event)) }
    }

    /// Judges messages one after the other, beside others of its kind.
    @concurrent
    private nonisolated func judgeMessages() async {
        while let job = await jobs.receive() {
            let message = job.message
            let verdict = await validator.judge(message.data, on: message.topic, from: job.origin)
            await inbox.send(.judged(job.id, verdict))
        }
    }
}
