import AccountAccess
import Client
import Concurrency
import Foundation
import Gossip
import Hummingbird
import Keys
import Logging
import Mail
import Market
import Metrics
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
        let report = NodeReport(
            network: configuration.network,
            listenAddresses: listenAddresses.map(\.description),
            links: links,
            gossip: gossip,
            topics: topics.all,
            store: store,
            reportsAccount: configuration.reportsAccount,
            clockWatch: recordService.clockWatch,
            chains: { market?.saleIndexes.all.map(\.status) ?? [] }
        )
        let health = HealthServer(
            host: configuration.apiHost,
            port: configuration.healthPort,
            figures: { [metrics] in
                await report.measure(at: SystemWallClock().now)
                return metrics.text()
            },
            obstacles: {
                opened.api == nil ? ["The API is starting."] : await report.obstacles()
            },
            authenticator: authenticator,
            limits: .health(files: files),
            logger: node.logger
        )
        let api = APIServer(
            host: configuration.apiHost,
            port: configuration.apiPort,
            authenticator: authenticator,
            events: events,
            recordEvents: RecordEvents(store: store),
            clockWatch: recordService.clockWatch,
            limits: .api(files: files),
            routes: [
                { group in
                    addAccountRoutes(
                        to: group,
                        accounts: accounts,
                        recovery: Recovery(
                            chat: chat,
                            accounts: accounts,
                            saleIndexes: market?.saleIndexes
                        ),
                        open: openBusiness
                    )
                },
                { addExternalAccountRoutes(to: $0, accounts: externalAccounts) },
                { addNodeRoutes(to: $0, report: report, ids: ids) },
                { group in
                    addOperationRoutes(
                        to: group,
                        operations: operations,
                        runner: market?.runner,
                        ids: ids
                    )
                },
                { addChatRoutes(to: $0, chat: chat, ids: ids) },
                { addContactRoutes(to: $0, contacts: ContactNames(chat: chat), ids: ids) },
                { addCurationRoutes(to: $0, curations: curations, ids: ids) },
                { addReportRoutes(to: $0, reports: reports, ids: ids) },
                { group in
                    let (vault, listings) = (chat.vault, market?.listings)
                    addSavedRoutes(
                        to: group,
                        favourites: Favourites(vault: vault, listings: listings),
                        carts: Carts(vault: vault, listings: listings),
                        ids: ids
                    )
                    addAddressRoutes(
                        to: group,
                        addresses: DeliveryAddresses(vault: vault)
                    )
                    addSearchRoutes(
                        to: group,
                        searches: SavedSearches(vault: vault, listings: listings),
                        drafts: Drafts(vault: vault),
                        ids: ids
                    )
                },
                { addMediaRoutes(to: $0, media: mediaService) },
                { group in
                    addProfileRoutes(
                        to: group,
                        profiles: Profiles(
                            store: store,
                            homes: chat.homes,
                            media: mediaService
                        ),
                        ids: ids
                    )
                },
                { addWorkRoutes(to: $0, digitalWorks: digitalWorks) },
                addTradeRoutes,
            ],
            hasMarket: market != nil,
            logger: node.logger
        )
        let healthPort = ListeningPort(setting: .healthPort, host: health.host, port: health.port)
        let apiPort = ListeningPort(setting: .apiPort, host: api.host, port: api.port)
        return [
            (
                "health",
                {
                    try await healthPort.serve {
                        try await health.run { port in
                            opened.set(health: port)
                            await announcePorts(opened)
                        }
                    }
                }
            ),
            (
                "api",
                {
                    try await apiPort.serve {
                        try await api.run { port in
                            opened.set(api: port)
                            await announcePorts(opened)
                        }
                    }
                }
            ),
        ]
    }

    private var externalAccounts: ExternalAccounts {
        ExternalAccounts(
            accounts: accounts,
            network: node.configuration.network,
            node: PeerIDText.text(of: links.localPeer),
            clock: node.clock
        )
    }

    /// Keeps digital works.
    var digitalWorks: DigitalWorks {
        DigitalWorks(chat: chat, media: media, saleIndexes: market?.saleIndexes)
    }

    /// Tells accounts of what their saved searches find.
    func searchWatcher(of listings: Listings) -> SearchWatcher {
        SearchWatcher(
            searches: SavedSearches(vault: chat.vault, listings: listings),
            listings: listings,
            curations: curations,
            accounts: accounts,
            events: events,
            errors: LoopErrors("searches", logger: node.logger)
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

    private var reports: Reports {
        Reports(chat: chat, reader: node.configuration.reportsAccount)
    }

    /// Finds things by the beginnings of their ids and by names.
    private var ids: IDResolver {
        IDResolver(
            store: store,
            operations: operations,
            names: NameBook(accounts: accounts, chat: chat, store: store),
            market: market.map {
                MarketIndex(store: store, catalogue: catalogue, saleIndexes: $0.saleIndexes)
            }
        )
    }

    @Sendable private func openBusiness(of account: Address) throws -> UnfinishedWork {
        let sales = market?.saleIndexes.views(of: account) ?? []
        return UnfinishedWork(
            sales: sales.count { $0.sale.state.isUnfinished(for: account) },
            operations: try operations.unfinished().count {
                $0.operation.account == account.checksummed
            }
        )
    }

    @Sendable private func addTradeRoutes(to group: RouterGroup<APIContext>) {
        guard let market else { return }
        addListingRoutes(
            to: group,
            listings: market.listings,
            reviews: market.reviews,
            curations: curations,
            addresses: DeliveryAddresses(vault: chat.vault),
            ids: ids
        )
        let delivery = DeliveryNotes(
            addresses: DeliveryAddresses(vault: chat.vault),
            mail: DeliveryMail(chat: chat, saleIndexes: market.saleIndexes)
        )
        addSaleRoutes(to: group, sales: market.sales, delivery: delivery, ids: ids)
        addDeliveryRoutes(to: group, delivery: delivery, ids: ids)
        addBoughtWorkRoute(to: group, digitalWorks: digitalWorks, ids: ids)
        addStudentRoutes(to: group, lists: market.studentLists, ids: ids)
        addItemRoutes(
            to: group,
            sales: market.sales,
            listings: market.listings,
            reviews: market.reviews
        )
        addArbitrationRoutes(to: group, market: market, ids: ids)
        addReviewRoutes(to: group, reviews: market.reviews, ids: ids)
        addWalletRoutes(
            to: group,
            market: market,
            ids: ids
        )
        addSignatureRoutes(to: group, signatures: market.signatures, ids: ids)
    }

    /// Writes and reports the node's addresses, once both ports are open.
    private func announcePorts(_ opened: OpenedPorts) async {
        guard let api = opened.api, let health = opened.health else { return }
        // A wildcard is no address to connect to; this machine's own is among those it stands for.
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
