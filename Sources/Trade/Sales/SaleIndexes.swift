import Answers
import Client
import Concurrency
import Contracts
import Ethereum
package import Keys
package import Market
import Setup

/// The sale indexes of the node's chains: each chain's sales, as this node's own connection to that
/// chain shows them.
///
/// Whatever names a chain is looked up on that chain alone. The same contract address, and even the
/// same sale id, on two chains are two sales.
package struct SaleIndexes: ChainView, Sendable {
    /// One for each chain, in the order of the settings; none on a node without a chain.
    package let all: [SaleIndex]
    private let places: [ChainID: Int]

    /// - Parameter all: One for each chain; no two are of one chain.
    package init(_ all: [SaleIndex]) {
        self.all = all
        places = Dictionary(
            uniqueKeysWithValues: all.enumerated().map { ($1.deployment.chain, $0) }
        )
    }

    package subscript(chain: ChainID) -> SaleIndex? { places[chain].map { all[$0] } }

    /// Returns the index of a chain in ``all``.
    func place(of chain: ChainID) -> Int? { places[chain] }

    /// Returns the sales that have credited an account something that it has not collected.
    func uncollected(of account: Address) -> Set<SaleReference> {
        var found: Set<SaleReference> = []
        for index in all {
            for contract in index.deployment.contracts {
                let reference = ContractReference(
                    chain: index.deployment.chain,
                    address: contract.address
                )
                for currency in contract.currencies {
                    let parts = index.credits(of: account, in: contract.address, currency)
                    found.formUnion(parts.map { SaleReference(contract: reference, id: $0.sale) })
                }
            }
        }
        return found
    }

    /// Returns the index that a sale was taken from.
    package subscript(sale: Market.Sale) -> SaleIndex {
        guard let index = self[sale.reference.contract.chain] else {
            preconditionFailure("only sales of the node's chains are folded")
        }
        return index
    }

    /// The rules of the sale kinds, which are the same on all chains.
    var kinds: SaleKinds { all.first?.kinds ?? .standard }

    /// A number that grows whenever a sale of any chain changes.
    package var version: UInt64 { all.reduce(0) { $0 &+ $1.version } }

    /// Whether the newest blocks of every chain are seen.
    package var areCurrent: Bool { all.allSatisfy { $0.health == .following } }

    // For the validation of records

    package func role(of contract: ContractReference) -> ContractRole {
        self[contract.chain]?.role(of: contract) ?? .foreign
    }

    package func sale(_ sale: SaleReference) -> Market.Sale? {
        self[sale.contract.chain]?.sale(sale)
    }

    package func time(of chain: ChainID) -> ChainTime? { self[chain]?.time }

    package func isParty(_ account: Address) -> Bool { all.contains { $0.isParty(account) } }

    package func isParty(_ account: Address, on chain: ChainID) -> Bool {
        self[chain]?.isParty(account) ?? false
    }

    package func saleCount(of account: Address) -> Int {
        all.reduce(0) { $0 + $1.saleCount(of: account) }
    }

    // For display

    /// Returns the sale that a record names, and how far it can be relied on.
    package func view(of sale: SaleReference) -> SaleView? {
        self[sale.contract.chain]?.view(of: sale)
    }

    /// Returns the sale with an id in the API's form, on whichever chain it is.
    ///
    /// A sale's id is the hash of its chain, contract and terms. Only if a chain has split, and the
    /// node follows both parts, can two chains have one.
    ///
    /// - Throws: ``Refusal`` with `unknown_sale` or `ambiguous_id`.
    func view(entered id: String) throws(Refusal) -> SaleView {
        if let found = try onlyView(entered: id) { return found }
        guard (try? ListingID(id)) == nil else {
            throw Refusal(
                .unknownSale,
                Sentence("refusal.listingIsNoSale", ["id": id.quoted]),
                field: "sale"
            )
        }
        guard id.isEmpty || id.hasPrefix("0x") || id.allSatisfy(\.isHexDigit) else {
            throw Refusal(
                .unknownSale,
                Sentence("refusal.noSaleNamed", ["id": id.quoted]),
                field: "sale"
            )
        }
        throw Refusal(
            .unknownSale,
            Sentence("refusal.unknownSale", ["id": id.quoted]),
            field: "sale"
        )
    }

    /// As ``view(entered:)``; `nil` if no chain shows such a sale.
    func onlyView(entered id: String) throws(Refusal) -> SaleView? {
        guard let hash = Bytes32(hex: id) else { return nil }
        let found = all.compactMap { $0.view(of: SaleID(hash)) }
        guard found.count < 2 else {
            let chains = found.map { "\($0.sale.reference.contract.chain)" }.joined(separator: ", ")
            throw Refusal(
                .ambiguousID,
                Sentence("refusal.saleOnChains", ["chains": chains, "id": id.quoted]),
                field: "sale"
            )
        }
        return found.first
    }

    /// Returns for each reference the sale that it names; `nil` for one that its chain does not
    /// show.
    package func sales(of references: [SaleReference?]) -> [Market.Sale?] {
        if all.count == 1 { return all[0].sales(of: references) }
        var found = [Market.Sale?](repeating: nil, count: references.count)
        for index in all {
            let own = references.map { $0?.contract.chain == index.deployment.chain ? $0 : nil }
            for (place, sale) in index.sales(of: own).enumerated() where sale != nil {
                found[place] = sale
            }
        }
        return found
    }

    /// Returns the sales with ids from `first` to `last`.
    func sales(between first: Bytes32, _ last: Bytes32) -> [Market.Sale] {
        all.flatMap { $0.sales(between: first, last) }
    }

    /// Returns the sales that concern an account, in no order.
    func sales(of account: Address) -> [Market.Sale] { all.flatMap { $0.sales(of: account) } }

    /// Returns those of the sales that are final on their chains, unchanged.
    func final(_ sales: [Market.Sale]) -> [Market.Sale] {
        sales.compactMap { sale($0.reference) }
    }

    /// Returns the sales in which an account is a party, most recently moved first.
    package func views(of account: Address) -> [SaleView] {
        guard all.count != 1 else { return all[0].views(of: account) }
        return all.flatMap { $0.views(of: account) }.sorted { $0.place < $1.place }
    }

    /// Returns one page of the sales in which an account is a party, most recently moved first.
    ///
    /// Blocks of several chains are compared by their times.
    ///
    /// - Parameters: As ``SaleIndex/page(of:where:after:limit:)``.
    /// - Returns: The sales, and where the next page begins; `nil` at the end.
    func page(
        of account: Address,
        where isShown: (Market.Sale) -> Bool,
        after place: PageCursor?,
        limit: Int
    ) -> (views: [SaleView], next: PageCursor?) {
        guard all.count != 1 else {
            return all[0].page(of: account, where: isShown, after: place, limit: limit)
        }
        let (views, next) = all.flatMap { $0.views(of: account) }
            .filter { isShown($0.sale) }
            .page(after: place, limit: limit) { $0.place }
        return (views, next)
    }

    /// As ``page(of:where:after:limit:)``, but with the earliest deadline first, and the sales
    /// without one last.
    func pageByDeadline(
        of account: Address,
        where isShown: (Market.Sale) -> Bool,
        after place: PageCursor?,
        limit: Int
    ) -> (views: [SaleView], next: PageCursor?) {
        var found: [(view: SaleView, place: PageCursor)] = []
        for index in all {
            for view in index.views(of: account) where isShown(view.sale) {
                let time = index.time ?? view.sale.position.time
                let deadline = view.sale.state.deadline(after: time)?.at.seconds ?? .max
                found.append((view, PageCursor(UInt64.max - deadline, id: view.sale.id.hash)))
            }
        }
        let (items, next) = found.page(after: place, limit: limit) { $0.place }
        return (items.map(\.view), next)
    }

    /// Returns the state of a listing at a time, see ``ListingState``.
    func state(of listing: Market.Listing, at time: ListingTimes) -> ListingState {
        guard let place = places[listing.chain] else { return .withoutSale }
        return all[place].state(of: listing, at: time[place])
    }

    /// As ``state(of:at:)``, for a sale that was looked up; `nil` if its chain does not show it.
    func state(
        of reference: SaleReference?,
        shown sale: Market.Sale?,
        at time: ListingTimes
    ) -> ListingState {
        guard let reference, let place = places[reference.contract.chain] else {
            return .withoutSale
        }
        return all[place].state(of: reference, shown: sale, at: time[place])
    }

    /// Returns the part of an account in a listing's sale; `nil` for none.
    func part(of account: Address, in listing: Market.Listing) -> String? {
        listing.sale.flatMap { view(of: $0) }?.sale.state.part(of: account)
    }

    /// The present time by all clocks; before a chain's first block, none of its listings ends by
    /// it.
    func time(by clock: any WallClock) -> ListingTimes {
        ListingTimes(wall: clock.timestamp, chains: all.map { $0.time ?? ChainTime(seconds: 0) })
    }
}

extension SaleView {
    /// The position in a list of sales of several chains.
    fileprivate var place: PageCursor {
        PageCursor(sale.position.time.seconds, sale.position.logIndex, id: sale.id.hash)
    }
}

/// A time by all clocks: listings end by the machine's clock, their sales by that of their chain.
struct ListingTimes: Sendable {
    var wall: Timestamp
    /// By the index of the chain in ``SaleIndexes/all``.
    var chains: [ChainTime]

    /// A time that is never reached, by the machine's clock and by those of `count` chains.
    static func end(_ count: Int) -> ListingTimes {
        ListingTimes(
            wall: ListingTime.end.wall,
            chains: Array(repeating: ListingTime.end.chain, count: count)
        )
    }

    /// The time by the machine's clock and by that of one chain.
    subscript(place: Int) -> ListingTime { ListingTime(wall: wall, chain: chains[place]) }

    /// Adopts the end of a listing of one chain, if it is earlier.
    mutating func note(_ end: ListingTime, of place: Int) {
        wall = min(wall, end.wall)
        chains[place] = min(chains[place], end.chain)
    }
}
