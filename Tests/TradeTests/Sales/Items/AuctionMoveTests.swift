import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// The moves in an auction and what each account is told of them, without a chain.
struct AuctionMoveTests {
    private static let (ana, bo, cy) = (ItemMarket.ana, ItemMarket.bo, ItemMarket.cy)
    private static let start = ItemMarket.start
    private static let end = start.advanced(by: .days(7))

    private let sales: AuctionSales
    private let unbid: AuctionSteps
    private let bid: AuctionSteps
    private let contract = AuctionContract(address: ItemMarket.auctionAddress)

    init() throws {
        let items = ItemMarket()
        sales = AuctionSales(contract: try items.contract(.auction), in: items.market)
        let terms = Market.AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        unbid = try AuctionSteps(terms, in: items)
        var steps = unbid
        try steps.bid(10_000, by: Self.bo, at: Self.start)
        bid = steps
    }

    private func refused(
        _ move: String,
        _ steps: AuctionSteps,
        by account: Address,
        at time: ChainTime
    ) -> Refusal? {
        #expect(throws: Refusal.self) {
            let move = Client.SaleMove(move: move)
            return try sales.move(move, in: steps.sale, by: account, at: time) {}
        }
    }

    private func call(
        _ move: String,
        _ steps: AuctionSteps,
        by account: Address,
        at time: ChainTime
    ) throws -> [UInt8] {
        let move = Client.SaleMove(move: move)
        return try sales.move(move, in: steps.sale, by: account, at: time) {}.call.data
    }

    private func names(
        _ steps: AuctionSteps,
        _ account: Address,
        at time: ChainTime
    ) -> [String] {
        sales.actions(in: steps.sale, for: account, at: time).map(\.move)
    }

    @Test func `shows each account exactly the moves that the contract accepts`() {
        let before = Self.end.earlier(by: 1)
        #expect(names(unbid, Self.ana, at: before) == ["abort"])
        #expect(names(unbid, Self.bo, at: before) == ["bid"])
        #expect(names(bid, Self.ana, at: before).isEmpty)
        // Who has the highest bid can still raise it.
        #expect(names(bid, Self.bo, at: before) == ["bid"])
        for steps in [unbid, bid] {
            for account in [Self.ana, Self.bo, Self.cy] {
                #expect(names(steps, account, at: Self.end) == ["end"])
            }
        }
        let shown = sales.actions(in: unbid.sale, for: Self.bo, at: before)
        #expect(shown.map(\.until) == [Self.end.date])
        #expect(sales.actions(in: bid.sale, for: Self.cy, at: Self.end).map(\.until) == [nil])
    }

    /// - From people: ending an auction before its time → move_not_open
    @Test func `no one can end an auction early, and anyone can end it on time`() throws {
        for steps in [unbid, bid] {
            for account in [Self.ana, Self.bo, Self.cy] {
                let early = refused("end", steps, by: account, at: Self.end.earlier(by: 1))
                #expect(early?.code == .moveNotOpen)
                let words = "The bidding runs until 2025-11-28 04:40:00Z; then anyone can 'end'"
                #expect(early?.detail.hasPrefix(words) == true)
                let data = try call("end", steps, by: account, at: Self.end)
                #expect(data == contract.end(steps.listing.offer).data)
            }
        }
    }

    /// - From people: taking an auction back after a bid or its end → move_not_open
    @Test func `only the seller can abort an auction, before the first bid and end`() throws {
        let data = try call("abort", unbid, by: Self.ana, at: Self.start)
        #expect(data == contract.abort(unbid.listing.offer).data)
        let stranger = refused("abort", unbid, by: Self.cy, at: Self.start)
        #expect(stranger?.code == .notYourSale)
        let late = refused("abort", unbid, by: Self.ana, at: Self.end)
        #expect(late?.code == .moveNotOpen && late?.detail.contains("bidding ended at") == true)
        for account in [Self.ana, Self.cy] {
            let taken = refused("abort", bid, by: account, at: Self.start)
            #expect(taken?.code == .moveNotOpen)
            #expect(taken?.detail.contains("Somebody has bid") == true)
        }
    }

    /// - From people: a move that closes in less than ten minutes → move_not_open
    @Test func `does not start a move that might be mined too late`() throws {
        _ = try call("abort", unbid, by: Self.ana, at: Self.end.earlier(by: 601))
        let close = refused("abort", unbid, by: Self.ana, at: Self.end.earlier(by: 600))
        #expect(close?.code == .moveNotOpen && close?.detail.contains("ten minutes") == true)
    }

    @Test func `no move is open in an auction that is over`() throws {
        var sold = bid
        try sold.end(.sold, by: Self.cy, at: Self.end)
        var aborted = unbid
        try aborted.end(.aborted, by: Self.ana, at: Self.start)
        for (steps, name) in [(sold, "sold"), (aborted, "withdrawn")] {
            #expect(names(steps, Self.ana, at: Self.end).isEmpty)
            for move in ["end", "abort"] {
                let refused = refused(move, steps, by: Self.cy, at: Self.end)
                #expect(refused?.code == .moveNotOpen)
                #expect(refused?.detail.contains("The state of the sale: \(name).") == true)
            }
        }
    }

    @Test func `refuses a move until the state of the auction is final`() {
        for (move, time) in [("abort", Self.start), ("end", Self.end)] {
            let refused = #expect(throws: Refusal.self) {
                try sales.move(
                    Client.SaleMove(move: move),
                    in: unbid.sale,
                    by: Self.ana,
                    at: time
                ) { () throws(Refusal) in throw Refusal(.notFinalYet, forPrograms: "Not yet.") }
            }
            #expect(refused?.code == .notFinalYet)
        }
    }

    /// - From people: a move that an auction or a direct sale does not have, or one with a share or
    ///   a time → malformed_value
    @Test(arguments: [
        (Client.SaleMove(move: "bid"), "move"), (Client.SaleMove(move: "pay"), "move"),
        (Client.SaleMove(move: ""), "move"), (Client.SaleMove(move: "end", share: 1), "share"),
        (Client.SaleMove(move: "end", until: 1), "until"),
    ])
    func `refuses an unknown move of an auction and names the field`(
        move: Client.SaleMove,
        field: String
    ) throws {
        let refused = #expect(throws: Refusal.self) { try sales.check(move) }
        #expect(refused?.code == .malformedValue && refused?.field == field)
        try sales.check(Client.SaleMove(move: "end"))
        try sales.check(Client.SaleMove(move: "abort"))
    }
}
