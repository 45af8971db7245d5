package import Concurrency
package import GossipProtocol
package import Logging
package import Market

/// The node's gossip subsystem: routes messages, exchanges missing records and manages peers.
///
/// One inbox is handled one event at a time, and nothing else changes the cores. Work that waits
/// for a peer, the validator or the disk runs in its own task and posts its result to the inbox.
///
/// Source: Docs/protocol.md, sections 8 and 9; Docs/operations.md, section 7.
package actor GossipService {
    /// The state of one open link.
    struct Link {
        var info: LinkInfo
        var outbox: PeerOutbox
        /// How many more gossip streams this node may open to the peer.
        var lines: TokenBuckets<PeerID>
        /// Whether the link is being closed because the peer does not read even the messages it
        /// must read.
        var isGivenUp = false
        /// Whether the peer takes no gossip: it refused this node's streams, or ended them all.
        var isMute = false
        var description: PeerDescription?
        /// The peer's own Unix time in seconds, and when it sent it.
        var told: (time: Int64, at: Moment)?
        var framesDropped = 0
        var exchanges: [Topic: ExchangeStatus] = [:]
        /// Positions from which stopped exchanges resume.
        var positions: [Topic: RecordExchange.Position] = [:]
        /// When the peer last asked or answered a question in one of this node's protocols.
        var usefulAt: Moment
        var isAskingPeers = false
    }

    nonisolated let links: any PeerLinks
    nonisolated let validator: any RecordValidator
    nonisolated let source: any RecordSource
    nonisolated let peerStore: any PeerStore
    nonisolated let settings: GossipSettings
    nonisolated let logger: Logger
    nonisolated let errors: LoopErrors
    nonisolated let inbox: BoundedQueue<GossipInput>
    nonisolated let jobs: BoundedQueue<PendingValidation>
    nonisolated let offences = OffenceBook()
    nonisolated let outboxes: OutboxBudget
    nonisolated let streams: GossipStreams
    nonisolated let questionPace: QuestionPace
    nonisolated let answers: AnswerQueue
    nonisolated let uses = UseBook()
    nonisolated let unixTime: @Sendable () -> Int64

    /// Changes, for one reader; if it reads slowly, the oldest changes are lost.
    package nonisolated let changes: AsyncStream<GossipChange>
    private nonisolated let changesEntry: AsyncStream<GossipChange>.Continuation
    nonisolated let clock: any MonotonicClock

    var router: GossipRouter
    var book: PeerBook
    var random: SplitMix
    var table: [PeerID: Link] = [:]
    var schedule: ExchangeSchedule
    /// Exchanges that are running.
    var places: [PeerID: ActiveExchange] = [:]
    /// How much peers may still make this node fetch.
    var fetched: FetchAllowance
    /// Decides when to ask which peer for other peers.
    var asking: PeerAsking
    /// Limits how often peers may ask this node for other peers.
    var peerQuestions: PeerMeter
    /// Permits of peers that have used up their allowance of messages, held until the next
    /// heartbeat.
    var heldPermits: [AsyncSemaphore.Permit] = []
    /// The message that was encoded last.
    var encoded: (rpc: GossipRPC, frames: [[UInt8]])?
    var topics: Set<Topic> = []
    var gossipCounts = GossipCounts()
    /// Messages without room that are counted already.
    var crowdedOutShown = 0
    var changedNotes: Set<PeerID> = []
    var changedBans: Set<AddressGroup> = []
    var isKeepingNotes = false
    private var isAttached = false

    /// Creates the service; nothing runs before `run()`.
    ///
    /// The owner of `links` runs them, beside this service. `validator` validates and stores
    /// incoming records; `source` reads the stored ones. `unixTime` is in seconds; `seed` fixes
    /// every random choice of peers.
    package init(
        links: any PeerLinks,
        validator: any RecordValidator,
        source: any RecordSource,
        peerStore: any PeerStore = EmptyPeerStore(),
        settings: GossipSettings = GossipSettings(),
        unixTime: @escaping @Sendable () -> Int64 = SystemWallClock.seconds,
        clock: any MonotonicClock = .system,
        seed: UInt64,
        logger: Logger
    ) {
        settings.check()
        self.links = links
        self.validator = validator
        self.source = source
        self.peerStore = peerStore
        self.settings = settings
        (self.unixTime, self.clock) = (unixTime, clock)
        self.logger = logger
        errors = LoopErrors("gossip", logger: logger)
        inbox = BoundedQueue(elementsMax: settings.inboxMax)
        jobs = BoundedQueue(elementsMax: settings.gossip.judgedMax)
        outboxes = OutboxBudget(settings: settings)
        fetched = FetchAllowance(limits: settings.exchange)
        asking = PeerAsking(beat: settings.heartbeat)
        peerQuestions = PeerMeter(
            burst: settings.peerQuestionsBurst,
            every: settings.heartbeat * settings.peerQuestionBeats
        )
        streams = GossipStreams(settings: settings)
        questionPace = QuestionPace(limits: settings.exchange, clock: clock)
        answers = AnswerQueue(limits: settings.exchange, clock: clock)
        (changes, changesEntry) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_024))
        random = SplitMix(seed: seed)
        var gossip = settings.gossip
        gossip.heartbeat = settings.heartbeat
        router = GossipRouter(limits: gossip, policy: settings.policy, seed: random.next())
        book = PeerBook(localPeer: links.localPeer, limits: settings.peers, seed: random.next())
        schedule = ExchangeSchedule(
            limits: settings.exchange,
            interval: settings.exchangeInterval,
            seed: random.next()
        )
    }

    var now: Moment { Moment(sinceStart: clock.uptime) }

    /// Serves until cancelled.
    ///
    /// - Throws: The error of the peer store if it cannot be read at the start.
    package func run() async throws {
        let notes = try await peerStore.notes()
        let bans = try await peerStore.addressBans()
        await attach()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followLinks() }
            group.addTask { await self.beat() }
            for _ in 0..<settings.validationsMax { group.addTask { await self.validateMessages() } }
            for work in begin(notes, bans) { group.addTask { await self.perform(work) } }
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
        await keepLastNotes()
    }

    /// Keeps what has changed since the last heartbeat, such as a ban.
    private func keepLastNotes() async {
        isKeepingNotes = false
        for case .keep(let notes, let bans) in dueNotes() {
            await keep(notes, bans: bans)
        }
    }

    /// Registers this service's protocols with the links.
    ///
    /// Call it before the links listen, so that a peer that connects early finds the protocols.
    package func attach() async {
        guard !isAttached else { return }
        isAttached = true
        await answerStreams()
        await links.rankLinks { [weak self] in await self?.router.deliveryCounts ?? [:] }
    }

    /// Announces a record to peers; the record must already be durable here.
    package nonisolated func publish(_ data: [UInt8], on topic: Topic) async {
        await inbox.send(.published(data, on: topic))
    }

    /// Joins a topic: receives and forwards its messages, and asks every peer for missing records.
    package nonisolated func join(_ topic: Topic) async { await inbox.send(.joined(topic)) }

    package nonisolated func leave(_ topic: Topic) async { await inbox.send(.left(topic)) }

    /// Dials a peer in addition to those in the configuration; `address` must name the peer.
    package nonisolated func add(_ address: Multiaddr) async {
        await inbox.send(.dialled(address))
    }

    /// Bans a peer and ends its link; a duration of zero lifts the ban.
    package nonisolated func ban(_ peer: PeerID, for life: Duration, reason: String) async {
        await inbox.send(.banned(peer, for: life, reason: reason))
    }

    /// Charges a peer with an offence in another of the node's protocols.
    package nonisolated func charge(_ peer: PeerID, with offence: PeerOffence) {
        offences.note(offence, by: peer)
    }

    /// Returns the origin that records from this peer are charged to.
    func origin(of peer: PeerID) -> RecordOrigin {
        RecordOrigin(peer, at: table[peer]?.info.address)
    }

    /// Records that a peer asked or answered a question in another of the node's protocols.
    ///
    /// Such a link counts as useful.
    package nonisolated func noteUse(of peer: PeerID) { uses.note(peer) }

    func tell(_ change: GossipChange) { changesEntry.yield(change) }

    /// Returns the known addresses of a peer, best first.
    package func addresses(of peer: PeerID) -> [Multiaddr] { book.addresses(of: peer) }

    private func begin(_ notes: [PeerNote], _ bans: [AddressBanNote]) -> [GossipEffect] {
        let time = unixTime()
        var directives: [PeerBook.Directive] = []
        for ban in bans {
            directives += book.handle(.rememberedBan(ban, unixTime: time), at: now)
        }
        for note in notes {
            directives += book.handle(.remembered(note, unixTime: time), at: now)
        }
        for address in settings.bootstrap {
            directives += book.handle(.bootstrap(address), at: now)
        }
        return perform(directives)
    }

    /// Posts a heartbeat at each interval until cancelled.
    @concurrent
    private nonisolated func beat() async {
        while !Task.isCancelled {
            do { try await clock.wait(settings.heartbeat) } catch { return }
            // Queued like other input: time must advance even if peers keep the inbox full.
            await inbox.send(.heartbeat)
        }
    }

    @concurrent
    private nonisolated func followLinks() async {
        while let event = await links.events.receive() { await inbox.send(.link(event)) }
    }

    /// Validates queued messages one after the other; several of these loops run in parallel.
    @concurrent
    private nonisolated func validateMessages() async {
        while let job = await jobs.receive() {
            let message = job.message
            let verdict = await validator.validate(
                message.data,
                on: message.topic,
                from: job.origin
            )
            await inbox.send(.validated(job.id, verdict))
        }
    }
}
