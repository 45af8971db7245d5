import AccountAccess
import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
import Keys
import Logging
import Market
import Storage
import Support
import Testing
import Trade

/// A kind of sale that only this test knows goes through fold, index and API by the registry alone.
struct SaleSeamTests {
    private static let kinds = GiftMarket.kinds
    private static let ana = testKey(1).address
    private static let bo = testKey(2).address
    private static let address = GiftSales.address
    private static let sale = SaleID(Bytes32(repeating: 7))

    private let market: DeployedMarket
    private let index: SaleIndex

    init() throws {
        let gifts = GiftMarket()
        market = gifts.market
        index = gifts.index(confirmations: 2)
    }

    @Test func `a new kind of sale reaches the API from its contract's log`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        let follower = SaleFollower(
            saleIndex: index,
            store: store,
            events: AccountEventLog(store: store),
            onBlock: { _ in },
            logger: quiet
        )
        #expect(index.filter.addresses == market.contracts.map(\.address).sortedWith(market.item))
        #expect(index.filter.firstBlock == 3 && index.filter.topics.contains(GiftContract.topic))
        let block = BlockID(number: 10, hash: Bytes32(repeating: 1))
        let given = GiftContract.log(of: Self.sale, by: Self.ana, at: block, index: 0)
        let taken = GiftContract.log(of: Self.sale, by: Self.bo, at: block, index: 1)
        try await follower.handle(
            .applied(AppliedRange(from: 10, to: block, events: [given, taken])),
            on: market.chain
        )

        let view = try #require(index.view(of: Self.sale))
        #expect(view.sale.kind == GiftSale.kind && view.sale.stage == .over && view.fault == nil)
        let shown = Client.Sale(view, listing: nil, for: Self.bo, in: index)
        #expect(shown.kind == "gift" && shown.phase == "taken" && shown.stage == "over")
        #expect(shown.seller == Self.ana.checksummed && shown.buyer == Self.bo.checksummed)
        #expect(shown.history.map(\.move) == ["give", "take"])
        #expect(shown.history.map(\.by) == [Self.ana.checksummed, Self.bo.checksummed])
        #expect(shown.history.last?.transaction == taken.log.transaction.hex)
        #expect(index.actions(in: view, for: Self.bo, at: ChainTime(seconds: 0)).isEmpty)
        #expect(
            shown.escrow == nil && shown.item == nil && shown.warnings.contains(GiftSales.warning)
        )
        #expect(index.views(of: Self.bo).map(\.sale.id) == [Self.sale])
    }

    /// - From endpoints: thousands of events that a contract cannot have written → one line of the log an
    ///   hour, with their number
    @Test func `impossible events of a contract have one line in the log`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        let lines = LogLines()
        let follower = SaleFollower(
            saleIndex: index,
            store: store,
            events: AccountEventLog(store: store),
            onBlock: { _ in },
            logger: lines.logger
        )
        for height in 10...12 as ClosedRange<UInt64> {
            let block = BlockID(number: height, hash: Bytes32(words: 0, 0, 0, height))
            let events = (0..<100 as Range<UInt64>).map { index in
                AppliedEvent(
                    log: Ethereum.ContractEvent(
                        block: block,
                        index: index,
                        transaction: .zero,
                        address: Self.address,
                        topics: [],
                        data: []
                    ),
                    time: ChainTime(seconds: 1_763_700_000)
                )
            }
            try await follower.handle(
                .applied(AppliedRange(from: height, to: block, events: events)),
                on: market.chain
            )
        }
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.contains("count=100") == true, "\(lines.all)")
    }

    @Test func `validates its records and refuses an escrow's listing for it`() throws {
        let contract = ContractReference(chain: market.chain, address: Self.address)
        #expect(index.role(of: contract) == .sells(GiftSale.kind))
        let reference = SaleReference(contract: contract, id: Self.sale)
        #expect(index.sale(reference) == nil)

        let block = BlockID(number: 10, hash: Bytes32(repeating: 1))
        let log = GiftContract.log(of: Self.sale, by: Self.ana, at: block, index: 0)
        let event = try #require(try Self.kinds.contracts.decode(log, of: market))
        _ = index.apply([(10, event)], upTo: block)
        _ = index.apply([], upTo: BlockID(number: 11, hash: Bytes32(repeating: 2)))
        #expect(index.sale(reference)?.seller == Self.ana)
        #expect(index.isParty(Self.ana))

        let terms = try Market.EscrowTerms.standard(
            price: SaleLimits.priceMin,
            currency: .native,
            form: .goods,
            now: ChainTime(seconds: 1_763_700_000)
        )
        let listing = try Market.Listing(
            form: .goods,
            title: "Thing",
            description: "A thing.",
            category: "misc",
            tags: ["thing"],
            identifier: ItemIdentifier(normal: "thing"),
            delivery: .pickup(place: "Berlin"),
            chain: market.chain,
            terms: .escrow(terms)
        ).anchored(contract: Self.address, sale: Self.sale)
        let record = try SampleSale.record(
            .listing(listing),
            by: testKey(1),
            slot: Bytes32(repeating: 4),
            at: Timestamp(milliseconds: 1)
        )
        #expect(AnchorStatus.of(record, on: index) == .refused(.otherPromise))
    }

    @Test func `refuses its event on another kind's contract`() throws {
        let block = BlockID(number: 10, hash: Bytes32(repeating: 1))
        let log = GiftContract.log(of: Self.sale, by: Self.ana, at: block, index: 0)
        let event = try #require(try Self.kinds.contracts.decode(log, of: market))
        let stray = SaleLedger.Event(of: market.escrow, event.content)
        var ledger = SaleLedger(
            chain: market.chain,
            contracts: [market.escrow: .init(kind: .escrow, fees: market.escrowContract.fees)],
            folds: Self.kinds.folds
        )
        #expect(throws: SaleFault.otherKind) { try ledger.apply(stray) }
        #expect(throws: SaleFault.otherSale) { try ledger.apply(event) }
        #expect(ledger.sales.isEmpty)
    }
}

extension [Address] {
    /// The addresses with an item contract's, in the order of a filter.
    fileprivate func sortedWith(_ item: DeployedMarket.Location) -> [Address] {
        (self + [item.address]).sorted()
    }
}
