package import Answers
package import Client
package import Concurrency
package import Contracts
package import Ethereum
package import Keys
package import Market
package import Setup
import Synchronization

/// The market as this node's own chain connection shows it: every sale, the head, the health.
///
/// The chain's listener alone writes it; everyone else reads it, without waiting.
package final class SaleIndex: ChainView, Sendable {
    private struct Contents {
        var book: SaleBook
        var head: ChainHead?
        /// The health that the chain's service reports.
        var reported = ChainHealth.starting
        /// Whether the chain's service waits for room in the store, and so reports nothing.
        var lacksRoom = false
        var health: ChainHealth { lacksRoom ? .stale(.noRoom) : reported }
        /// The newest notice about each endpoint, and its time.
        var notices: [EndpointName: (notice: EndpointNotice, at: Duration)] = [:]
        var version: UInt64 = 0
    }

    package let deployment: DeployedMarket
    package let kinds: SaleKinds
    private let services: [Address: any SaleKindService]
    let confirmations: UInt64
    /// The pages that show transactions of the chain; `nil` if none are configured.
    let explorer: ExplorerLink?
    private let clock: any MonotonicClock
    private let contents: Mutex<Contents>

    /// - Parameters:
    ///   - deployment: The market's contracts.
    ///   - confirmations: Number of blocks, the event's own included, after which an event is
    ///     final.
    ///   - clock: The clock of the chain's service.
    ///   - kinds: The kinds of sale that the node knows.
    ///   - explorer: The pages that show transactions of the chain, if there are any.
    package init(
        deployment: DeployedMarket,
        confirmations: UInt64,
        clock: any MonotonicClock,
        kinds: SaleKinds = .standard,
        explorer: ExplorerLink? = nil
    ) {
        self.explorer = explorer
        self.deployment = deployment
        self.confirmations = confirmations
        self.clock = clock
        self.kinds = kinds
        var services: [Address: any SaleKindService] = [:]
        for contract in deployment.contracts {
            services[contract.address] = kinds.service(for: contract, in: deployment)
        }
        self.services = services
        contents = Mutex(Contents(book: Self.book(deployment, kinds, confirmations)))
    }

    private static func book(
        _ deployment: DeployedMarket,
        _ kinds: SaleKinds,
        _ confirmations: UInt64
    ) -> SaleBook {
        var contracts: [Address: SaleLedger.Contract] = [:]
        for contract in deployment.contracts {
            contracts[contract.address] = SaleLedger.Contract(
                kind: contract.kind,
                fees: contract.fees
            )
        }
        let ledger = SaleLedger(chain: deployment.chain, contracts: contracts, folds: kinds.folds)
        return SaleBook(ledger, confirmations: confirmations)
    }

    // For what the kinds of sale differ in

    /// Returns the service for a sale of this index.
    package func service(for sale: Market.Sale) -> any SaleKindService {
        guard let service = services[sale.reference.contract.address] else {
            preconditionFailure("only events of the market's contracts are folded")
        }
        return service
    }

    /// Returns the service of the contract in which new sales of a kind begin.
    package func service(for kind: SaleKind) -> (any SaleKindService)? {
        deployment.contract(for: kind).flatMap { services[$0.address] }
    }

    /// Returns a contract of this market; `nil` for any other address.
    package func contract(at address: Address) -> (any SaleContract)? {
        deployment.contract(at: address).flatMap { kinds.contracts.contract($0.kind, at: address) }
    }

    /// The logs that the chain's follower asks for.
    package var filter: LogFilter { kinds.contracts.filter(for: deployment) }

    /// Returns the moves that `account` can make in a sale at `time`.
    ///
    /// A move that answers another party's event is offered only once that event is final. While no
    /// second endpoint answers, one endpoint is enough for the offer; the view's warnings say so.
    package func actions(
        in view: SaleView,
        for account: Address,
        at time: ChainTime
    ) -> [SaleAction] {
        guard view.isAnswerable(by: account, acceptsOneSource: true) else { return [] }
        return service(for: view.sale).actions(in: view.sale, for: account, at: time)
    }

    // For the validation of records

    package func role(of contract: ContractReference) -> ContractRole {
        guard contract.chain == deployment.chain else { return .foreign }
        if let kind = deployment.contract(at: contract.address)?.kind { return .sells(kind) }
        return deployment.unknown[contract.address].map { .unknownKind($0) } ?? .foreign
    }

    package func sale(_ sale: SaleReference) -> Market.Sale? {
        let found = contents.withLock { $0.book.settled.sales[sale.id] }
        return found.flatMap { $0.reference == sale ? $0 : nil }
    }

    package func isParty(_ account: Address) -> Bool {
        saleCount(of: account) > 0
    }

    package func saleCount(of account: Address) -> Int {
        contents.withLock { $0.book.settledSaleCount(of: account) }
    }

    // For display

    /// Returns the sales whose money a contract holds for an account, oldest first, as of the
    /// newest blocks.
    func credits(
        of account: Address,
        in contract: Address,
        _ currency: Currency
    ) -> [ContractMoney.Part] {
        contents.withLock {
            $0.book.newest.money[contract]?.parts(of: account, in: currency) ?? []
        }
    }

    /// Returns a sale, and how far it can be relied on.
    package func view(of id: SaleID) -> SaleView? {
        contents.withLock { contents in
            contents.book.newest.sales[id].map { SaleView($0, in: contents.book) }
        }
    }

    /// Returns the sale that a record names, and how far it can be relied on.
    package func view(of sale: SaleReference) -> SaleView? {
        view(of: sale.id).flatMap { $0.sale.reference == sale ? $0 : nil }
    }

    /// Returns for each reference the sale that it names; `nil` for one that the chain does not
    /// show.
    func sales(of references: [SaleReference?]) -> [Market.Sale?] {
        contents.withLock { contents in
            references.map { reference in
                guard let reference, let sale = contents.book.newest.sales[reference.id],
                    sale.reference == reference
                else { return nil }
                return sale
            }
        }
    }

    /// Returns the sales with ids from `first` to `last`.
    func sales(between first: Bytes32, _ last: Bytes32) -> [Market.Sale] {
        contents.withLock { contents in
            contents.book.newest.sales.values
                .filter { (first...last).contains($0.reference.id.hash) }
        }
    }

    /// Returns the sales that concern an account, in no order.
    func sales(of account: Address) -> [Market.Sale] {
        contents.withLock { $0.book.sales(of: account) }
    }

    /// Returns the sales in which an account is a party, most recently moved first.
    package func views(of account: Address) -> [SaleView] {
        contents.withLock { contents in
            contents.book.sales(of: account)
                .sorted { $0.position > $1.position }
                .map { SaleView($0, in: contents.book) }
        }
    }

    /// Returns the newest sales of a token, at most `limit`, in the order in which they were
    /// listed.
    func views(of item: Amount, limit: Int) -> [SaleView] {
        contents.withLock { contents in
            contents.book.sales(of: item).suffix(limit).map { SaleView($0, in: contents.book) }
        }
    }

    /// Returns when a token was first listed; `nil` for one without a sale.
    func firstListed(_ item: Amount) -> ChainTime? {
        contents.withLock { $0.book.sales(of: item).first?.listedAt.time }
    }

    /// Returns whether a sale sells its token again, as the token's history says: another account
    /// made it, or it was bought before.
    ///
    /// - Returns: `nil` for a sale without a token.
    func isResale(_ sale: Market.Sale) -> Bool? {
        guard let item = sale.state.item, let maker = sale.state.maker else { return nil }
        guard maker == sale.seller else { return true }
        return contents.withLock { contents in
            contents.book.sales(of: item).contains {
                $0.listedAt < sale.listedAt && $0.state.outcome == .complete
            }
        }
    }

    /// Returns the tokens that were sold for an identifier, the oldest first, at most `limit`.
    ///
    /// The content of a token is the hash of its own maker and the identifier. It is computed for
    /// each maker, while other tasks can use the index.
    ///
    /// - Parameters:
    ///   - identifier: The identifier.
    ///   - maker: The only maker whose tokens count; `nil` for all.
    ///   - limit: The maximum number of tokens.
    /// - Returns: The tokens.
    func items(
        of identifier: ItemIdentifier,
        madeBy maker: Address? = nil,
        limit: Int
    ) -> [Amount] {
        let makers = maker.map { [$0] } ?? contents.withLock { $0.book.makers }
        let hashes = makers.map { ($0, identifier.contentHash(madeBy: $0)) }
        return contents.withLock {
            $0.book.items(of: identifier, contents: hashes, limit: limit)
        }
    }

    /// Returns one page of the sales in which an account is a party, most recently moved first.
    ///
    /// - Parameters:
    ///   - account: An account that the sales concern.
    ///   - isShown: Which of the sales are shown; it must not ask the index for anything.
    ///   - place: The start of the page; a sale that has moved since is before it.
    ///   - limit: The maximum number of sales.
    /// - Returns: The sales, and where the next page begins; `nil` at the end.
    package func page(
        of account: Address,
        where isShown: (Market.Sale) -> Bool,
        after place: PageCursor?,
        limit: Int
    ) -> (views: [SaleView], next: PageCursor?) {
        contents.withLock { contents in
            let (sales, next) = contents.book.sales(of: account)
                .filter(isShown)
                .page(after: place, limit: limit) { sale in
                    PageCursor(sale.position.blockNumber, sale.position.logIndex, id: sale.id.hash)
                }
            return (sales.map { SaleView($0, in: contents.book) }, next)
        }
    }

    /// Returns the sales that are not over: those that concern any of the accounts, and the others.
    func openSales(of accounts: Set<Address>) -> (own: [SaleID], others: [SaleID]) {
        contents.withLock { contents in
            var (own, others): ([SaleID], [SaleID]) = ([], [])
            for sale in contents.book.newest.sales.values where sale.stage != .over {
                if sale.concerned.contains(where: accounts.contains) {
                    own.append(sale.id)
                } else {
                    others.append(sale.id)
                }
            }
            return (own, others)
        }
    }

    /// The notices about endpoints of the last day, in the order of their names.
    var notices: [EndpointNotice] {
        contents.withLock { contents in
            contents.notices.values.filter { clock.uptime - $0.at < Self.noticeShown }
                .map(\.notice)
                .sorted { $0.endpoint.description < $1.endpoint.description }
        }
    }

    /// How long a notice about an endpoint is shown.
    private static let noticeShown = Duration.seconds(86_400)

    package var head: ChainHead? { contents.withLock { $0.head } }
    package var sources: SourceStatus { contents.withLock { $0.book.sources } }
    /// A number that grows whenever a sale changes.
    package var version: UInt64 { contents.withLock { $0.version } }
    /// The newest applied block.
    package var applied: BlockID? { contents.withLock { $0.book.applied } }
    /// The height up to which blocks are deep enough to be final.
    package var finalHeight: UInt64? { contents.withLock { $0.book.finalHeight } }
    package var health: ChainHealth { contents.withLock { $0.health } }

    /// See ``SaleBook/hasSettled(_:)``.
    package func hasSettled(_ height: UInt64) -> Bool {
        contents.withLock { $0.book.hasSettled(height) }
    }

    /// The chain's present time; `nil` before its first block was seen.
    package var time: ChainTime? {
        head.map { $0.time(at: clock.uptime) }
    }

    /// The chain's time, the time of the block that it goes by, and its health, all of one moment;
    /// `nil` before the first block.
    package var timing: (now: ChainTime, head: ChainTime, health: ChainHealth)? {
        let (head, health) = contents.withLock { ($0.head, $0.health) }
        return head.map {
            ($0.time(at: clock.uptime), ChainTime(seconds: $0.timed.seconds), health)
        }
    }

    // For the chain's listener

    /// Forgets all sales, so that they can be loaded again.
    package func restart() {
        let book = Self.book(deployment, kinds, confirmations)
        change { old in
            let (sources, watched) = (old.sources, old.watched)
            old = book
            old.watched = watched
            _ = old.confirm(sources)
            return nil
        }
    }

    package func apply(
        _ events: [(height: UInt64, event: SaleLedger.Event)],
        upTo block: BlockID
    ) -> Set<SaleID> {
        change { $0.apply(events, upTo: block) } ?? []
    }

    /// See ``SaleBook/rollBack(to:)``.
    package func rollBack(to block: BlockID?) -> Set<SaleID>? {
        change { $0.rollBack(to: block) }
    }

    /// See ``SaleBook/confirm(_:)``.
    package func set(sources: SourceStatus) -> Set<SaleID> {
        change { $0.confirm(sources) } ?? []
    }

    /// Keeps the news of these accounts from now on; see ``SaleBook/watched``.
    package func watch(_ accounts: Set<Address>) {
        contents.withLock { $0.book.watched = accounts }
    }

    /// See ``SaleBook/takeNews()``.
    package func takeNews() -> [SaleNews] { contents.withLock { $0.book.takeNews() } }

    /// Changes the book; `body` returns the sales that changed, `nil` if any may have.
    @discardableResult
    private func change(_ body: (inout SaleBook) -> Set<SaleID>?) -> Set<SaleID>? {
        contents.withLock { contents in
            let changed = body(&contents.book)
            if changed?.isEmpty != true { contents.version += 1 }
            return changed
        }
    }

    /// Records that an endpoint was found to withhold something.
    package func note(_ notice: EndpointNotice) {
        contents.withLock { $0.notices[notice.endpoint] = (notice, clock.uptime) }
    }

    package func set(head: ChainHead) { contents.withLock { $0.head = head } }
    package func set(health: ChainHealth) { contents.withLock { $0.reported = health } }

    /// Records whether what follows the chain waits for room in the store.
    package func set(lacksRoom: Bool) { contents.withLock { $0.lacksRoom = lacksRoom } }
}
