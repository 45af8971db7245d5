import Client
import Foundation
import Testing

@testable import CLI

/// What a person reads of a sale that is watched, and of events.
struct SaleWatchTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)
    private static let price = Money(amount: "500000000000000000", currency: "native")

    private static func sale(
        _ phase: String,
        steps: [String] = ["list"],
        stage: String = "running",
        confirmations: UInt64 = 3,
        ends: TimeInterval? = 93_784,
        bid: String? = nil
    ) -> Sale {
        var sale = Sale(
            id: "0x5a1e",
            kind: "auction",
            chain: 1,
            contract: "0xe5",
            listing: nil,
            phase: phase,
            status: status(phase, ends == nil),
            stage: stage,
            seller: "0x1",
            buyer: nil,
            item: "1",
            price: price,
            history: steps.enumerated().map { place, move in
                Sale.Step(
                    move: move,
                    by: "0x\(place)",
                    at: time.addingTimeInterval(Double(place)),
                    transaction: "0xff\(place)",
                    link: place == 1 ? "https://explorer.example/tx/0xff1" : nil
                )
            },
            payouts: nil,
            actions: [],
            deadline: ends.map {
                Sale.Deadline(
                    at: time.addingTimeInterval($0),
                    consequence: [Sentence("course.beginOpens")]
                )
            },
            confirmations: confirmations,
            confirmationsNeeded: 3
        )
        sale.asOf = time
        sale.auction = bid.map {
            Sale.Auction(
                terms: AuctionTerms(
                    durationSeconds: 604_800,
                    minIncrement: 500,
                    extensionSeconds: 600
                ),
                startingBid: "1",
                endsAt: time,
                endsAtMost: time,
                isOpen: true,
                highestBid: Sale.Bid(bidder: "0x2", amount: $0),
                minimalBid: "600000000000000000",
                bidders: 1
            )
        }
        return sale
    }

    private static func status(_ phase: String, _ isLate: Bool) -> Sentence? {
        guard phase == "bid" else { return nil }
        let amount = "\(price.amount) native 1"
        return isLate
            ? Sentence("standing.biddingOver")
            : Sentence("standing.highestBid", ["amount": amount])
    }

    @Test func `a watched sale reports each change once`() {
        let changes = Watched()
        let first = changes.news(Self.sale("ready"))
        #expect(first[0] == "sale       0x5a1e" && first[1] == "state      for sale")
        #expect(
            first.last == "until      2027-01-16 10:03:04Z (1 day 02:03:04 left): "
                + "Enrolment has ended; the teacher can begin."
        )
        #expect(changes.news(Self.sale("ready")).isEmpty)

        let bid = Self.sale(
            "bid",
            steps: ["list", "bid"],
            confirmations: 1,
            bid: "500000000000000000"
        )
        let news = changes.news(bid)
        #expect(news.count == 3, "\(news)")
        #expect(news[0].hasPrefix("history    2027-01-15 08:00:01Z: bid by 0x1"))
        #expect(news[0].hasSuffix("0xff1, https://explorer.example/tx/0xff1"))
        #expect(news[1] == "state      highest bid 0.5 ETH (1 of 3 confirmed)")
        #expect(news[2].contains("0.5 ETH") && news[2].contains("0.6 ETH"))
        #expect(changes.news(bid).isEmpty)

        let later = Self.sale(
            "bid",
            steps: ["list", "bid"],
            ends: 94_384,
            bid: "500000000000000000"
        )
        let moved = changes.news(later)
        #expect(moved.count == 2 && moved[0] == "state      highest bid 0.5 ETH")
        #expect(moved[1].contains("(1 day 02:13:04 left)"))

        let ended = Self.sale("bid", steps: ["list", "bid"], ends: nil, bid: "500000000000000000")
        #expect(changes.news(ended) == ["state      bidding is over"])

        var noted = ended
        noted.history[1].note = "Mine"
        #expect(changes.news(noted) == ["note       of the seller, 2027-01-15 08:00:01Z: Mine"])
        #expect(changes.news(noted).isEmpty)

        let back = Self.sale("ready", ends: 94_384)
        #expect(changes.news(back).contains { $0.hasPrefix("gone       bid by 0x1") })
    }

    @Test func `watches a sale until its end is final`() {
        #expect(!SaleChanges.isOver(Self.sale("sold", stage: "over", confirmations: 2)))
        #expect(SaleChanges.isOver(Self.sale("sold", stage: "over")))
        #expect(!SaleChanges.isOver(Self.sale("bid")))
        #expect(
            SaleChanges.status(Self.sale("bid")) == "highest bid 0.5 ETH, 1 day 02:03:04 left"
        )
        #expect(SaleChanges.status(Self.sale("sold", ends: nil)) == "")
    }

    @Test(
        arguments: [
            (0, "00:00:00"), (-5, "00:00:00"), (59.9, "00:00:59"), (3_661, "01:01:01"),
            (86_400, "1 day 00:00:00"), (172_810, "2 days 00:00:10"),
        ] as [(TimeInterval, String)]
    )
    func `counts the time down to the second`(seconds: TimeInterval, text: String) {
        let end = Self.time.addingTimeInterval(seconds)
        #expect(CountdownText.text(until: end, from: Self.time) == text)
    }

    private static func event(_ news: DeadlineNews) -> Event {
        Event(id: 7, time: time, type: "deadline", subject: "0x5a1e", data: news.data)
    }

    @Test func `a deadline's event says what ends and what follows`() {
        let reminder = DeadlineNews(
            deadline: Self.time,
            hoursLeft: 24,
            role: "buyer",
            closes: ["dispute"],
            opens: ["execute_default", "claim"],
            consequence: "It is over."
        )
        #expect(DeadlineNews(Self.event(reminder)) == reminder)
        let line = EventText.line(Self.event(reminder))
        #expect(line.hasPrefix("7  2027-01-15 08:00:00Z  deadline 0x5a1e: less than 24 hours left"))
        #expect(line.contains("until then you can: dispute; from then on: default, claim"))
        let open = DeadlineNews(deadline: Self.time, hoursLeft: 0, opens: ["claim"])
        #expect(
            EventText.text(open).hasPrefix("'claim' is open since 2027-01-15 08:00:00Z. Sign in")
        )
        let problem = DeadlineNews(
            deadline: Self.time,
            hoursLeft: 0,
            opens: ["claim"],
            problem: "The account has nothing."
        )
        #expect(
            EventText.text(problem).hasSuffix("could not be made for you: The account has nothing.")
        )
        let other = Event(
            id: 8,
            time: Self.time,
            type: "sale",
            subject: "",
            data: ["phase": "paid", "role": ""]
        )
        #expect(EventText.line(other) == "8  2027-01-15 08:00:00Z  sale: phase paid")
        #expect(DeadlineNews(other) == nil)
    }
}

/// A watched sale that expectations can ask.
private final class Watched {
    private var changes = SaleChanges()

    func news(_ sale: Sale) -> [String] { changes.news(of: sale, .none) }
}
