import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

/// Offers at other prices as the commands show and find them.
struct OfferTextTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func offer(
        _ id: String = String(repeating: "0f", count: 32),
        state: String = "open",
        reason: [Sentence]? = nil
    ) -> PriceOffer {
        PriceOffer(
            id: "0x" + id,
            listing: "0x1.1",
            title: "Lamp",
            buyer: "0x2",
            price: Money(amount: "400000000000000000", currency: "native"),
            listedPrice: Money(amount: "500000000000000000", currency: "native"),
            chain: 1,
            sentAt: now,
            until: now,
            paymentSeconds: 3_600,
            state: state,
            reason: reason
        )
    }

    @Test func `a reserved sale says what the node does if it is not paid`() {
        var sale = NextStepTests.sale("listed", stage: "offered")
        #expect(!SaleText.full(sale).contains("if unpaid"))
        sale.ifUnpaid = [Sentence("reopening.due", ["price": "500000000000000000 native 1"])]
        #expect(SaleText.full(sale).contains("\nif unpaid  The buyer has not paid in time."))
    }

    /// - From commands: accepting an offer with --yes by the first digits of its id, without its
    ///   price → exit 2
    @Test func `a part of an id needs the price with it`() throws {
        let whole = String(repeating: "0f", count: 32)
        #expect(throws: (any Error).self) { try SaleAccept.parse(["0f0f0f0f", "--yes"]) }
        #expect(throws: (any Error).self) { try SaleAccept.parse(["0x" + whole.dropLast(), "-y"]) }
        #expect(try SaleAccept.parse(["0f0f0f0f"]).price == nil)
        #expect(try SaleAccept.parse(["0f0f0f0f", "--yes", "--price", "0.4"]).price == "0.4")
        #expect(try SaleAccept.parse(["0x" + whole, "--yes"]).price == nil)
        #expect(try SaleAccept.parse([whole, "--yes"]).price == nil)
    }

    /// - From commands: a purchase with --yes by words or the first digits of an id, or without its
    ///   price unless the whole id of the sale names it; a currency without a price → exit 2
    @Test(arguments: [
        ("0f0f0f0f", true), ("0x0f0f0f0f", true), (String(repeating: "0f", count: 32), true),
        ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed.0f0f", true), ("bicycle", true),
        ("red bicycle", true), ("0x" + String(repeating: "xy", count: 32), true),
        // A listing keeps its id at another price.
        (DocumentAnswers.listing, true), (DocumentAnswers.id, false),
        (DocumentAnswers.id.uppercased(), false),
    ])
    func `only a sale's whole id needs no price with it`(
        listing: String,
        needsPrice: Bool
    ) throws {
        #expect(IDText.isWholeSale(listing) != needsPrice)
        let purchase = try? SaleBuy.parse([listing, "--yes"])
        #expect((purchase == nil) == needsPrice)
        #expect(try SaleBuy.parse([listing]).agreed.price == nil)
        let priced = try? SaleBuy.parse([listing, "--yes", "--price", "0.4"])
        let isWhole = IDText.isWholeSale(listing) || IDText.isWholeListing(listing)
        #expect((priced?.agreed.price == "0.4") == isWhole)
        #expect(throws: (any Error).self) { try SaleBuy.parse([listing, "--currency", "TST"]) }
    }

    /// - From commands: a purchase of what has another price than the one given → exit 10
    @Test func `a purchase at another price than was given is refused`() throws {
        let price = ActionPreview.Outgoing(
            purpose: "price",
            amount: "500000000000000000",
            currency: "native"
        )
        let preview = ActionPreview(action: "buy", chain: 1, summary: [], leaves: [price])
        try AgreedPriceOption.parse([]).require(preview)
        try AgreedPriceOption.parse(["--price", "0.5"]).require(preview)
        let dearer = #expect(throws: Failure.self) {
            try AgreedPriceOption.parse(["--price", "0.4"]).require(preview)
        }
        #expect(dearer?.message.hasPrefix("It costs 0.5 ETH.") == true)
    }

    /// - From commands: a purchase with --yes and its price, of what also takes a deposit or names an
    ///   arbiter → exit 2, with what leaves and how to name the sale
    @Test func `a price does not agree to a deposit or an arbiter`() throws {
        let price = ActionPreview.Outgoing(purpose: "price", amount: "5", currency: "native")
        let deposit = ActionPreview.Outgoing(purpose: "deposit", amount: "50", currency: "native")
        let fee = ActionPreview.Outgoing(purpose: "fee", amount: "7", currency: "native")
        let plain = ActionPreview(
            action: "buy",
            chain: 1,
            subject: DocumentAnswers.id,
            summary: [],
            leaves: [price, fee]
        )
        let agreed = try AgreedPriceOption.parse(["--price", "5 wei"])
        let yes = try ConsentOptions.parse(["--yes"])
        try agreed.requireNoOtherTerms(plain, yes)
        var arbitrated = plain
        arbitrated.arbiter = .init(
            account: MoneyTextTests.token,
            fee: Money(amount: "1", currency: "native")
        )
        var deposited = plain
        deposited.leaves.append(deposit)
        for preview in [arbitrated, deposited] {
            // At a terminal the preview shows them, and the person is asked.
            try agreed.requireNoOtherTerms(preview, try ConsentOptions.parse([]))
            let refused = #expect(throws: Failure.self) {
                try agreed.requireNoOtherTerms(preview, yes)
            }
            #expect(refused?.code == .usage)
            #expect(refused?.message.contains("--dry-run") == true)
        }
        let command = try #require(PreviewText.command(deposited))
        #expect(command.hasSuffix("stoa sale buy \(DocumentAnswers.id) --yes"))
        var course = plain
        course.action = "enrol"
        #expect(PreviewText.command(course) == nil)
    }

    /// - From commands: a bid with --yes for what words or the first digits of an id name, or of a bare
    ///   number in a token → exit 2
    @Test func `a bid without a question names the listing and the currency`() throws {
        for listing in ["bicycle", "0f0f", DocumentAnswers.id] {
            #expect(throws: (any Error).self) { try SaleBid.parse([listing, "5", "--yes"]) }
            #expect(try SaleBid.parse([listing, "5"]).listing == listing)
        }
        let bare = try SaleBid.parse([DocumentAnswers.listing, "5", "--yes"])
        try bare.requireCurrency(of: Money(amount: "1", currency: "native"))
        let token = Money(amount: "1", currency: MoneyTextTests.token)
        let refused = #expect(throws: Failure.self) { try bare.requireCurrency(of: token) }
        #expect(refused?.code == .usage)
        try SaleBid.parse([DocumentAnswers.listing, "5 TST", "--yes"]).requireCurrency(of: token)
        try SaleBid.parse([DocumentAnswers.listing, "5"]).requireCurrency(of: token)
    }

    /// - From commands: a purchase in another currency than that of the price given → exit 10
    @Test func `a price is agreed to in its own currency only`() throws {
        let token = MoneyTextTests.token
        func isAgreed(_ arguments: [String], to currency: String = token) -> Bool {
            let amount = currency == "native" ? "12500000000000000000" : "1250"
            let preview = ActionPreview(
                action: "buy",
                chain: 8217,
                summary: [],
                leaves: [.init(purpose: "price", amount: amount, currency: currency)]
            )
            return CurrencyUnits.$current.withValue(MoneyTextTests.units) {
                do { try AgreedPriceOption.parse(["--price"] + arguments).require(preview) } catch {
                    return false
                }
                return true
            }
        }
        #expect(isAgreed(["12.5 TST"]) && isAgreed(["12.5", "--currency", "tst"]))
        #expect(isAgreed(["12.5", "--currency", token.lowercased()]))
        #expect(!isAgreed(["12.5"]) && !isAgreed(["12.5 KAIA"]) && !isAgreed(["12.5 ABC"]))
        #expect(isAgreed(["12.5"], to: "native") && isAgreed(["12.5 KAIA"], to: "native"))
        #expect(!isAgreed(["12.5 TST"], to: "native"))
        let unnamed = MoneyTextTests.hostile
        #expect(isAgreed(["1250", "--currency", unnamed], to: unnamed))
        #expect(!isAgreed(["1250"], to: unnamed))
    }

    /// - From commands: `course enrol` with --yes without the listing's whole id, the round or the
    ///   price → exit 2
    /// - From commands: `course enrol` while another round is open than the one given → exit 10
    @Test func `an enrolment without a question fixes the round`() throws {
        let course = DocumentAnswers.course
        for arguments in [
            [course], [course, "--round", "0"], [course, "--price", "5 wei"],
            ["knots", "--round", "0", "--price", "5 wei"],
            ["c0c0c0c0", "--round", "0", "--price", "5 wei"],
        ] {
            #expect(throws: (any Error).self) {
                try CourseCommand.Enrol.parse(arguments + ["--yes"])
            }
            #expect(try CourseCommand.Enrol.parse(arguments).listing == arguments[0])
        }
        let price = ActionPreview.Outgoing(purpose: "price", amount: "5", currency: "native")
        var preview = ActionPreview(action: "enrol", chain: 1, summary: [], leaves: [price])
        #expect(CourseCommand.Enrol.ready(preview, listing: course) == nil)
        preview.round = 1
        let ready = try #require(CourseCommand.Enrol.ready(preview, listing: course))
        #expect(
            ready.hasSuffix(
                "stoa course enrol \(course) --round 1 --price '0.000000000000000005 ETH' --yes"
            )
        )
        func enrol(_ round: String) throws -> CourseCommand.Enrol {
            try CourseCommand.Enrol.parse([course, "--round", round, "--price", "5 wei", "--yes"])
        }
        try enrol("1").require(preview)
        let refused = #expect(throws: Failure.self) { try enrol("0").require(preview) }
        #expect(refused?.code == .refused)
    }

    /// - From commands: a purchase with --yes on a node of several chains, at a price without the
    ///   symbol of a currency of its chain → exit 2
    @Test(arguments: [
        (["0.5"], false), (["0.5", "--currency", "native"], false), (["0.5 ETH"], false),
        (["500000000 gwei"], false), (["0.5 KAIA"], true), (["0.5", "--currency", "KAIA"], true),
    ])
    func `a price without a question names its chain`(price: [String], isNamed: Bool) throws {
        let half = ActionPreview.Outgoing(
            purpose: "price",
            amount: "500000000000000000",
            currency: "native"
        )
        let preview = ActionPreview(action: "buy", chain: 8217, summary: [], leaves: [half])
        let agreed = try AgreedPriceOption.parse(["--price"] + price)
        func refusal(_ units: CurrencyUnits, _ preview: ActionPreview) -> Failure? {
            CurrencyUnits.$current.withValue(units) {
                do { try agreed.require(preview, isUnasked: true) } catch {
                    return error as? Failure
                }
                return nil
            }
        }
        #expect(refusal(MoneyTextTests.several, preview)?.code == (isNamed ? nil : .usage))
        // On a node of one chain a number is enough.
        if price != ["0.5 ETH"] { #expect(refusal(MoneyTextTests.units, preview) == nil) }
    }

    /// - From commands: accepting an offer that has another price than the one given → exit 10
    @Test func `an offer at another price than was given is refused`() throws {
        try PriceOfferText.require("0.4", of: Self.offer())
        try PriceOfferText.require("400000000 gwei", of: Self.offer())
        let other = #expect(throws: Failure.self) {
            try PriceOfferText.require("0.41", of: Self.offer())
        }
        #expect(other?.message.contains("0.4 ETH") == true)
    }

    @Test func `the list shows the price of an offer as it is typed to accept it`() throws {
        var offer = Self.offer()
        offer.price.amount = "400000000000000001"
        offer.listedPrice.amount = "400000000000000002"
        let text = PriceOfferText.table([offer], .none)
        #expect(text.contains("  0.400000000000000001 ETH  0.400000000000000002 ETH  "), "\(text)")
        try PriceOfferText.require("0.400000000000000001", of: offer)
    }

    @Test func `an offer is found by digits that begin no other`() throws {
        let offers = [Self.offer(), Self.offer("0f0f" + String(repeating: "1e", count: 30))]
        #expect(try PriceOfferText.offer("0x0f0f0f", of: offers).id == offers[0].id)
        #expect(throws: Failure.self) { try PriceOfferText.offer("0f0f", of: offers) }
        #expect(throws: Failure.self) { try PriceOfferText.offer("0f", of: [Self.offer()]) }
    }

    @Test func `an open offer is found by words of its title`() throws {
        let offer = Self.offer()
        let word = String(offer.title.lowercased().prefix { $0 != " " })
        #expect(try PriceOfferText.offer(word, of: [offer]).id == offer.id)
        #expect(throws: Failure.self) { try PriceOfferText.offer(word, of: [offer, offer]) }
        #expect(throws: Failure.self) {
            try PriceOfferText.offer(word, of: [Self.offer(state: "over")])
        }
        #expect(throws: Failure.self) { try PriceOfferText.offer(" ", of: [offer]) }
    }

    @Test func `an offer that was not accepted as it was made says why`() {
        let reason = [Sentence("offer.otherTerms"), Sentence("offer.otherItem")]
        let text = PriceOfferText.table([Self.offer(state: "over", reason: reason)], .none)
        #expect(text.contains("over: the seller lists it on other terms"), "\(text)")
        #expect(text.hasSuffix("on other terms: It is another item."), "\(text)")
        #expect(text.contains("\nOffer 0f0f0f0f: The seller has not accepted"), "\(text)")
    }
}
