import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

/// Which steps a person is told.
struct NextStepTests {
    static let seller = "0x1"
    private static let buyer = "0x2"

    private static func action(_ move: String, share: UInt64? = nil) -> SaleAction {
        SaleAction(move: move, share: share, until: nil, consequence: [Sentence("escrow.dispute")])
    }

    static func sale(
        _ phase: String,
        _ moves: [String] = [],
        stage: String = "running",
        isLate: Bool = false,
        payouts: [Sale.Payout]? = nil
    ) -> Sale {
        let end = Date(timeIntervalSince1970: 1_800_000_000)
        return Sale(
            id: "0x5a1e5a1e5a1e",
            kind: "escrow",
            chain: 1,
            contract: "0xe5",
            listing: "0x1.7777777777",
            phase: phase,
            stage: stage,
            seller: seller,
            buyer: buyer,
            item: "1",
            price: Money(amount: "400000000000000000", currency: "native"),
            payouts: payouts,
            actions: moves.map { action($0, share: $0 == "agree" ? 4_000 : nil) },
            deadline: isLate
                ? nil : Sale.Deadline(at: end, consequence: [Sentence("escrow.dispute")]),
            confirmations: 3,
            confirmationsNeeded: 3,
            asOf: end.addingTimeInterval(-60)
        )
    }

    static func listing(_ delivery: String, type: String = "goods") -> Listing {
        let time = Date(timeIntervalSince1970: 0)
        return Listing(
            id: "0x1.7",
            record: "0x4e",
            author: seller,
            content: ListingContent(
                type: type,
                title: "Lamp",
                price: Money(amount: "4", currency: "native"),
                delivery: delivery
            ),
            anchor: nil,
            isAsPromised: true,
            salePhase: nil,
            createdAt: time,
            firstSeenAt: time
        )
    }

    private static func commands(
        _ sale: Sale,
        for own: String,
        _ listing: Listing? = nil,
        ended: NextStep.Ended? = nil
    ) -> [String] {
        NextStep.of(sale, for: own, listing, ended: ended).map(\.command)
    }

    @Test func `each step is a command that the program takes`() throws {
        for kind in NextStep.Kind.allCases {
            let detail =
                switch kind {
                case .agree: " --share 40%"
                case .raise: " '0.5 ETH'"
                case .leaveRound: " --round 0"
                case .evaluate:
                    " --preparation 1 --content 1 --delivery 1 --communication 1 --overall 1"
                default: ""
                }
            let command = NextStep(kind, "7f3a2b", detail).command
            let typed = command.replacing("<per cent>", with: "5%")
                .replacing(/<[^>]*>/, with: "5")
            let words = ShellWords.split(String(typed.dropFirst("stoa ".count)))
            #expect(command.hasPrefix("stoa ") && command.last != " ")
            #expect(NextStep(kind).words != "\(kind)")
            if !words.contains("--help") {
                #expect(throws: Never.self, "\(command)") { try Stoa.parseAsRoot(words) }
            }
        }
        let fund = "stoa cluster fund ana --folder <the cluster's folder>"
        #expect(NextStep(.fund, "ana").command == fund)
        #expect(NextStep(.confirm, "red bicycle").command == "stoa sale confirm 'red bicycle'")
        #expect(
            NextStep.lines([NextStep(.watch, "7f3a"), NextStep(.collect)]) == [
                "next  Follow it: stoa sale watch 7f3a",
                "      Collect what it credited to you: stoa wallet collect",
            ]
        )
    }

    @Test func `a paid sale asks the buyer for an address and the seller to send it`() {
        var sale = Self.sale("paid", ["transfer", "decline", "relist"])
        let shipped = Self.listing("shipping")
        #expect(Self.commands(sale, for: Self.seller, shipped) == ["stoa sale transfer 5a1e5a1e"])
        sale.actions = []
        #expect(Self.commands(sale, for: Self.buyer, shipped) == ["stoa sale address 5a1e5a1e"])
        let sending = NextStep.of(sale, for: Self.buyer, shipped, sending: "0x5d21ee07aa")
        #expect(sending.map(\.command) == ["stoa operation wait 5d21ee07"])
        #expect(Self.commands(sale, for: Self.buyer, Self.listing("pickup")) == [])
        sale.deliveryAddress = "Main Street 1"
        #expect(Self.commands(sale, for: Self.buyer, shipped) == [])
        #expect(Self.commands(sale, for: "0x3", shipped) == [])
        // Nobody should confirm what was not sent.
        sale.actions = ["confirm", "dispute"].map { Self.action($0) }
        #expect(Self.commands(sale, for: Self.buyer, shipped) == [])
    }

    @Test func `a sold thing is to be sent until its seller says that it was`() {
        var sale = Self.sale("sold", stage: "over", isLate: true)
        sale.isToBeSent = true
        let none = NextStep.Ended(toCollect: [], toReview: [])
        let shipped = Self.listing("shipping")
        let send = ["stoa sale transfer 5a1e5a1e"]
        #expect(Self.commands(sale, for: Self.seller, shipped, ended: none) == send)
        let address = ["stoa sale address 5a1e5a1e"]
        #expect(Self.commands(sale, for: Self.buyer, shipped, ended: none) == address)
        let line = SaleTurn.line(sale, Names([], own: Self.buyer))
        #expect(line == "turn       of the seller, 0x1, to send it")
        sale.isToBeSent = nil
        #expect(Self.commands(sale, for: Self.seller, shipped, ended: none).isEmpty)
        #expect(Self.commands(sale, for: Self.buyer, shipped, ended: none).isEmpty)
    }

    @Test func `a buyer confirms first, and a refund is nothing that a seller is told`() {
        let sale = Self.sale("transferred", ["dispute", "confirm", "propose", "refund"])
        #expect(
            Self.commands(sale, for: Self.buyer).prefix(2)
                == ["stoa sale confirm 5a1e5a1e", "stoa sale dispute 5a1e5a1e"]
        )
        #expect(Self.commands(sale, for: Self.buyer).contains("stoa sale refund 5a1e5a1e"))
        #expect(!Self.commands(sale, for: Self.seller).contains("stoa sale refund 5a1e5a1e"))
        let dispute = Self.sale("disputed", ["propose", "agree"])
        #expect(
            Self.commands(dispute, for: Self.buyer) == ["stoa sale agree 5a1e5a1e --share 40%"]
        )
        let proposed = Self.sale("disputed", ["propose", "withdraw_proposal"])
        #expect(Self.commands(proposed, for: Self.buyer).isEmpty)
        let open = Self.sale("disputed", ["propose", "refund"])
        #expect(
            Self.commands(open, for: Self.seller) == [
                "stoa sale propose 5a1e5a1e --share <per cent>", "stoa sale refund 5a1e5a1e",
            ]
        )
    }

    @Test func `a proposal that the account has answered by its own waits for the other side`() {
        var sale = Self.sale("disputed", ["propose", "agree", "withdraw_proposal"])
        let time = Date(timeIntervalSince1970: 0)
        sale.history = [Self.buyer, Self.seller].map {
            Sale.Step(move: "propose", by: $0, at: time, transaction: "0x1")
        }
        #expect(Self.commands(sale, for: Self.seller).isEmpty)
        #expect(
            Self.commands(sale, for: Self.buyer) == ["stoa sale agree 5a1e5a1e --share 40%"]
        )
    }

    @Test func `a work by escrow is released by its seller, and fetched before it is confirmed`() {
        var sale = Self.sale("paid", ["transfer", "decline"])
        sale.actions[0].consequence = [Sentence("escrow.release", ["window": "1814400"])]
        let release = NextStep.of(sale, for: Self.seller)
        #expect(release.map(\.text) == ["Release the file: stoa sale transfer 5a1e5a1e"])
        let line = SaleTurn.line(sale, Names([], own: Self.seller))
        #expect(line == "turn       yours, to release the file")
        let released = Self.sale("transferred", ["confirm", "dispute"])
        let work = Self.listing("online", type: "digital")
        #expect(Self.commands(released, for: Self.buyer, work).first == "stoa sale work 5a1e5a1e")
        #expect(Self.commands(released, for: Self.seller, work).isEmpty)
    }

    @Test func `a proposal is answered before the item is sent`() {
        let sale = Self.sale("paid", ["transfer", "propose", "agree"])
        #expect(
            Self.commands(sale, for: Self.seller)
                == ["stoa sale agree 5a1e5a1e --share 40%", "stoa sale transfer 5a1e5a1e"]
        )
    }

    @Test func `an ended sale leaves collecting and reviewing until they are done`() {
        let payout = Sale.Payout(role: "buyer", account: Self.buyer, amount: "5")
        let sale = Self.sale("complete", stage: "over", isLate: true, payouts: [payout])
        let review = "stoa review write 5a1e5a1e --stars <1 to 5>"
        #expect(Self.commands(sale, for: Self.buyer) == ["stoa wallet collect", review])
        #expect(Self.commands(sale, for: Self.seller) == [review])
        let work = Self.listing("online", type: "digital")
        #expect(Self.commands(sale, for: Self.buyer, work).first == "stoa sale work 5a1e5a1e")
        let left = NextStep.Ended(toCollect: [], toReview: [sale.id])
        #expect(Self.commands(sale, for: Self.buyer, ended: left) == [review])
        let withdrawn = Self.sale("aborted", stage: "over", isLate: true)
        #expect(Self.commands(withdrawn, for: Self.seller) == [])
    }

    @Test func `no step is a move that closes within ten minutes`() {
        var sale = Self.sale("open", ["begin"])
        let now = sale.asOf ?? .distantPast
        sale.actions[0].until = now + 601
        #expect(Self.commands(sale, for: Self.seller) == ["stoa course begin 5a1e5a1e"])
        sale.actions[0].until = now + 600
        #expect(Self.commands(sale, for: Self.seller).isEmpty)
    }

    @Test func `an outbid bidder is told the next bid`() {
        var sale = Self.sale("bid")
        sale.auction = Sale.Auction(
            terms: AuctionTerms(),
            startingBid: "1",
            endsAt: Date(timeIntervalSince1970: 7),
            endsAtMost: Date(timeIntervalSince1970: 7),
            isOpen: true,
            highestBid: Sale.Bid(bidder: "0x3", amount: "400000000000000000"),
            minimalBid: "420000000000000000",
            bidders: 2,
            ownBid: "100000000000000000"
        )
        #expect(
            Self.commands(sale, for: Self.buyer)
                == ["stoa sale bid 77777777 '0.42 ETH'", "stoa wallet collect"]
        )
        #expect(Self.commands(sale, for: "0x3") == [])
    }
}
