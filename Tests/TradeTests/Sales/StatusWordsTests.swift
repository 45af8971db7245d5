import Client
import Foundation
import Testing
import Trade

/// A shop's words for how sales and listings stand.
struct StatusWordsTests {
    private static let end = Date(timeIntervalSince1970: 1_800_000_000)
    private static let price = Money(amount: "400000000000000000", currency: "native")

    private static func sale(_ phase: String, isLate: Bool = false) -> Client.Sale {
        Client.Sale(
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
            price: price,
            payouts: nil,
            actions: [],
            deadline: isLate ? nil : Client.Sale.Deadline(at: end, consequence: []),
            confirmations: 1,
            confirmationsNeeded: 1
        )
    }

    @Test(
        arguments: [
            ("listed", "for sale"), ("ready", "for sale"),
            ("paid", "paid: to be sent by 2027-01-15 08:00:00Z"), ("transferred", "on its way"),
            ("disputed", "in dispute"), ("complete", "completed"),
            ("declined", "declined by the seller"), ("refunded", "refunded"),
            ("aborted", "withdrawn"), ("bid", "highest bid 0.4 ETH"), ("sold", "sold"),
            ("unsold", "unsold"), ("open", "not begun yet"), ("begun", "begun"),
        ]
    )
    func `a sale's phase reads as in a shop`(phase: String, words: String) {
        #expect(Self.sale(phase).words(in: PlainUnits()).detail == words)
    }

    @Test(
        arguments: [
            ("listed", "the offer has ended"), ("ready", "the offer has ended"),
            ("paid", "paid, not handed over in time"), ("bid", "bidding is over"),
            ("disputed", "in dispute"),
        ]
    )
    func `a sale's words say that a time has passed`(phase: String, words: String) {
        #expect(Self.sale(phase, isLate: true).words(in: PlainUnits()).detail == words)
    }

    @Test(
        arguments: [
            ("rule", "ruled by the arbiter"), ("execute_default", "ended by the dispute's default"),
            ("agree", "settled"),
        ]
    )
    func `an ended dispute says how it ended`(move: String, words: String) {
        var sale = Self.sale("settled")
        sale.history = [
            Client.Sale.Step(move: move, by: "0x9", at: Self.end, transaction: "0xff")
        ]
        #expect(sale.words(in: PlainUnits()).detail == words)
    }

    @Test func `an auction says that nobody has bid, and its highest bid as a value`() {
        var sale = Self.sale("ready")
        sale.auction = Client.Sale.Auction(
            terms: Client.AuctionTerms(),
            startingBid: "1",
            endsAt: Self.end,
            endsAtMost: Self.end,
            isOpen: true
        )
        #expect(sale.words(in: PlainUnits()).code == "standing.noBids")
        sale.phase = "bid"
        #expect(sale.words(in: PlainUnits()).values == ["amount": "400000000000000000 native 1"])
    }

    private static func listing(_ state: String, _ phase: String?) -> Client.Listing {
        Client.Listing(
            id: "0x1.1",
            record: "0x4e",
            author: "0x1",
            content: ListingContent(title: "Lamp", price: price, chain: 1),
            anchor: nil,
            isAsPromised: true,
            state: state,
            salePhase: phase,
            createdAt: end,
            firstSeenAt: end
        )
    }

    @Test(
        arguments: [
            ("open", nil, "for sale"), ("open", "listed", "for sale"),
            ("over", nil, "the offer has ended"), ("over", "ready", "the offer has ended"),
            ("over", "bid", "bidding is over"), ("over", "open", "enrolment is closed"),
            ("over", "paid", "paid"), ("over", "transferred", "on its way"),
            ("over", "complete", "sold"), ("over", "aborted", "withdrawn"),
            ("without_sale", nil, "no sale on the chain"), ("unknown", nil, "not known now"),
            ("unknown", "listed", "not known now: for sale"),
        ] as [(String, String?, String)]
    )
    func `a listing's state reads as in a shop`(state: String, phase: String?, words: String) {
        #expect(Self.listing(state, phase).words(in: PlainUnits()).detail == words)
    }

    @Test func `an open listing says which bids and seats there are`() {
        var listing = Self.listing("open", "ready")
        listing.freeSeats = 3
        #expect(listing.words(in: PlainUnits()).detail == "seats free: 3")
        (listing.freeSeats, listing.minimalBid) = (nil, Self.price)
        #expect(listing.words(in: PlainUnits()).detail == "no bids yet")
        listing.highestBid = Self.price
        #expect(listing.words(in: PlainUnits()).detail == "highest bid 0.4 ETH")
    }
}
