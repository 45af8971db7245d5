import Client
import Foundation
import Testing

@testable import CLI

/// How events read, and which of them say something new.
struct EventSentencesTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static func event(_ type: String, _ data: [String: String], _ id: UInt64 = 7) -> Event {
        Event(id: id, time: time, type: type, subject: "0x5a1e5a1e5a1e", data: data)
    }

    private static func auction(highest: String) -> Sale {
        Sale(
            id: "0x5a1e5a1e5a1e",
            kind: "auction",
            chain: 1,
            contract: "0xe5",
            listing: nil,
            promised: Sale.Commitment(title: "Oak table", description: "", identifier: "1"),
            phase: "bid",
            stage: "offered",
            seller: "0x1",
            buyer: "0x3",
            item: "1",
            price: Money(amount: highest, currency: "native"),
            payouts: nil,
            actions: [],
            deadline: nil,
            confirmations: 3,
            confirmationsNeeded: 3,
            auction: Sale.Auction(
                terms: AuctionTerms(),
                startingBid: "1",
                endsAt: time,
                endsAtMost: time,
                isOpen: true,
                highestBid: Sale.Bid(bidder: "0x3", amount: highest),
                minimalBid: "210000000000000000",
                bidders: 2
            )
        )
    }

    private static func line(_ event: Event, _ subject: EventSentences.Subject) -> String {
        let names = Names([AccountName(account: "0x3", name: "cy", isHere: true)], own: "0x2")
        let line = EventSentences(names).line(event, about: subject)
        return String(line.dropFirst("7  2027-01-15 08:00:00Z  ".count))
    }

    @Test func `an operation is told once, when it ends`() {
        var sentences = EventSentences(.none)
        let states = ["running", "running", "needs_unlock", "needs_unlock", "running", "done"]
        let told = states.map {
            sentences.isNew(
                Self.event("operation", ["kind": "buy", "state": $0, "phase": "mined"])
            )
        }
        #expect(told == [false, false, true, false, false, true])
        var all = EventSentences(.none, asked: ["operation"])
        let isTold = all.isNew(Self.event("operation", ["state": "running"]))
        #expect(isTold)
    }

    @Test func `an item that came back is told with its title`() {
        let data = ["state": "listed", "detail": "This node has listed it again."]
        var subject = EventSentences.Subject()
        subject.sale = Self.auction(highest: "1")
        #expect(
            Self.line(Self.event("reopening", data), subject)
                == "'Oak table': This node has listed it again."
        )
    }

    @Test func `a sale is told once for each state and highest bid`() {
        var sentences = EventSentences(.none)
        let news = [("ready", ""), ("bid", "1"), ("bid", "1"), ("bid", "2"), ("sold", "2")]
        let told = news.map {
            sentences.isNew(
                Self.event("sale", ["phase": $0, "highestBid": $1, "confirmations": "1"])
            )
        }
        #expect(told == [true, true, false, true, true])
    }

    @Test func `a message is told when it arrives, a receipt not`() {
        var sentences = EventSentences(Names([], own: "0x2"))
        let data = { (sender: String, state: String) in ["sender": sender, "state": state] }
        let told = [
            Self.event("message", data("0x3", "received")),
            Self.event("message", data("0x2", "sent")),
            Self.event("message", data("0x2", "failed")), Self.event("receipt", ["state": "read"]),
        ].map { sentences.isNew($0) }
        #expect(told == [true, false, true, false])
        #expect(
            Self.line(Self.event("message", data("0x3", "received")), .init())
                == "cy has written to you: stoa chat show 5a1e5a1e"
        )
    }

    private static func offer(_ state: String, by buyer: String) -> PriceOffer {
        PriceOffer(
            id: "0x0ffe0ffe0ffe",
            listing: "0x1.7777777777",
            title: "Spoon",
            buyer: buyer,
            price: Money(amount: "200000000000000000", currency: "native"),
            listedPrice: Money(amount: "300000000000000000", currency: "native"),
            chain: 1,
            sentAt: time,
            until: time,
            paymentSeconds: 7_200,
            state: state,
            payUntil: state == "accepted" ? time : nil
        )
    }

    @Test func `offers and their acceptance are told by price and title`() {
        let data = ["sender": "0x3", "state": "received", "kind": "offer"]
        let made = EventSentences.Subject(offer: Self.offer("open", by: "0x3"))
        #expect(
            Self.line(Self.event("message", data), made)
                == "cy offers 0.2 ETH for 'Spoon': stoa sale accept 0ffe0ffe"
        )
        #expect(
            Self.line(Self.event("message", data), .init())
                == "cy has changed an offer: stoa sale offers"
        )
        var sale = NextStepTests.sale("listed", stage: "offered")
        sale.promised = Sale.Commitment(title: "Spoon", description: "", identifier: "1")
        let accepted = EventSentences.Subject(sale: sale, offer: Self.offer("accepted", by: "0x2"))
        #expect(
            Self.line(Self.event("sale", ["phase": "listed", "role": "buyer"]), accepted)
                == "The seller of 'Spoon' has accepted your offer. Pay it until 2027-01-15 "
                + "08:00:00Z: stoa sale buy 77777777"
        )
    }

    @Test func `a proposal is told to the other side, and once`() {
        var sale = NextStepTests.sale("disputed", ["propose", "agree"])
        (sale.seller, sale.buyer) = ("0x3", "0x2")
        sale.promised = Sale.Commitment(title: "Vase", description: "", identifier: "1")
        let proposal = Sale.Proposal(by: "0x3", role: "seller", share: 4_000, until: Self.time)
        sale.escrow = Sale.Escrow(terms: EscrowTerms(), isTaken: false, proposals: [proposal])
        sale.nextSteps = [Sale.NextStep(words: Sentence("next.agree"), share: 4_000)]
        let data = ["phase": "disputed", "role": "buyer", "sellerProposal": "4000"]
        let line = Self.line(Self.event("sale", data), .init(sale: sale))
        #expect(line.hasPrefix("'Vase': cy proposes that the seller gets 40"), "\(line)")
        #expect(line.hasSuffix("stoa sale agree 5a1e5a1e --share 40%"), "\(line)")
        var sentences = EventSentences(Names([], own: "0x2"))
        let dispute = ["phase": "disputed", "role": "buyer"]
        let own = dispute.merging(["buyerProposal": "1000"]) { $1 }
        let told = [dispute, own, data, data, dispute].map {
            sentences.isNew(Self.event("sale", $0))
        }
        #expect(told == [true, false, true, false, false])
    }

    @Test func `bids are told by title, name and amount`() {
        let data = ["phase": "bid", "highestBid": "200000000000000000", "bidder": "0x3"]
        let bid = { (role: String) in
            Self.line(
                Self.event("sale", data.merging(["role": role]) { $1 }),
                .init(sale: Self.auction(highest: "200000000000000000"))
            )
        }
        #expect(
            bid("bidder")
                == "You were outbid on 'Oak table': 0.2 ETH; the next bid is at least 0.21 ETH."
        )
        #expect(bid("seller") == "cy bid 0.2 ETH for 'Oak table'.")
        let later = EventSentences.Subject(sale: Self.auction(highest: "300000000000000000"))
        let old = Self.line(Self.event("sale", data.merging(["role": "bidder"]) { $1 }), later)
        #expect(old == "You were outbid on 'Oak table': 0.2 ETH.")
    }

    @Test func `states and operations read as sentences`() {
        let subject = EventSentences.Subject(sale: Self.auction(highest: "1"))
        #expect(Self.line(Self.event("sale", ["phase": "sold"]), subject) == "'Oak table' is sold.")
        #expect(Self.line(Self.event("sale", ["phase": "sold"]), .init()) == "5a1e5a1e is sold.")
        let operation = { (state: String) in
            ["kind": "bid", "state": state, "detail": "2 of 3", "phase": "confirmed"]
        }
        #expect(
            Self.line(Self.event("operation", operation("done")), subject)
                == "Your bid ('Oak table') is done."
        )
        #expect(
            Self.line(Self.event("operation", operation("needs_unlock")), .init())
                == "Your bid waits until you sign in: stoa account sign-in"
        )
        #expect(
            Self.line(Self.event("listing_found", ["search": "tables"]), .init())
                == "Your search 'tables' has found 5a1e5a1e: stoa listing show 5a1e5a1e"
        )
        let unknown = Self.event("newer", ["key": "value"])
        #expect(
            EventSentences(.none).line(unknown, about: .init())
                == "7  2027-01-15 08:00:00Z  newer 5a1e5a1e: key value"
        )
    }
}
