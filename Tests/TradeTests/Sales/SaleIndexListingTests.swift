import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// The sales of one listing among those of its token.
struct SaleIndexListingTests {
    private static let ana = testKey(1).address
    private static let slot = Bytes32(repeating: 5)
    private static let start = ChainTime(seconds: 1_763_700_000)

    private let index: SaleIndex
    private let contract: ContractReference

    init() throws {
        let market = GiftMarket()
        index = market.index(confirmations: 1)
        contract = ContractReference(
            chain: market.market.chain,
            address: try #require(market.market.contracts.first).location.address
        )
    }

    /// Lists the token in a block of its own.
    private func list(
        _ height: UInt64,
        by seller: Address = ana,
        in slot: Bytes32 = slot
    ) throws -> Market.Sale {
        let listed = ItemListing<Market.EscrowTerms>(
            seller: seller,
            token: Amount(small: 1),
            promise: Bytes32(repeating: 1),
            contentHash: Bytes32(repeating: 2),
            maker: Self.ana,
            salt: slot,
            isMinted: false,
            terms: try .standard(
                price: Amount(small: 10_000 + height),
                currency: .native,
                form: .goods,
                now: Self.start
            )
        )
        let id = listed.offer.id(on: contract)
        apply(.listed(listed), of: id, height)
        return try #require(
            index.view(of: SaleReference(contract: contract, id: id))
        ).sale
    }

    private func withdraw(_ sale: Market.Sale, _ height: UInt64) throws {
        let terms = try #require(sale.state.offer?.offer as? Market.EscrowTerms)
        let exit = EscrowExit.abort
        let ended = EscrowEvent.Ended(
            seller: sale.seller,
            buyer: .zero,
            status: exit.status,
            exit: exit,
            by: sale.seller,
            share: .none,
            tokenTo: sale.seller,
            maker: Self.ana,
            payout: EscrowPayout(
                seller: terms.sellerDeposit,
                buyer: .zero,
                platform: .zero,
                maker: .zero
            )
        )
        apply(.ended(ended), of: sale.id, height)
    }

    private func apply(_ change: EscrowEvent.Change, of id: SaleID, _ height: UInt64) {
        let hash = Bytes32(words: height, 0, 0, 0)
        let position = EventPosition(
            blockNumber: height,
            blockHash: hash,
            logIndex: 0,
            time: Self.start.advanced(by: .seconds(Int64(height))),
            transaction: hash
        )
        let event = EscrowEvent(sale: id, position: position, change: change)
        _ = index.apply(
            [(height, SaleLedger.Event(of: contract.address, .sale(event)))],
            upTo: BlockID(number: height, hash: hash)
        )
    }

    @Test func `one search finds the sales of a listing, however often it was put up`() throws {
        let first = try list(10)
        try withdraw(first, 11)
        var sales = [first]
        for height in 12...30 as ClosedRange<UInt64> { sales.append(try list(height)) }
        _ = try list(31, by: testKey(2).address)
        _ = try list(32, in: Bytes32(repeating: 6))
        let found = index.sales(forListingOf: sales[7])
        #expect(found.map(\.id) == sales.reversed().map(\.id))
        #expect(index.sale(before: sales[1])?.id == first.id)
        let over = try #require(index.view(of: first.reference)).sale
        let next = try #require(index.next(after: over))
        #expect(next.sale.id == sales[1].id)
        #expect(next.listing == ListingID(author: Self.ana, slot: Self.slot))
        #expect(index.next(after: sales[1]) == nil)
        #expect(index.sale(before: first) == nil)
    }
}
