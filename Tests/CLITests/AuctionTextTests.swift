import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

/// What people type and read of auctions and direct sales.
struct AuctionTextTests {
    private static let (ana, bo) = ("0x0a", "0x0b")
    private static let time = Date(timeIntervalSince1970: 1_763_700_000)

    private static func auction(highest: Sale.Bid? = nil, isOpen: Bool = true) -> Sale.Auction {
        Sale.Auction(
            terms: AuctionTerms(durationSeconds: 604_800, minIncrement: 500, extensionSeconds: 600),
            startingBid: "100000000000000000",
            endsAt: time,
            endsAtMost: time.addingTimeInterval(86_400),
            isOpen: isOpen,
            highestBid: highest,
            minimalBid: isOpen ? "105000000000000000" : nil,
            bidders: highest == nil ? 0 : 2
        )
    }

    private static func text(_ auction: Sale.Auction) -> String {
        let sale = Sale(
            id: "0x01",
            kind: "auction",
            chain: 1,
            contract: "0x02",
            listing: nil,
            phase: "bid",
            stage: "running",
            seller: ana,
            buyer: nil,
            item: "7",
            price: Money(amount: "1", currency: "native"),
            payouts: nil,
            actions: [],
            deadline: nil,
            confirmations: 1,
            confirmationsNeeded: 1,
            auction: auction
        )
        return AuctionText.lines(auction, of: sale, .none).joined(separator: "\n")
    }

    @Test func `an auction shows the bids, the next bid and the end`() {
        let empty = Self.text(Self.auction())
        #expect(empty.contains("nobody has bid; from 0.1 ETH"))
        #expect(empty.contains("next bid   at least 0.105 ETH"))
        #expect(empty.contains("bidding    until ") && empty.contains("late bids can move the end"))
        #expect(
            empty.contains("7 days long, each bid 5 % higher, a late bid leaves others 10 minutes ")
        )

        var bid = Self.auction(highest: Sale.Bid(bidder: Self.bo, amount: "200000000000000000"))
        #expect(Self.text(bid).contains("highest    0.2 ETH by 0x0b, of 2 who bid"))
        #expect(!Self.text(bid).contains("your bid"))
        bid.ownBid = "100000000000000000"
        #expect(Self.text(bid).contains("your bid   0.1 ETH, outbid; collect it"))
    }

    @Test func `a closed auction says so and does not ask for a bid`() {
        let bid = Sale.Bid(bidder: Self.bo, amount: "200000000000000000")
        let closed = Self.text(Self.auction(highest: bid, isOpen: false))
        #expect(closed.contains("bidding    closed; its end was "))
        #expect(!closed.contains("next bid"))
    }

    private static func create(_ options: String...) throws -> ListingCreate {
        try ListingCreate.parse(
            [
                "Print", "--price", "0.1", "--description", "Linocut.", "--category", "art",
                "--tag", "print", "--identifier", "print 7",
            ] + options
        )
    }

    @Test func `reads auction terms in units; the market's terms are the default`() throws {
        #expect(try Self.create("--payment", "auction").auction.terms == nil)
        let typed = try Self.create(
            "--payment",
            "auction",
            "--duration",
            "10d",
            "--min-increment",
            "10%",
            "--extension-time",
            "5m"
        )
        let wanted = AuctionTerms(
            durationSeconds: 864_000,
            minIncrement: 1_000,
            extensionSeconds: 300
        )
        #expect(typed.auction.terms == wanted)
        for (option, text) in [
            ("--duration", "soon"), ("--min-increment", "x"), ("--extension-time", "-1d"),
        ] {
            #expect(throws: (any Error).self) {
                try Self.create("--payment", "auction", option, text)
            }
        }
    }

    @Test func `a search shows the highest bid, or else the minimum first bid`() {
        var content = ListingContent(
            title: "Print",
            price: Money(amount: "100000000000000000", currency: "native"),
            payment: "auction"
        )
        func price(_ highest: String?) -> String {
            let listing = Listing(
                id: "0x01.02",
                record: "0x03",
                author: Self.ana,
                content: content,
                anchor: nil,
                isAsPromised: nil,
                salePhase: nil,
                highestBid: highest.map { Money(amount: $0, currency: "native") },
                createdAt: Self.time,
                firstSeenAt: Self.time
            )
            return ListingText.page(Page(items: [listing], next: nil))
        }
        #expect(price(nil).contains("from 0.1 ETH"))
        #expect(price("200000000000000000").contains("bid 0.2 ETH"))
        content.payment = "direct"
        #expect(!price(nil).contains("from") && price(nil).contains("0.1 ETH"))
    }
}
