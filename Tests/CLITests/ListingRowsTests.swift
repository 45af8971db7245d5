import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Listings in lists, one alone, and those that an account has saved.
struct ListingRowsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let ana = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

    private static func listing(_ change: (inout Listing) -> Void = { _ in }) -> Listing {
        var listing = Listing(
            id: "0x1.1",
            record: "0x4e",
            author: ana,
            content: ListingContent(
                title: "Lamp",
                description: "Red.",
                price: Money(amount: "500000000000000000", currency: "native"),
                identifier: "7"
            ),
            anchor: nil,
            isAsPromised: true,
            salePhase: "listed",
            createdAt: now,
            firstSeenAt: now
        )
        change(&listing)
        return listing
    }

    private static func table(_ listings: [Listing], _ sellers: Sellers = Sellers()) -> [String] {
        ListingText.page(Page(items: listings, next: nil), sellers, at: now)
            .split(separator: "\n").map(String.init)
    }

    @Test func `a row shows pictures, stars, time and place, if any listing has them`() {
        let bare = Self.table([Self.listing()])
        #expect(
            bare == [
                "title  price    seller       state     listing",
                "Lamp   0.5 ETH  0x5aAe…eAed  for sale  0x1.1",
            ]
        )
        let whole = Self.listing { listing in
            listing.content.media = [
                ListingMedia(id: "0x1", type: "image/jpeg", length: 1),
                ListingMedia(id: "0x2", type: "application/pdf", length: 1),
            ]
            listing.content.pickupPlace = "Lime Street"
            listing.endsAt = Self.now.addingTimeInterval(2 * 86_400 + 5)
        }
        var sellers = Sellers()
        sellers.names.profiles = [Self.ana: "Ana"]
        sellers.stars = [Self.ana: "4.5"]
        #expect(
            Self.table([whole], sellers) == [
                "title  pictures  price    seller             stars  state     ends in  place        "
                    + "listing",
                "Lamp   1         0.5 ETH  Ana (0x5aAe…eAed)  4.5    for sale  2 days   Lime Street  "
                    + "0x1.1",
            ]
        )
    }

    @Test func `a resale is marked, and its maker named`() {
        let other = "0x00000000000000000000000000000000000000aa"
        let new = Self.listing { ($0.maker, $0.isResale) = (Self.ana, false) }
        let resale = Self.listing { ($0.maker, $0.isResale) = (other, true) }
        let rows = Self.table([new, resale])
        #expect(rows[0].hasPrefix("title  price    origin  seller"), "\(rows)")
        #expect(rows[2].hasPrefix("Lamp   0.5 ETH  resale  0x5aAe"), "\(rows)")
        #expect(!Self.table([new])[0].contains("origin"))
        #expect(
            ListingText.full(new).contains(
                "\norigin     first sale here, listed by its maker, 0x5aAe"
            )
        )
        let text = ListingText.full(resale)
        #expect(text.contains("\norigin     resale, first listed by 0x0000"), "\(text)")
    }

    @Test func `a row of an auction has the number of its bids`() {
        let rows = Self.table([Self.listing { $0.bids = 0 }, Self.listing { $0.bids = 12 }])
        #expect(rows[0].hasPrefix("title  price    bids  seller"), "\(rows)")
        #expect(rows[1].contains("0.5 ETH  0     0x5aAe") && rows[2].contains("ETH  12    0x5aAe"))
        let whole = ListingText.full(Self.listing { $0.bids = 12 })
        #expect(whole.contains("\nbids       12\n"), "\(whole)")
    }

    @Test func `a course's row has students, rating and the reader's own part`() {
        let rated = Self.listing {
            ($0.students, $0.average, $0.raters, $0.own) = (12, 82, 3, "student")
        }
        let new = Self.listing { ($0.students, $0.raters) = (0, 0) }
        let rows = Self.table([rated, new])
        #expect(rows[0].contains("students  rating          you are   seller"), "\(rows)")
        #expect(rows[1].contains("12        82 of 100 by 3  enrolled  0x5aAe"), "\(rows)")
        #expect(rows[2].contains("0         no rating yet             0x5aAe"), "\(rows)")
        let whole = ListingText.full(rated)
        #expect(whole.contains("\nrating     82 of 100 by 3\nyou are    enrolled\n"), "\(whole)")
    }

    @Test(
        arguments: [
            (3_600.0, "1 hour"), (7_300, "2 hours"), (61, "1 minute"), (5, "under a minute"),
            (-1, nil),
        ] as [(Double, String?)]
    )
    func `a row says how long an open offer lasts`(seconds: Double, words: String?) {
        let end = Self.now.addingTimeInterval(seconds)
        let row = Self.table([Self.listing { $0.endsAt = end }])[1]
        #expect(row.contains("for sale  " + (words ?? "0x1.1")), "\(row)")
    }

    @Test func `a listing that was changed shows what was promised`() {
        let changed = Self.listing {
            ($0.isAsPromised, $0.changes) = (false, ["curriculum", "description", "media"])
            $0.promised = Sale.Commitment(
                title: "Lamp",
                description: "New.",
                identifier: "7",
                curriculum: [
                    CurriculumSession(title: "Bowline", content: "Tie it."),
                    CurriculumSession(title: "Sheet bend"),
                ]
            )
        }
        let text = ListingText.full(changed, sales: "2 completed")
        #expect(text.contains("state      for sale, changed after it was listed\n"))
        let end = """
            its seller 2 completed
            changed    after listing: curriculum; promised:
                session 1  Bowline: Tie it.
                session 2  Sheet bend
            changed    after listing: description; promised: New.
            changed    after listing: media

                Red.
            """
        #expect(text.hasSuffix(end), "\(text)")
        let beside = ListingText.changes(of: changed, since: changed.promised, isShown: false)
        #expect(beside.first?.hasSuffix("Sheet bend; now: none") == true)
        #expect(
            beside[1...] == [
                "changed    after listing: description; promised: New.; now: Red.",
                "changed    after listing: media",
            ]
        )
        let other = ListingText.full(Self.listing { $0.isAsPromised = false })
        #expect(other.contains("for sale, its sale was made for other content\n"), "\(other)")
    }

    @Test func `the end of an open offer is shown once`() {
        var terms = EscrowTerms()
        terms.offerUntil = UInt64(Self.now.timeIntervalSince1970)
        let ended = Self.listing { $0.content.terms = terms }
        #expect(ListingText.full(ended).contains("offer ends 2027-01-15 08:00:00Z"))
        let open = Self.listing { ($0.content.terms, $0.endsAt) = (terms, Self.now) }
        let text = ListingText.full(open)
        #expect(text.contains("open until 2027") && !text.contains("offer ends"), "\(text)")
    }

    @Test func `an open listing says for whom it is reserved, and until when`() {
        let reserved = Self.listing { listing in
            listing.content.direct = DirectSaleTerms(buyer: Self.ana)
            listing.endsAt = Self.now
        }
        let names = Names([AccountName(account: Self.ana, name: "Ana", isHere: false)])
        let text = ListingText.full(reserved, names)
        #expect(text.contains("\nstate      for sale, reserved\n"), "\(text)")
        let line = text.split(separator: "\n").first { $0.hasPrefix("reserved   for ") }
        #expect(line?.contains("Ana") == true, "\(text)")
        #expect(line?.hasSuffix(" until 2027-01-15 08:00:00Z") == true, "\(text)")
        #expect(!text.contains("open until"))
        #expect(Self.table([reserved])[1].contains("  for sale, reserved  "))
        var over = reserved
        over.state = "over"
        #expect(!ListingText.full(over).contains("reserved"))
    }

    @Test func `a list of offers has the listed price only beside open ones`() {
        let time = Self.now
        var offer = PriceOffer(
            id: "0x0f0f",
            listing: "0x1.1",
            title: "Lamp",
            buyer: "0x2",
            price: Money(amount: "400000000000000000", currency: "native"),
            listedPrice: Money(amount: "500000000000000000", currency: "native"),
            chain: 1,
            sentAt: time,
            until: time,
            paymentSeconds: 3_600,
            state: "open",
            payUntil: nil
        )
        #expect(PriceOfferText.table([offer], .none).contains("instead of"))
        offer.state = "lapsed"
        #expect(!PriceOfferText.table([offer], .none).contains("instead of"))
    }

    @Test func `a draft shows its pieces, if it has several`() {
        var draft = Draft(name: "lamps", content: Self.listing().content, changedAt: Self.now)
        #expect(!DraftText.text(draft).contains("pieces"))
        draft.content.pieces = 8
        #expect(DraftText.text(draft).contains("price       0.5 ETH\npieces      8\npayment"))
    }

    @Test func `a saved listing that is gone keeps its title`() {
        let gone = SavedListing(listing: "0x1.1", seller: Self.ana, since: Self.now, title: "Lamp")
        let text = SavedText.cart(Cart(lines: [gone], totals: []))
        #expect(
            text.hasSuffix("Lamp          0x5aAe…eAed  withdrawn, or not here  0x1.1"),
            "\(text)"
        )
        let old = SavedListing(listing: "0x1.1", seller: Self.ana, since: Self.now)
        let unknown = SavedText.cart(Cart(lines: [old], totals: []))
        #expect(unknown.contains("(its title is not known)"))
    }

    @Test func `a cart says which listings were listed again since`() {
        var line = SavedListing(
            listing: "0x1.1",
            seller: Self.ana,
            since: Self.now,
            title: "Lamp",
            payment: "direct",
            state: "open"
        )
        #expect(!SavedText.cart(Cart(lines: [line], totals: [])).contains("listed again"))
        line.isListedAgain = true
        #expect(SavedText.cart(Cart(lines: [line], totals: [])).contains("for sale, listed again"))
        #expect(CartCheckout.listedAgain("0x1.1").hasSuffix("stoa cart add 0x1.1"))
    }

    @Test func `commands name sellers whom the account does not know`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(
            answer: { request, place in
                request.uri == "/v1/names" ? .json(200, "[]") : document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            for command in [["listing", "search"], ["favourite", "list"], ["cart", "show"]] {
                let end = try stoa.run(all: command)
                #expect(end.out.contains("Ana (0x5aAe…eAed)"), "\(command): \(end)")
            }
            #expect(try stoa.run("listing", "search").out.contains("4.5"))
        }
    }
}
