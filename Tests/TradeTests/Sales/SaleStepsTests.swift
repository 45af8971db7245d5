import Client
import Foundation
import Testing
import Texts

@testable import Trade

/// The steps that a sale leaves to an account, and the side whose turn it is.
struct SaleStepsTests {
    static let seller = "0x1"
    private static let buyer = "0x2"
    private static let end = Date(timeIntervalSince1970: 1_800_000_000)

    private static func action(_ move: String, share: UInt64? = nil) -> SaleAction {
        SaleAction(move: move, share: share, until: nil, consequence: [])
    }

    static func sale(
        _ phase: String,
        _ moves: [String] = [],
        stage: String = "running",
        isLate: Bool = false
    ) -> Client.Sale {
        Client.Sale(
            id: "0x5a1e",
            kind: "escrow",
            chain: 1,
            contract: "0xe5",
            listing: "0x1.77",
            phase: phase,
            stage: stage,
            seller: seller,
            buyer: buyer,
            item: "1",
            price: Money(amount: "400000000000000000", currency: "native"),
            payouts: nil,
            actions: moves.map { action($0, share: $0 == "agree" ? 4_000 : nil) },
            deadline: isLate ? nil : Client.Sale.Deadline(at: end, consequence: []),
            confirmations: 3,
            confirmationsNeeded: 3,
            asOf: end.addingTimeInterval(-60)
        )
    }

    private static func noted(
        _ sale: Client.Sale,
        for account: String?,
        _ remaining: Client.Sale.Remaining = .init()
    ) -> Client.Sale {
        var sale = sale
        sale.noteSteps(for: account, remaining)
        return sale
    }

    private static func steps(
        _ sale: Client.Sale,
        for account: String?,
        _ remaining: Client.Sale.Remaining = .init()
    ) -> [String] {
        noted(sale, for: account, remaining).nextSteps.map {
            String($0.words.code.dropFirst("next.".count))
        }
    }

    @Test(
        arguments: [
            ("listed", false, "nobody's: anyone can buy it", false),
            ("paid", false, "yours, to send it", true),
            ("paid", true, "nobody's: anyone can give the buyer's money back", false),
            ("transferred", false, "of the buyer, 0x2, to confirm or dispute", false),
            ("transferred", true, "nobody's: anyone can complete it", false),
            (
                "disputed", false, "yours and the other side's, to agree how the price is split",
                true
            ),
        ]
    )
    func `a sale says whose turn it is`(
        phase: String,
        isLate: Bool,
        words: String,
        isOwn: Bool
    ) {
        let sale = Self.noted(Self.sale(phase, isLate: isLate), for: Self.seller)
        #expect(sale.turn.detail.hasPrefix(words) && sale.isOwnTurn == isOwn, "\(sale.turn)")
        let other = Self.noted(Self.sale(phase, isLate: isLate), for: nil)
        #expect(!other.isOwnTurn && other.own == nil && other.nextSteps.isEmpty)
    }

    @Test func `a proposal is the turn of the side that has not made it`() {
        func turn(_ move: String, for account: String) -> Client.Sale {
            Self.noted(Self.sale("disputed", ["propose", move]), for: account)
        }
        let waiting = turn("withdraw_proposal", for: Self.buyer)
        #expect(!waiting.isOwnTurn)
        #expect(waiting.turn.detail == "of the seller, 0x1, to agree how the price is split")
        let asked = turn("agree", for: Self.seller)
        #expect(asked.isOwnTurn && asked.turn.code == "turn.yours")
        #expect(turn("agree", for: Self.buyer).isOwnTurn)
        #expect(turn("execute_default", for: "0x3").turn.code == "turn.ofBoth")
    }

    @Test func `a taken dispute is the arbiter's turn and an ended sale nobody's`() {
        var sale = Self.sale("disputed", ["rule"])
        var terms = EscrowTerms()
        terms.arbiter = "0x9"
        sale.escrow = Client.Sale.Escrow(terms: terms, isTaken: true)
        let shown = Self.noted(sale, for: Self.buyer)
        #expect(shown.turn.detail.hasPrefix("of the arbiter, 0x9, to rule"))
        let own = Self.noted(sale, for: "0x9")
        #expect(own.own == "arbiter" && own.isOwnTurn && own.turn.code == "turn.yours")
        let over = Self.sale("complete", stage: "over", isLate: true)
        #expect(Self.noted(over, for: Self.seller).turn.detail == "nobody's: it is over")
        let left = Self.noted(over, for: Self.seller, .init(isReviewable: true))
        #expect(left.turn.code == "turn.left")
    }

    @Test func `a round is its teacher's turn, and its students' once it ends`() {
        func shown(
            _ phase: String,
            starts: UInt64,
            ends: UInt64,
            _ moves: [String] = [],
            for account: String? = nil,
            enrolled: UInt64 = 1
        ) -> Client.Sale {
            var sale = Self.sale(phase, moves)
            let terms = CourseTerms(seats: 2, startsAt: starts, endsAt: ends)
            var round = Client.Sale.Round(
                number: 0,
                phase: phase,
                price: sale.price,
                terms: terms,
                enrolled: enrolled,
                raters: 0
            )
            round.own = account == Self.buyer ? "enrolled" : nil
            sale.course = Client.Sale.Course(rounds: [round])
            return Self.noted(sale, for: account)
        }
        func turn(_ phase: String, starts: UInt64, ends: UInt64) -> String {
            shown(phase, starts: starts, ends: ends).turn.detail
        }
        let now: UInt64 = 1_800_000_000 - 60
        #expect(turn("open", starts: now + 9, ends: now + 99) == "nobody's: anyone can enrol")
        let full = shown("open", starts: now + 9, ends: now + 99, enrolled: 2).turn.detail
        #expect(full == "nobody's: all seats are taken, and it has not started")
        #expect(turn("open", starts: now, ends: now + 99) == "of the teacher, 0x1, to begin it")
        #expect(turn("begun", starts: now - 9, ends: now + 9) == "of the teacher, 0x1, to teach it")
        #expect(turn("begun", starts: now - 9, ends: now) == "of the students, to rate it")
        let own = shown("begun", starts: now - 9, ends: now, ["evaluate"], for: Self.buyer)
        #expect(own.own == "student" && own.turn.detail == "yours, to rate it" && own.isOwnTurn)
        let teacher = shown("begun", starts: now - 9, ends: now + 9, for: Self.seller)
        #expect(teacher.own == "teacher" && teacher.isOwnTurn)
    }

    @Test func `an answered proposal waits for the other side`() {
        var sale = Self.sale("disputed", ["propose", "agree", "withdraw_proposal"])
        let time = Date(timeIntervalSince1970: 0)
        sale.history = [Self.buyer, Self.seller].map {
            Client.Sale.Step(move: "propose", by: $0, at: time, transaction: "0x1")
        }
        #expect(Self.steps(sale, for: Self.seller).isEmpty)
        #expect(Self.steps(sale, for: Self.buyer) == ["agree"])
    }

    @Test func `a seller in a dispute can give the money back`() {
        let open = Self.sale("disputed", ["propose", "refund"])
        #expect(Self.steps(open, for: Self.seller) == ["propose", "giveBack"])
    }

    @Test func `a seller by escrow releases a work, which its buyer then fetches`() {
        var sale = Self.sale("paid", ["transfer", "decline"])
        sale.actions[0].consequence = [Sentence("escrow.release", ["window": "1814400"])]
        #expect(Self.steps(sale, for: Self.seller) == ["release"])
        #expect(Self.noted(sale, for: Self.seller).turn.detail == "yours, to release the file")
        let released = Self.sale("transferred", ["confirm", "dispute"])
        let work = Client.Sale.Remaining(isDigital: true)
        #expect(Self.steps(released, for: Self.buyer, work).first == "work")
        #expect(Self.steps(Self.sale("transferred"), for: Self.seller, work).isEmpty)
    }

    @Test func `no step is a move that closes within ten minutes`() {
        var sale = Self.sale("open", ["begin"])
        let now = sale.asOf ?? .distantPast
        sale.actions[0].until = now + 601
        #expect(Self.steps(sale, for: Self.seller) == ["begin"])
        sale.actions[0].until = now + 600
        #expect(Self.steps(sale, for: Self.seller).isEmpty)
    }

    @Test func `a paid sale asks the buyer for an address and the seller to send it`() {
        var sale = Self.sale("paid", ["transfer", "decline", "relist"])
        #expect(Self.steps(sale, for: Self.seller) == ["send"])
        sale.actions = []
        #expect(Self.steps(sale, for: Self.buyer, .init(needsAddress: true)) == ["address"])
        let sending = Client.Sale.Remaining(needsAddress: true, sending: "0x5d21")
        let step = Self.noted(sale, for: Self.buyer, sending).nextSteps.first
        #expect(step?.words.code == "next.sending" && step?.operation == "0x5d21")
        #expect(step?.until == Self.end)
        #expect(Self.steps(sale, for: Self.buyer) == [])
        #expect(Self.steps(sale, for: "0x3", .init(needsAddress: true)) == [])
        // Nobody should confirm what was not sent.
        sale.actions = ["confirm", "dispute"].map { Self.action($0) }
        #expect(Self.steps(sale, for: Self.buyer) == [])
    }

    @Test func `a sold thing is to be sent until its seller says that it was`() {
        var sale = Self.sale("sold", stage: "over", isLate: true)
        sale.isToBeSent = true
        #expect(Self.steps(sale, for: Self.seller) == ["send"])
        #expect(Self.steps(sale, for: Self.buyer, .init(needsAddress: true)) == ["address"])
        let turn = Self.noted(sale, for: Self.buyer).turn.detail
        #expect(turn == "of the seller, 0x1, to send it")
        sale.isToBeSent = nil
        #expect(Self.steps(sale, for: Self.seller).isEmpty)
        #expect(Self.steps(sale, for: Self.buyer, .init(needsAddress: true)).isEmpty)
    }

    @Test func `a thing that the buyer collects is handed over, or said to be ready`() {
        let paid = Self.sale("paid", ["transfer"])
        #expect(Self.steps(paid, for: Self.seller, .init(isPickedUp: true)) == ["handOver"])
        let shown = Self.noted(paid, for: Self.seller, .init(isPickedUp: true))
        #expect(shown.status.detail.hasPrefix("paid: to be handed over by "))
        #expect(shown.turn.detail == "yours, to hand it over")
        let given = Self.sale("transferred", ["confirm"])
        let status = Self.noted(given, for: Self.buyer, .init(isPickedUp: true)).status
        #expect(status.detail == "handed over, to be confirmed")
        let sold = Self.sale("sold", stage: "over", isLate: true)
        let waiting = Client.Sale.Remaining(isPickedUp: true, isToBeReady: true)
        #expect(Self.steps(sold, for: Self.seller, waiting) == ["ready"])
        #expect(Self.steps(sold, for: Self.buyer, waiting) == ["pickUp"])
        #expect(Self.steps(sold, for: Self.seller, .init(isPickedUp: true)).isEmpty)
    }

    @Test func `a buyer confirms first, and a refund is nothing that a seller is told`() {
        let sale = Self.sale("transferred", ["dispute", "confirm", "propose", "refund"])
        #expect(Self.steps(sale, for: Self.buyer) == ["confirm", "dispute", "takeBack"])
        #expect(!Self.steps(sale, for: Self.seller).contains("takeBack"))
        let dispute = Self.noted(Self.sale("disputed", ["propose", "agree"]), for: Self.buyer)
        #expect(dispute.nextSteps.map(\.words.code) == ["next.agree"])
        #expect(dispute.nextSteps.first?.share == 4_000)
        let proposed = Self.sale("disputed", ["propose", "withdraw_proposal"])
        #expect(Self.steps(proposed, for: Self.buyer).isEmpty)
    }

    @Test func `a seller waits for an address before sending`() {
        let sale = Self.sale("paid", ["transfer", "decline"])
        let remaining = Client.Sale.Remaining(awaitsAddress: true)
        #expect(Self.steps(sale, for: Self.seller, remaining) == ["awaitAddress", "send"])
        #expect(Self.steps(Self.sale("paid"), for: Self.buyer, remaining).isEmpty)
    }

    @Test func `a proposal is answered before the item is sent, and until it ends`() {
        var sale = Self.sale("paid", ["transfer", "propose", "agree"])
        sale.asOf = Self.end.addingTimeInterval(-3_600)
        sale.actions[2].until = Self.end.addingTimeInterval(-9)
        let steps = Self.noted(sale, for: Self.seller).nextSteps
        #expect(steps.map(\.words.code) == ["next.agree", "next.send"])
        #expect(steps.map(\.until) == [Self.end.addingTimeInterval(-9), Self.end])
    }

    @Test func `an ended sale leaves collecting and reviewing until they are done`() {
        let sale = Self.sale("complete", stage: "over", isLate: true)
        let all = Client.Sale.Remaining(isDigital: true, isCollectable: true, isReviewable: true)
        #expect(Self.steps(sale, for: Self.buyer, all) == ["work", "collect", "review"])
        #expect(Self.steps(sale, for: Self.seller, .init(isReviewable: true)) == ["review"])
        #expect(Self.steps(sale, for: Self.seller).isEmpty)
        #expect(Self.steps(sale, for: "0x3", all).isEmpty)
    }

    @Test func `an outbid bidder is told the next bid, and deals with the seller`() {
        var sale = Self.sale("bid")
        sale.auction = Client.Sale.Auction(
            terms: AuctionTerms(),
            startingBid: "1",
            endsAt: Date(timeIntervalSince1970: 7),
            endsAtMost: Date(timeIntervalSince1970: 7),
            isOpen: true,
            highestBid: Client.Sale.Bid(bidder: "0x3", amount: "400000000000000000"),
            minimalBid: "420000000000000000",
            bidders: 2,
            ownBid: "100000000000000000"
        )
        let bidder = Self.noted(sale, for: Self.buyer)
        #expect(bidder.own == "outbid" && bidder.otherAccount == Self.seller)
        #expect(bidder.nextSteps.map(\.words.code) == ["next.raise", "next.collect"])
        #expect(bidder.nextSteps.first?.bid?.amount == "420000000000000000")
        let highest = Self.noted(sale, for: "0x3")
        #expect(highest.own == "highest_bidder" && highest.nextSteps.isEmpty)
        // Nobody has bought yet.
        #expect(Self.noted(sale, for: Self.seller).otherAccount == nil)
        sale.stage = "over"
        #expect(Self.noted(sale, for: Self.buyer).own == "lost")
        #expect(Self.noted(sale, for: Self.seller).otherAccount == Self.buyer)
    }
}
