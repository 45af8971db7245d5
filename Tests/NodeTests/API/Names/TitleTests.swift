import Client
import Testing
import TradeSupport

/// What words of a title mean, if others may write any title.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TitleTests {
    /// - From people: a move, a review or marks in a sale named by words of a title, over the API
    ///   → unknown_sale
    @Test func `finds a sale by its promised title, but a move needs its id`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            try await market.asking(market.ana) { ana in
                var words = MarketNode.bicycle
                words.title = "Golden lamp"
                let begun = try await ana.edit(listing: listing, words)
                #expect(try await ana.follow(begun) { _ in }.state == .done)
                #expect(try await ana.listing("lamp").id == listing)
                // The beginning of the listing's own part means its sale.
                #expect(try await ana.sale(String(listing.suffix(64).prefix(8))).id == sale)
                #expect(try await ana.sale(listing).id == sale)
                let unknown = await #expect(throws: Problem.self) { try await ana.sale("lamp") }
                #expect(unknown?.code == ProblemCode.unknownSale.rawValue)

                let abort = SaleMove(move: "abort")
                let preview = try await ana.preview(sale: "red bicycle", abort)
                #expect(preview.subject == sale && preview.sale?.id == sale)
                #expect(preview.sale?.title == "Red bicycle")
                #expect(preview.sale?.others.isEmpty == true)
                let refused = await #expect(throws: Problem.self) {
                    try await ana.move(sale: "red bicycle", abort)
                }
                #expect(refused?.code == ProblemCode.unknownSale.rawValue)
                let bo = "0x" + String(repeating: "1", count: 40)
                let marks = AttendanceMarks(session: 1, present: [bo])
                let unmarked = await #expect(throws: Problem.self) {
                    try await ana.mark(marks, in: "red bicycle")
                }
                #expect(unmarked?.code == ProblemCode.unknownSale.rawValue)
            }
            // Neither the shorter nor the older of two titles is the one that is meant.
            let other = try await market.list(title: "bicycle").sale
            try await market.asking(market.ana) { ana in
                let refused = await #expect(throws: Problem.self) {
                    try await ana.preview(sale: "bicycle", SaleMove(move: "abort"))
                }
                #expect(refused?.code == ProblemCode.ambiguousID.rawValue)
                #expect(refused?.detail.contains(sale) == true)
                #expect(refused?.detail.contains(other) == true)
                let begun = try await ana.move(
                    sale: String(sale.prefix(12)),
                    SaleMove(move: "abort")
                )
                #expect(try await ana.follow(begun) { _ in }.state == .done)
            }
            // One that is over has this very title, so an open one is not taken for it.
            let stand = try await market.list(title: "Red bicycle stand").sale
            try await market.asking(market.ana) { ana in
                let either = await #expect(throws: Problem.self) {
                    try await ana.sale("red bicycle")
                }
                #expect(either?.code == ProblemCode.ambiguousID.rawValue)
                #expect(either?.detail.contains(stand) == true)
                let words = [
                    "'Red bicycle', 0.5 ETH, of ", "'Red bicycle stand', 0.5 ETH, of ",
                    ", withdrawn)",
                    ", for sale)",
                ]
                for part in words { #expect(either?.detail.contains(part) == true, "\(part)") }
                let found = try await ana.sale("red bic").id
                #expect(found == stand)
                // Only the open one can be withdrawn.
                let abort = try await ana.preview(sale: "red bicycle", SaleMove(move: "abort"))
                #expect(abort.subject == stand && abort.problems.isEmpty)
            }
        }
    }
}
