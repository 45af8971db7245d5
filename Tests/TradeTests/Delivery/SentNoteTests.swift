import Keys
import Market
import Testing

@testable import Trade

/// The move whose note says that an item was sent.
struct SentNoteTests {
    @Test func `a note with the end of an auction says nothing of the item`() throws {
        let (ana, bo, start) = (ItemMarket.ana, ItemMarket.bo, ItemMarket.start)
        let terms = Market.AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        var steps = try AuctionSteps(terms, in: ItemMarket())
        let moves = [("list", ana), ("bid", bo), ("end", ana)]
        let history = moves.enumerated().map { place, move in
            SaleStep(
                move: ReportedMove(move.0, by: move.1),
                time: start,
                transaction: Bytes32(repeating: UInt8(place + 1))
            )
        }
        try steps.bid(10_000, by: bo, at: start)
        #expect(Market.Sale(steps.state, history: history).sentNote == nil)
        try steps.end(.sold, by: ana, at: start.advanced(by: .days(7)))
        let sold = Market.Sale(steps.state, history: history)
        #expect(sold.sentNote == history[0].transaction)
    }
}
