import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing
import Trade

/// Bids that are paid with a credit of another auction, which endpoints do not agree on.
struct HeldUpCreditTests {
    private static let (bo, cy) = (ItemMarket.bo, ItemMarket.cy)

    /// Bo is outbid in the first auction in block 12, and pays with that a bid in the second, in
    /// block 14.
    private static func auctions(in items: ItemMarket) throws -> [AuctionSteps] {
        var auctions = try [(10_001, 10), (10_000, 13)].map { least, height in
            let terms = Market.AuctionTerms(
                currency: .native,
                startingBid: Amount(small: UInt64(least))
            )
            return try AuctionSteps(terms, at: UInt64(height), in: items)
        }
        try auctions[0].bid(10_001, by: bo, at: ItemMarket.start)
        try auctions[0].bid(11_000, by: cy, at: ItemMarket.start)
        try auctions[1].bid(10_001, by: bo, at: ItemMarket.start, fromCredit: true)
        return auctions
    }

    @Test func `keeps an auction correct despite a disputed credit behind a bid`() throws {
        let items = ItemMarket()
        let contract = try items.contract(.auction)
        let auctions = try Self.auctions(in: items)
        let (first, second) = (auctions[0].sale.id, auctions[1].sale.id)
        let ledger = SaleLedger(
            chain: items.market.chain,
            contracts: [contract.address: .init(kind: .auction, fees: contract.fees)],
            folds: SaleKinds.standard.folds
        )
        var book = SaleBook(ledger, confirmations: 3)
        let disputed = SourceStatus(
            state: .confirming,
            confirmed: 30,
            disputed: [0, 1, 2].reduce(into: []) {
                $0.insert(SourceStatus.LogPosition(height: 12, index: $1))
            }
        )
        _ = book.confirm(disputed)
        let events = auctions.flatMap(\.events).map {
            ($0.position.blockNumber, SaleLedger.Event(of: contract.address, .sale($0)))
        }
        let head = BlockID(number: 20, hash: Bytes32(words: 20, 1, 0, 0))
        _ = book.apply(events, upTo: head)
        #expect(book.faults.isEmpty)
        #expect(book.newest.sales[second]?.state.highestBid == Amount(small: 10_001))

        _ = book.confirm(SourceStatus(state: .confirming, confirmed: 30))
        #expect(book.faults.isEmpty && book.isSettled(first) && book.isSettled(second))
        let money = book.settled.money[contract.address]
        #expect(money?.credit(of: Self.bo, in: .native) == .zero)
    }
}
