import AccountAccess
import Client
import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Logging
import Mail
import Metrics
import NodeAPI
import Records
import Setup
import Synchronization
import Trade

extension NodeAssembly {
    /// Returns the API and the health port; the last parts to start and the first to stop.
    func listeners() -> [Running] {
        let configuration = node.configuration
        let opened = OpenedPorts()
        let files = FileAllowance.raise()
        let report = report
        let health = HealthServer(
            host: configuration.apiHost,
            port: configuration.healthPort,
            figures: { [metrics, clock = node.clock] in
                await report.measure(at: clock.now)
                return metrics.text()
            },
            obstacles: {
                opened.api == nil ? ["The API is starting."] : await report.obstacles()
            },
            authenticator: authenticator,
            files: files,
            clock: uptime,
            logger: node.logger
        )
        let api = APIServer(
            host: configuration.apiHost,
            port: configuration.apiPort,
            authenticator: authenticator,
            events: events,
            services: apiServices(with: report),
            page: page,
            files: files,
            clock: uptime,
            logger: node.logger
        )
        return [
            (
                "health",
                {
                    try await health.run { port in
                        opened.set(health: port)
                        await announcePorts(opened)
                    }
                }
            ),
            (
                "api",
                {
                    try await api.run { port in
                        opened.set(api: port)
                        await announcePorts(opened)
                    }
                }
            ),
        ]
    }

    private var report: NodeReport {
        NodeReport(
            network: node.configuration.network,
            listenAddresses: listenAddresses.map(\.description),
            links: links,
            gossip: gossip,
            topics: topics.all,
            store: store,
            reportsAccount: node.configuration.reportsAccount,
            clockWatch: recordService.clockWatch,
            chains: {
                var statuses: [ChainStatus] = []
                for chain in market?.markets.all ?? [] { statuses.append(await chain.status) }
                return statuses
            }
        )
    }

    /// Returns the services that answer the API's calls.
    private func apiServices(with report: NodeReport) -> APIServices {
        let creator = AccountCreator(
            for: accounts,
            openPerHour: node.configuration.openAccountsPerHour
        )
        return APIServices(
            store: store,
            catalogue: catalogue,
            accounts: accounts,
            accountCreator: creator,
            externalAccounts: ExternalAccounts(
                creator: creator,
                network: node.configuration.network,
                node: PeerIDText.text(of: links.localPeer),
                clock: node.clock
            ),
            operations: operations,
            chat: chat,
            media: mediaService,
            curations: curations,
            reports: Reports(chat: chat, reader: node.configuration.reportsAccount),
            digitalWorks: digitalWorks,
            report: report,
            clock: node.clock,
            market: market
        )
    }

    /// Keeps digital works.
    var digitalWorks: DigitalWorks {
        DigitalWorks(chat: chat, media: media, saleIndexes: market?.saleIndexes)
    }

    /// Notifies accounts of new matches of their saved searches.
    func searchWatcher(of searcher: ListingSearcher) -> SearchWatcher {
        SearchWatcher(
            searches: SavedSearches(vault: chat.vault, searcher: searcher),
            searcher: searcher,
            curations: curations,
            accounts: accounts,
            events: events,
            clock: uptime,
            errors: LoopErrors("searches", logger: node.logger, clock: uptime)
        )
    }

    private var curations: Curations {
        Curations(
            store: store,
            recordService: recordService,
            accounts: accounts,
            blocks: Blocks(chat: chat),
            clock: node.clock
        )
    }

    /// Writes and reports the node's addresses, once both ports are open.
    private func announcePorts(_ opened: OpenedPorts) async {
        guard let api = opened.api, let health = opened.health else { return }
        // A wildcard is not an address to connect to; this machine's own is among those that it
        // means.
        let wildcards = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        let listened = node.configuration.apiHost
        let host = wildcards[listened] ?? listened
        let running = RunningNode(
            api: NodeAddress(host: host, port: api).description,
            health: NodeAddress(host: host, port: health).description,
            peer: PeerIDText.text(of: links.localPeer),
            addresses: await links.addresses.map(\.description),
            process: ProcessInfo.processInfo.processIdentifier
        )
        do {
            let text = String(decoding: try WireCoding.encoder().encode(running), as: UTF8.self)
            try node.folder.write(text, to: node.folder.addressFile)
        } catch {
            node.logger.warning("node.address not written", metadata: ["error": "\(error)"])
        }
        node.logger.info(
            "node is ready",
            metadata: ["api": "\(running.api)", "peer": "\(running.peer)"]
        )
        await onReady(running)
    }
}

/// The ports that the system assigned.
private final class OpenedPorts: Sendable {
    private let ports = Mutex<(api: Int?, health: Int?)>((nil, nil))

    var api: Int? { ports.withLock { $0.api } }
    var health: Int? { ports.withLock { $0.health } }

    func set(api port: Int) { ports.withLock { $0.api = port } }
    func set(health port: Int) { ports.withLock { $0.health = port } }
}

extension MetricsRegistry {
    /// The process's own registry, which holds the metrics of every part.
    static let shared: MetricsRegistry = {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()
}
