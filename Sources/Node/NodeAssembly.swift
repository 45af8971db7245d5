import AccountAccess
import Answers
import Concurrency
import Ethereum
import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Mail
import Market
import MediaFiles
import Metrics
import NodeAPI
import Records
import ServiceLifecycle
import Setup
import Storage
import Synchronization
import Trade

/// The composition root of a node: creates its parts and connects them.
struct NodeAssembly: Sendable {
    /// A part's name and its run loop.
    typealias Running = (name: String, run: @Sendable () async throws -> Void)

    /// Created before any other part, because metrics made earlier would go nowhere.
    let metrics = MetricsRegistry.shared
    let node: NodeProcess
    let uptime = SystemMonotonicClock()
    let store: Store
    let accounts: Accounts
    let events: AccountEventLog
    let operations: OperationLog
    let links: Links
    let gossip: GossipService
    let recordService: RecordService
    let audit: RecordAudit
    let catalogue: Catalogue
    /// `nil` for a node without a chain.
    let market: MarketServices?
    let topics: RecordTopics
    let listenAddresses: [Multiaddr]
    let chat: Chat
    let mediaService: MediaService
    let authenticator: Authenticator
    let page: PageFiles
    let media: NodeMedia
    let homedFiles: HomedFiles

    /// A record to send to peers: on one topic, or on all that it belongs on.
    private struct Announcement: Sendable {
        let bytes: [UInt8]
        let topic: Topic?
    }

    /// Own records, and records validated late or arrived on another topic; all are on disk
    /// already.
    private let announcements = BoundedQueue<Announcement>(elementsMax: 256)

    let onReady: @Sendable (RunningNode) async -> Void

    init(
        _ node: NodeProcess,
        through transport: any RPCTransport,
        onReady: @escaping @Sendable (RunningNode) async -> Void
    ) async throws {
        self.node = node
        self.onReady = onReady
        let configuration = node.configuration
        // First, because these distinguish a folder that was never initialised from a usable one.
        let identity = try node.folder.nodeKey()
        let operatorTokenHash = try node.folder.operatorTokenHash()
        store = try Store(
            folder: node.folder.storeFolder,
            mapBytes: configuration.storeMapBytes,
            limits: node.storeLimits,
            clock: uptime
        )
        // Before anything is signed: a copy does not know the transactions signed after it was
        // made.
        if node.folder.isCopy {
            let now = node.clock.timestamp
            try await store.write { try $0.noteRestored(at: now) }
        }
        accounts = try node.accounts(in: store, under: identity, uptime)
        events = AccountEventLog(store: store, clock: node.clock)
        operations = OperationLog(store: store, events: events, clock: node.clock)
        topics = RecordTopics(
            network: configuration.network,
            chains: configuration.chains.map(\.id)
        )
        links = try node.links(as: identity, uptime)
        let view = try MarketServices.saleIndexes(configuration, clock: uptime)
        recordService = node.recordService(in: store, validatedBy: view) { [announcements] bytes in
            await announcements.send(Announcement(bytes: bytes, topic: nil))
        }
        audit = try RecordAudit(store: store)
        gossip = GossipService(
            links: links,
            validator: TopicValidator(recordService, topics: topics) {
                [announcements] bytes, topic in
                await announcements.send(Announcement(bytes: bytes, topic: topic))
            },
            source: StoreRecordSource(store: store, topics: topics, view: view, audit: audit),
            peerStore: LMDBPeerStore(store: store),
            settings: try Self.settings(configuration, identity),
            clock: uptime,
            seed: UInt64.random(in: 0...UInt64.max),
            logger: node.logger
        )
        // Gossip keeps a reference to the records, and these to the clock watch.
        recordService.clockWatch.ask { [weak gossip] in await gossip?.peers() ?? [] }
        let mailStore = LMDBMailStore(
            store: store,
            recordService: recordService,
            localPeer: links.localPeer
        )
        let exchange = node.mailExchange(
            over: links,
            gossip,
            as: identity,
            keeping: mailStore,
            uptime
        )
        chat = Chat(
            store: store,
            accounts: accounts,
            events: events,
            recordService: recordService,
            exchange: exchange,
            mailStore: mailStore,
            view: view,
            settings: ChatSettings(
                network: configuration.network,
                deviceName: PeerIDText.text(of: links.localPeer)
            ),
            clock: node.clock,
            uptime: uptime,
            logger: node.logger
        )
        let blobs = try node.blobs(in: store, over: links, gossip, uptime)
        media = blobs.media
        homedFiles = blobs.homed
        // Protocols are registered and addresses announced before the first peer can ask.
        await gossip.attach()
        await exchange.register()
        await blobs.exchange.register()
        await links.announce(try configuration.announce.map { try Self.address($0, of: .announce) })
        listenAddresses = try await Self.listen(links, configuration)
        catalogue = try Catalogue(
            path: node.folder.catalogueFile,
            store: store,
            clock: uptime,
            logger: node.logger
        )
        mediaService = MediaService(
            blobs: media,
            folder: node.folder,
            clock: node.clock,
            logger: node.logger
        )
        let dependencies = MarketServices.Dependencies(
            store: store,
            catalogue: catalogue,
            accounts: accounts,
            events: events,
            operations: operations,
            recordService: recordService,
            signingDeadline: SigningDeadline(after: configuration.signWithin, clock: node.clock),
            deadlines: configuration.deadlines,
            files: mediaService,
            chat: chat,
            blobs: media
        )
        market = try node.market(on: view, dependencies, through: transport, uptime)
        authenticator = Authenticator(
            accounts: accounts,
            operatorTokenHash: operatorTokenHash,
            host: configuration.apiHost,
            origins: configuration.apiOrigins,
            opensAccounts: configuration.openAccountsPerHour > 0,
            peer: PeerIDText.text(of: links.localPeer)
        )
        page = try PageFiles(folder: configuration.pageFolder)
    }

    /// Returns the run loops, in the order of their start.
    func services() async throws -> [Running] {
        for topic in topics.all { await gossip.join(topic) }
        let housekeeping = Housekeeping(
            store: store,
            recordService: recordService,
            audit: audit,
            clock: node.clock,
            uptime: uptime,
            errors: LoopErrors("housekeeping", logger: node.logger, clock: uptime)
        )
        let workFollower = WorkFollower(
            digitalWorks: digitalWorks,
            accounts: accounts,
            clock: uptime,
            logger: node.logger
        )
        return [
            ("store", stopping { try await store.watch() }),
            ("accounts", stopping { try await accounts.run() }),
            ("links", stopping { try await links.run() }),
            ("gossip", stopping { try await gossip.run() }),
            ("announcements", stopping { await announce() }),
            ("chat", stopping { try await chat.run() }),
            ("asked-files", stopping { await fetchAskedFiles() }),
            ("homed-files", stopping { try await homedFiles.run() }),
            ("works-of-other-nodes", stopping { try await workFollower.run() }),
            ("links-news", stopping { await announceLinks() }),
            ("catalogue", stopping { try await catalogue.run() }),
            ("housekeeping", stopping { try await housekeeping.run() }),
        ] + chainParts() + listeners()
    }

    private func chainParts() -> [Running] {
        guard let market else { return [] }
        let searches = searchWatcher(of: market.listingSearcher)
        let works = WorkDelivery(
            digitalWorks: digitalWorks,
            saleIndexes: market.saleIndexes,
            accounts: accounts,
            clock: uptime,
            logger: node.logger
        )
        return [
            ("trade", stopping { try await market.run() }),
            ("searches", stopping { try await searches.run() }),
            ("works", stopping { try await works.run() }),
        ]
    }

    /// Fetches the files that callers have asked for, and tells those who asked.
    private func fetchAskedFiles() async {
        let errors = LoopErrors("asked-files", logger: node.logger, level: .debug)
        await mediaService.fetchAsked(errors) { [events] file, account in
            try await events.record("media", subject: file, for: account)
        }
    }

    /// Lets mail continue at once when a peer is linked again.
    private func announceLinks() async {
        for await change in gossip.changes {
            if case .linked(let peer) = change { await chat.linked(peer) }
        }
    }

    private func announce() async {
        while let announced = await announcements.receive() {
            let bytes = announced.bytes
            for topic in announced.topic.map({ [$0] }) ?? topics.topics(of: bytes) {
                await gossip.publish(bytes, on: topic)
            }
        }
    }

    /// Wraps a loop that ends by cancellation, so that a request to stop cancels it.
    private func stopping(
        _ body: @escaping @Sendable () async throws -> Void
    ) -> @Sendable () async throws -> Void {
        { try await cancelWhenGracefulShutdown { try await body() } }
    }

    private static func listen(
        _ links: Links,
        _ configuration: Configuration
    ) async throws -> [Multiaddr] {
        var found: [Multiaddr] = []
        for text in configuration.listen {
            found += try await links.listen(on: try address(text, of: .listen))
        }
        return found
    }

    private static func settings(
        _ configuration: Configuration,
        _ identity: PrivateKey
    ) throws -> GossipSettings {
        var settings = GossipSettings()
        settings.policy = configuration.signsMessages ? .strictSign(identity) : .strictNoSign
        settings.bootstrap = try configuration.bootstrap.map { text in
            let address = try address(text, of: .bootstrap)
            guard address.peer != nil else {
                throw invalid(text, of: .bootstrap, "an address that ends in /p2p/<peer id>")
            }
            return address
        }
        return settings
    }

    private static func address(
        _ text: String,
        of key: ConfigurationKey
    ) throws(ConfigurationError) -> Multiaddr {
        guard let address = Multiaddr(text: text) else {
            throw invalid(text, of: key, "multiaddrs such as /ip4/192.0.2.1/tcp/4001")
        }
        return address
    }

    private static func invalid(
        _ text: String,
        of key: ConfigurationKey,
        _ expected: String
    ) -> ConfigurationError {
        .invalid(key: key.name, value: text, expected: expected, origin: "the configuration")
    }
}
