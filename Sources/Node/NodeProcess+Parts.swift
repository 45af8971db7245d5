import AccountAccess
import Answers
import Concurrency
import Ethereum
import Gossip
import GossipProtocol
import Keys
import Mail
import Market
import MediaFiles
import Records
import Setup
import Storage
import Trade

/// The parts of a node as its settings want them.
extension NodeProcess {
    var storeLimits: StoreLimits {
        StoreLimits(
            mapBytes: configuration.storeMapBytes,
            openLaneBytesMax: configuration.storeOpenBytes,
            conversationBytesMax: configuration.storeChatBytes
        )
    }

    func accounts(
        in store: Store,
        under identity: PrivateKey,
        _ uptime: SystemMonotonicClock
    ) throws -> Accounts {
        Accounts(
            store: store,
            clock: clock,
            uptime: uptime,
            cost: try KeystoreCost(
                rounds: configuration.keystoreCost,
                blockSize: 8,
                parallelism: 1
            ),
            idle: configuration.sessionIdle,
            life: configuration.sessionLife,
            confirmed: configuration.sessionConfirmed,
            unattendedKeys: UnattendedKeys(in: folder, under: identity),
            logger: logger
        )
    }

    func links(as identity: PrivateKey, _ uptime: SystemMonotonicClock) throws -> Links {
        try Links(
            identity: identity,
            agentVersion: "stoa/\(Version.text)",
            time: { [clock] in clock.unixSeconds },
            clock: uptime,
            resolver: NameResolver(clock: uptime),
            logger: logger
        )
    }

    func recordService(
        in store: Store,
        validatedBy view: SaleIndexes,
        announce: @escaping @Sendable ([UInt8]) async -> Void
    ) -> RecordService {
        RecordService(
            store: store,
            network: configuration.network,
            rules: configuration.openLaneRules,
            view: view,
            announce: announce,
            clock: clock,
            clockWatch: ClockWatch(clock: clock, saleIndexes: view),
            logger: logger
        )
    }

    func mailExchange(
        over links: Links,
        _ gossip: GossipService,
        as identity: PrivateKey,
        keeping mailStore: LMDBMailStore,
        _ uptime: SystemMonotonicClock
    ) -> MailExchange {
        MailExchange(
            links: links,
            mailStore: mailStore,
            identity: identity,
            settings: MailSettings(
                network: configuration.network,
                acceptsHomes: configuration.acceptsHomes,
                lease: configuration.homeLease,
                quotaByteCount: storeLimits.leaseBytesMax,
                limits: MailLimits(storeLimits)
            ),
            addresses: { [links] in await links.addresses },
            now: { [clock] in clock.timestamp },
            charge: { [gossip] in gossip.charge($0, with: $1) },
            noteUse: { [gossip] in gossip.noteUse(of: $0) },
            dials: gossip,
            clock: uptime,
            logger: logger
        )
    }

    func blobs(
        in store: Store,
        over links: Links,
        _ gossip: GossipService,
        _ uptime: SystemMonotonicClock
    ) throws -> NodeBlobs {
        try NodeBlobs(
            store: store,
            links: links,
            gossip: gossip,
            folder: folder.blobsFolder,
            quotaBytes: configuration.mediaBytes,
            clock: uptime,
            wallClock: clock,
            logger: logger
        )
    }

    /// Returns the services of the node's chains; `nil` if it has none.
    func market(
        on saleIndexes: SaleIndexes,
        _ dependencies: MarketServices.Dependencies,
        through transport: any RPCTransport,
        _ uptime: SystemMonotonicClock
    ) throws -> MarketServices? {
        guard !saleIndexes.all.isEmpty else { return nil }
        return try MarketServices(
            configuration,
            saleIndexes: saleIndexes,
            dependencies: dependencies,
            transport: transport,
            clock: uptime,
            logger: logger,
            afterStep: { StopAfter.step($0) }
        )
    }
}
