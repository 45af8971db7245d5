import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

struct SaleBookTests {
    private static let contract = ContractReference(
        chain: ChainID(31_337),
        address: testKey(20).address
    )
    private static let start = ChainTime(seconds: 1_763_700_000)
    private static let ana = testKey(1).address
    private static let bo = testKey(2).address

    private let fees = MarketFees.points(200, 200)
    private let terms: Market.EscrowTerms
    private let sale: SaleID
    private let listed: ItemListing<Market.EscrowTerms>

    init() throws {
        terms = try Market.EscrowTerms.standard(
            price: Amount(small: 10_000),
            currency: .native,
            form: .goods,
            now: Self.start
        )
        listed = ItemListing<Market.EscrowTerms>(
            seller: Self.ana,
            token: Amount(small: 1),
            promise: Bytes32(repeating: 1),
            contentHash: Bytes32(repeating: 2),
            salt: .zero,
            isMinted: true,
            terms: terms
        )
        sale = listed.offer.id(on: Self.contract)
    }

    private func book() -> SaleBook {
        let ledger = SaleLedger(
            chain: Self.contract.chain,
            contracts: [Self.contract.address: .init(kind: .escrow, fees: fees)],
            folds: SaleKinds.standard.folds
        )
        return SaleBook(ledger, confirmations: 3)
    }

    private func block(_ height: UInt64, branch: UInt8 = 1) -> BlockID {
        BlockID(number: height, hash: Bytes32(words: height, UInt64(branch), 0, 0))
    }

    private func time(_ height: UInt64) -> ChainTime {
        Self.start.advanced(by: .seconds(12 * height))
    }

    private func event(
        _ change: EscrowEvent.Change,
        _ height: UInt64,
        _ index: UInt64 = 0
    ) -> (height: UInt64, event: SaleLedger.Event) {
        let position = EventPosition(
            blockNumber: height,
            blockHash: block(height).hash,
            logIndex: index,
            time: time(height),
            transaction: Bytes32(words: height, 2, 0, 0)
        )
        let event = EscrowEvent(sale: sale, position: position, change: change)
        return (height, SaleLedger.Event(of: Self.contract.address, .sale(event)))
    }

    private func bought(at height: UInt64) -> (height: UInt64, event: SaleLedger.Event) {
        let deadline = time(height).advanced(by: terms.shipWindow)
        return event(.bought(seller: Self.ana, buyer: Self.bo, deadline: deadline), height)
    }

    @Test func `an event is final once its block has all confirmations`() throws {
        var book = book()

        let touched = book.apply([event(.listed(listed), 10)], upTo: block(10))
        #expect(touched == [sale])
        #expect(book.newest.sales[sale]?.status.name == "listed")
        #expect(book.settled.sales[sale] == nil)
        #expect(book.confirmations(ofHeight: 10) == 1)

        #expect(book.apply([], upTo: block(11)).isEmpty)
        #expect(book.apply([], upTo: block(12)) == [sale])
        #expect(book.settled.sales[sale]?.status.name == "listed")
        #expect(book.settledSaleCount(of: Self.ana) == 1)
        #expect(book.settledSaleCount(of: Self.bo) == 0)
    }

    @Test func `proposals in every block do not block the other party's moves`() throws {
        var book = book()
        _ = book.apply([event(.listed(listed), 10)], upTo: block(12))
        _ = book.apply([bought(at: 13)], upTo: block(13))
        for height in UInt64(14)...20 {
            let proposal = SettlementProposal(
                by: Self.ana,
                share: .all,
                until: time(height).advanced(by: .days(1))
            )
            _ = book.apply([event(.proposed(proposal), height)], upTo: block(height))
            let view = SaleView(try #require(book.newest.sales[sale]), in: book)
            #expect(view.isFinal == (height >= 15))
            #expect(view.isAnswerable(by: Self.bo, acceptsOneSource: false))
        }
        let history = try #require(book.newest.sales[sale]).history
        #expect(history.map(\.changesMoves) == [true, true] + Array(repeating: false, count: 7))
    }

    @Test func `a reorganisation removes only events that were not final`() throws {
        var book = book()
        _ = book.apply([event(.listed(listed), 10)], upTo: block(12))
        _ = book.apply([bought(at: 13)], upTo: block(13))
        #expect(book.newest.sales[sale]?.status.name == "paid")

        let touched = book.rollBack(to: block(12))

        #expect(touched == [sale])
        #expect(book.newest.sales[sale]?.status.name == "listed")
        #expect(book.settled.sales[sale]?.status.name == "listed")
        #expect(book.sales(of: Self.ana).map(\.status.name) == ["listed"])
        _ = book.apply([bought(at: 14)], upTo: block(14, branch: 2))
        #expect(book.newest.sales[sale]?.buyer == Self.bo)
    }

    @Test func `a reorganisation below final events requests a fresh start`() {
        var book = book()
        _ = book.apply([event(.listed(listed), 10)], upTo: block(20))

        #expect(book.rollBack(to: block(17)) == nil)
        #expect(book.rollBack(to: nil) == nil)
        #expect(book.rollBack(to: block(18)) != nil)
    }

    @Test func `events become final in order once a second endpoint has them`() {
        var book = book()
        #expect(book.confirm(SourceStatus(state: .confirming)).isEmpty)
        _ = book.apply([event(.listed(listed), 10), bought(at: 11)], upTo: block(20))
        #expect(book.settled.sales[sale] == nil && !book.isSettled(sale))
        #expect(!book.isConfirmed(sale))

        #expect(book.confirm(SourceStatus(state: .confirming, confirmed: 12)) == [sale])
        #expect(book.settled.sales[sale]?.status.name == "listed" && !book.isSettled(sale))
        #expect(book.confirm(SourceStatus(state: .away, confirmed: 13)) == [sale])
        #expect(book.settled.sales[sale]?.status.name == "paid" && book.isSettled(sale))
    }

    @Test func `a height is settled once its events are, or no one can confirm them`() {
        var book = book()
        _ = book.confirm(SourceStatus(state: .confirming))
        _ = book.apply([event(.listed(listed), 10)], upTo: block(11))
        #expect(book.hasSettled(9) && !book.hasSettled(10))
        // Blocks without events need no second endpoint.
        _ = book.apply([], upTo: block(13))
        #expect(book.hasSettled(11) && !book.hasSettled(10) && !book.hasSettled(12))
        var alone = book
        _ = alone.confirm(SourceStatus(state: .away))
        #expect(alone.hasSettled(10) && !alone.isSettled(sale))
        _ = book.confirm(SourceStatus(state: .confirming, confirmed: 12))
        #expect(book.hasSettled(10) && book.isSettled(sale))
    }

    /// - From endpoints: empty blocks that only one of two endpoints has → they make no event final
    @Test func `only blocks that a second endpoint has make an event final`() throws {
        var book = book()
        _ = book.confirm(SourceStatus(state: .confirming, confirmed: 9))
        _ = book.apply([event(.listed(listed), 10)], upTo: block(10))
        _ = book.apply([], upTo: block(15))
        for confirmed in [10, 11] as [UInt64] {
            _ = book.confirm(SourceStatus(state: .confirming, confirmed: confirmed))
            #expect(book.confirmations(ofHeight: 10) == confirmed - 9)
            #expect(book.settled.sales[sale] == nil && !book.isSettled(sale))
            let view = SaleView(try #require(book.newest.sales[sale]), in: book)
            #expect(!view.isFinal && !view.isAnswerable(by: Self.bo, acceptsOneSource: true))
        }
        var away = book
        _ = away.confirm(SourceStatus(state: .away, confirmed: 11))
        let view = SaleView(try #require(away.newest.sales[sale]), in: away)
        #expect(!view.isFinal && view.isAnswerable(by: Self.bo, acceptsOneSource: true))
        #expect(away.settled.sales[sale] == nil)
        #expect(book.confirm(SourceStatus(state: .confirming, confirmed: 12)) == [sale])
        #expect(book.isSettled(sale) && book.finalHeight == 10)
    }

    @Test func `skips a disputed event and makes no later event of its sale final`() {
        var book = book()
        _ = book.confirm(SourceStatus(state: .confirming))
        _ = book.apply([event(.listed(listed), 10), bought(at: 11)], upTo: block(11))
        #expect(book.newest.sales[sale]?.status.name == "paid")
        let disputed = SourceStatus(
            state: .confirming,
            confirmed: 20,
            disputed: [SourceStatus.LogPosition(height: 11, index: 0)]
        )
        #expect(book.confirm(disputed) == [sale])
        #expect(book.newest.sales[sale]?.status.name == "listed")
        #expect(book.isDisputed(sale))

        _ = book.apply([bought(at: 15)], upTo: block(20))
        #expect(book.newest.sales[sale]?.status.name == "paid" && book.faults.isEmpty)
        #expect(book.settled.sales[sale]?.status.name == "listed")
        #expect(!book.isSettled(sale) && !book.isConfirmed(sale))
        _ = book.rollBack(to: block(19))
        #expect(book.newest.sales[sale]?.status.name == "paid" && book.isDisputed(sale))
    }

    @Test func `drops no later event when the dispute about an earlier one ends`() {
        var book = book()
        _ = book.confirm(SourceStatus(state: .confirming))
        let transferred = event(
            .itemTransferred(
                seller: Self.ana,
                buyer: Self.bo,
                deadline: time(15).advanced(by: terms.confirmWindow)
            ),
            15
        )
        _ = book.apply([event(.listed(listed), 10), bought(at: 11), transferred], upTo: block(20))
        let disputed = SourceStatus(
            state: .confirming,
            confirmed: 20,
            disputed: [SourceStatus.LogPosition(height: 11, index: 0)]
        )
        _ = book.confirm(disputed)
        #expect(book.newest.sales[sale]?.status.name == "listed" && book.faults[sale] != nil)

        #expect(book.confirm(SourceStatus(state: .confirming, confirmed: 20)) == [sale])
        #expect(book.faults.isEmpty && book.isSettled(sale))
        #expect(book.newest.sales[sale]?.status.name == "transferred")
        #expect(book.settled.sales[sale]?.status.name == "transferred")
        _ = book.rollBack(to: block(19))
        #expect(book.faults.isEmpty && book.newest.sales[sale]?.status.name == "transferred")
    }

    @Test func `another endpoint's extra event blocks the finality of later ones`() {
        var book = book()
        _ = book.confirm(SourceStatus(state: .confirming))
        _ = book.apply([event(.listed(listed), 10)], upTo: block(13))
        _ = book.confirm(SourceStatus(state: .confirming, confirmed: 12))
        #expect(book.isSettled(sale) && !book.isDisputed(sale))
        let missing = SourceStatus(
            state: .confirming,
            confirmed: 20,
            missing: [sale.hash: 13, testKey(5).address.padded: 11]
        )
        #expect(book.confirm(missing) == [sale])
        #expect(book.isDisputed(sale) && !book.isSettled(sale) && !book.isConfirmed(sale))

        _ = book.apply([bought(at: 15)], upTo: block(20))
        #expect(book.settled.sales[sale]?.status.name == "listed")
        #expect(book.confirm(SourceStatus(state: .confirming, confirmed: 20)) == [sale])
        #expect(book.settled.sales[sale]?.status.name == "paid" && book.isSettled(sale))
    }

    @Test func `marks a sale whose events break the rules and keeps its last state`() {
        var book = book()
        _ = book.apply([event(.listed(listed), 10)], upTo: block(10))
        let forged = event(
            .bought(seller: Self.ana, buyer: Self.ana, deadline: Self.start),
            11
        )

        _ = book.apply([forged], upTo: block(11))
        #expect(book.faults[sale] == .wrongAccount)
        #expect(book.newest.sales[sale]?.status.name == "listed")

        _ = book.rollBack(to: block(10))
        #expect(book.faults.isEmpty)
        _ = book.apply([forged], upTo: block(20))
        _ = book.rollBack(to: block(19))
        #expect(book.faults[sale] == .wrongAccount)
    }

    private func saleIndex() -> SaleIndex {
        let market = DeployedMarket(
            chain: Self.contract.chain,
            escrow: Self.contract.address,
            fees: fees
        )
        return SaleIndex(deployment: market, confirmations: 3, clock: ManualClock())
    }

    @Test func `the index's version increases only when a sale changes`() {
        let saleIndex = saleIndex()
        var version = saleIndex.version
        func grows(_ change: () -> Void) -> Bool {
            defer { version = saleIndex.version }
            change()
            return saleIndex.version > version
        }

        #expect(!grows { _ = saleIndex.apply([], upTo: block(9)) })
        #expect(grows { _ = saleIndex.apply([event(.listed(listed), 10)], upTo: block(10)) })
        #expect(!grows { _ = saleIndex.apply([], upTo: block(11)) })
        #expect(grows { _ = saleIndex.rollBack(to: block(9)) })
        #expect(grows { _ = saleIndex.apply([event(.listed(listed), 10)], upTo: block(10)) })
        // It becomes final.
        #expect(grows { _ = saleIndex.apply([], upTo: block(12)) })
        #expect(grows { saleIndex.restart() })
    }

    @Test func `delays moves after another party's event until it is final`() throws {
        let saleIndex = saleIndex()
        _ = saleIndex.apply([event(.listed(listed), 10)], upTo: block(10))
        let now = time(10)
        let fresh = try #require(saleIndex.view(of: sale))

        #expect(saleIndex.actions(in: fresh, for: Self.bo, at: now).isEmpty)
        #expect(saleIndex.actions(in: fresh, for: Self.ana, at: now).map(\.move) == ["abort"])

        _ = saleIndex.apply([], upTo: block(12))
        let final = try #require(saleIndex.view(of: sale))
        #expect(saleIndex.actions(in: final, for: Self.bo, at: now).map(\.move) == ["buy"])
    }

    @Test func `a rollback of newer blocks does not undo a collection of credit`() throws {
        var book = book()
        let credit = ContractMoney.Credit(
            currency: .native,
            account: Self.ana,
            amount: terms.sellerDeposit
        )
        let end = EscrowEvent.Ended(
            seller: Self.ana,
            buyer: .zero,
            status: .aborted,
            exit: .abort,
            by: Self.ana,
            share: .none,
            tokenTo: Self.ana,
            maker: Self.ana,
            payout: EscrowPayout(seller: terms.sellerDeposit, buyer: .zero)
        )
        func parts() -> [SaleID] {
            let money = book.newest.money[Self.contract.address]
            return money?.parts(of: Self.ana, in: .native).map(\.sale) ?? []
        }
        let money = SaleLedger.Event(
            of: Self.contract.address,
            .withdrawn(credit, to: Self.ana)
        )
        _ = book.apply([event(.listed(listed), 10), event(.ended(end), 11)], upTo: block(11))
        _ = book.apply([event(.credited(credit), 11, 1)], upTo: block(11))
        #expect(parts() == [sale])
        _ = book.apply([(12, money)], upTo: block(12))
        #expect(parts().isEmpty)
        _ = book.apply([], upTo: block(16))
        #expect(book.rollBack(to: block(15)) == [])
        #expect(parts().isEmpty)
    }
}

extension Address {
    /// As a topic of an event holds it.
    fileprivate var padded: Bytes32 {
        Bytes32([UInt8](repeating: 0, count: 12) + bytes) ?? .zero
    }
}
