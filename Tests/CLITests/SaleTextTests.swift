import Client
import Foundation
import Testing

@testable import CLI

/// How a sale stands, as a person reads it.
struct SaleTextTests {
    private static func sale(_ phase: String) -> Sale {
        Sale(
            id: "0x5a",
            kind: "escrow",
            chain: 1,
            contract: "0xe5",
            listing: nil,
            phase: phase,
            stage: "running",
            seller: "0x1",
            buyer: nil,
            item: "1",
            price: Money(amount: "400000000000000000", currency: "native"),
            payouts: nil,
            actions: [],
            deadline: Sale.Deadline(at: Date(timeIntervalSince1970: 0), consequence: []),
            confirmations: 1,
            confirmationsNeeded: 1
        )
    }

    @Test func `a sale's state is in a shop's words, with its confirmations`() {
        var sale = Self.sale("paid")
        sale.status = Sentence("standing.notSent")
        #expect(SaleText.full(sale).contains("state      paid, not handed over in time\n"))
        sale.confirmationsNeeded = 3
        #expect(SaleText.state(sale) == "paid, not handed over in time (1 of 3 confirmed)")
    }

    @Test func `rounds the price and the terms of a sale up, and its payouts down`() {
        let (low, high) = ("1234567100000000000", "1234567900000000000")
        var sale = Self.sale("complete")
        sale.price.amount = low
        sale.payouts = [Sale.Payout(role: "seller", account: "0x1", amount: high)]
        var terms = EscrowTerms()
        (terms.sellerDeposit, terms.buyerDeposit, terms.latePenalty) = (low, low, low)
        (terms.arbiter, terms.arbiterFee) = ("0x3", low)
        sale.escrow = Sale.Escrow(terms: terms)
        let (text, up) = (SaleText.full(sale), "≈ 1.234568 ETH")
        for line in [
            "price      \(up)", "deposits   \(up) of the seller, \(up) of the buyer",
            "penalty    \(up) from", "arbiter    0x3, gets \(up) for a dispute",
            "credited   ≈ 1.234567 ETH to the seller, 0x1",
        ] {
            #expect(text.contains(line), "\(text)")
        }
        let page = SaleText.page(Page(items: [sale], next: nil))
        #expect(page.contains(up))
    }

    @Test func `notes in a case of an arbiter are shown as they were sent`() {
        var sale = Self.sale("disputed")
        sale.escrow = Sale.Escrow(terms: EscrowTerms(), isTaken: true)
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        sale.history = [Sale.Step(move: "dispute", by: "0x2", at: time, transaction: "0xff")]
        let words = "the others may have got other words"
        #expect(!SaleText.full(sale).contains(words))
        sale.history[0].note = "Broken"
        #expect(SaleText.full(sale).contains(words))
        sale.escrow?.isTaken = false
        #expect(!SaleText.full(sale).contains(words))
    }

    @Test func `a note stands below the step that it came with`() {
        var sale = Self.sale("transferred")
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        sale.buyer = "0x2"
        sale.history = ["0x1", "0x2", "0x3"].map { account in
            Sale.Step(move: "move", by: account, at: time, transaction: "0xff", note: "a\nb")
        }
        let lines = SaleText.full(sale).split(separator: "\n", omittingEmptySubsequences: false)
        for role in ["seller", "buyer", "former buyer"] {
            let line = "note       of the \(role), 2027-01-15 08:00:00Z: a"
            let place = lines.firstIndex { $0 == line }
            #expect(place != nil, "\(role)")
            // The second line of the text does not look like one of the program's own.
            #expect(
                place.map { lines[$0 - 1].hasPrefix("history") && lines[$0 + 1] == "    b" } == true
            )
        }
    }

    @Test func `a student is told to be enrolled, and a course names no buyer`() {
        var sale = NextStepTests.sale("open", stage: "offered")
        sale.buyer = nil
        let terms = CourseTerms(seats: 2, startsAt: 1, endsAt: 2)
        var round = Sale.Round(
            number: 0,
            phase: "open",
            price: sale.price,
            terms: terms,
            enrolled: 1,
            raters: 0
        )
        round.own = "enrolled"
        sale.course = Sale.Course(rounds: [round])
        let shown = SaleText.full(sale, nil, Names([], own: "0x3"))
        #expect(shown.contains("\nyou can    nothing now: you are enrolled"), "\(shown)")
        #expect(!shown.contains("buyer"), "\(shown)")
        round.own = nil
        sale.course = Sale.Course(rounds: [round])
        let other = SaleText.full(sale, nil, Names([], own: "0x3"))
        #expect(other.hasSuffix("you can    nothing: you have no part in it"), "\(other)")
    }

    @Test func `the highest bidder is not offered to bid, and others are`() {
        var sale = NextStepTests.sale("bid", ["bid"])
        let end = Date(timeIntervalSince1970: 7)
        sale.auction = Sale.Auction(
            terms: AuctionTerms(),
            startingBid: "1",
            endsAt: end,
            endsAtMost: end,
            isOpen: true,
            highestBid: Sale.Bid(bidder: "0x2", amount: "4"),
            minimalBid: "5",
            bidders: 2,
            ownBid: "4"
        )
        sale.own = "highest_bidder"
        #expect(SaleText.full(sale, nil, Names([], own: "0x2")).hasSuffix("you can    nothing now"))
        #expect(SaleText.full(sale, nil, Names([], own: "0x3")).contains("\nyou can    bid: "))
    }

    @Test func `pieces of one listing that stand alike are one row`() {
        var piece = NextStepTests.sale("listed", stage: "offered")
        (piece.title, piece.buyer) = ("Lamp", nil)
        var (second, sold, other) = (piece, piece, piece)
        second.id = "0x5a1e5a1e5a1f"
        (sold.id, sold.phase, sold.status) = ("0x01d", "sold", Sentence("phase.sold"))
        (other.id, other.listing) = ("0x07e8", "0x1.8888888888")
        let page = SaleText.page(Page(items: [piece, sold, second, other], next: nil))
        let rows = page.split(separator: "\n").dropFirst()
        #expect(rows.count == 3, "\(page)")
        #expect(rows.first?.hasPrefix("Lamp, 2 pieces  for sale") == true, "\(page)")
        #expect(rows.last?.hasPrefix("Lamp   ") == true, "\(page)")
        // A sale whose listing is not known is a row of its own.
        (piece.listing, second.listing) = (nil, nil)
        let alone = SaleText.page(Page(items: [piece, second], next: nil))
        #expect(alone.split(separator: "\n").count == 3 && !alone.contains("pieces"))
    }

    @Test func `a note's pictures are counted below it`() {
        var sale = Self.sale("disputed")
        var step = Sale.Step(
            move: "dispute",
            by: "0x2",
            at: Date(timeIntervalSince1970: 1_800_000_000),
            transaction: "0xff",
            note: "Broken",
            pictures: ["0x01", "0x02"]
        )
        sale.history = [step]
        let shown = SaleText.full(sale)
        #expect(shown.contains(": Broken\npictures   2: stoa sale pictures "), "\(shown)")
        step.pictures = nil
        #expect(SaleText.pictures(of: step, in: sale) == nil)
    }

    @Test func `a reputation names endings as sales do`() {
        var reputation = Reputation(account: "0x1")
        #expect(ReputationText.short(reputation) == "no finished sales")
        reputation.sold = [.init(phase: "complete", count: 2), .init(phase: "refunded", count: 1)]
        #expect(ReputationText.short(reputation).hasPrefix("2 completed, 1 refunded; "))
        reputation.sold.append(.init(phase: "sold", count: 3))
        #expect(ReputationText.short(reputation).hasPrefix("5 completed, 1 refunded; "))
        reputation.disputed = [.init(phase: "open", count: 1)]
        reputation.setAside = [.init(phase: "relisted", count: 3)]
        let text = ReputationText.full(reputation, .none)
        #expect(text.contains("disputes       1 still open"))
        #expect(text.contains("not counted    3 offered again, by buyers"))
    }
}
