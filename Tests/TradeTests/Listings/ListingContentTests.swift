import Answers
import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import Trade

/// What people may write in a listing, and what they are told where they may not.
struct ListingContentTests {
    private static let time = ChainTime(seconds: 1_763_700_000)
    private static let seller = testKey(1).address

    private let market: SaleIndex

    init() throws {
        let deployment = DeployedMarket(tokens: [testKey(4).address])
        market = SaleIndex(deployment: deployment, confirmations: 1, clock: ManualClock())
    }

    static let bicycle = ListingContent(
        title: "Red bicycle",
        description: "Ridden for two summers.",
        category: "vehicles",
        tags: ["bicycle"],
        price: Money(amount: "50000", currency: "native"),
        identifier: "WTU-123 456"
    )

    private func listing(
        _ change: (inout ListingContent) -> Void = { _ in }
    ) throws -> Market.Listing {
        var content = Self.bicycle
        change(&content)
        return try content.listing(in: market, seller: Self.seller, at: Self.time)
    }

    @Test func `omitted fields get the market's defaults`() throws {
        let listing = try listing()
        let standard = try Market.EscrowTerms.standard(
            price: Amount(small: 50_000),
            currency: .native,
            form: .goods,
            now: Self.time
        )

        #expect(listing.terms == .escrow(standard))
        #expect(listing.identifier.text == "wtu123456")
    }

    @Test func `shows a listing with all its fields unchanged`() throws {
        var wanted = Client.EscrowTerms()
        wanted.latePenalty = "2500"
        wanted.shipSeconds = 172_800
        let content = try listing {
            $0.shipsTo = ["de", "FR"]
            $0.terms = wanted
        }

        let shown = ListingContent(content)

        #expect(shown.shipsTo == ["DE", "FR"])
        #expect(shown.terms?.latePenalty == "2500")
        #expect(shown.terms?.shipSeconds == 172_800)
        #expect(ListingContent(try listing()).shipsTo.isEmpty)
    }

    /// - From people: an invalid amount → bad_amount
    /// - From people: an item that cannot be listed → bad_listing, bad_amount, bad_terms,
    ///   bad_address
    @Test(arguments: [
        ("title", ProblemCode.badListing), ("tags", .badListing), ("price.amount", .badAmount),
        ("price.currency", .badAddress), ("shipsTo", .badListing), ("delivery", .badListing),
        ("type", .badListing), ("payment", .badListing), ("pickupPlace", .badListing),
        ("terms.sellerDeposit", .badTerms), ("terms.shipSeconds", .badTerms),
        ("terms.arbiter", .badAddress), ("terms.offerUntil", .badTerms), ("price", .badTerms),
        ("identifier", .badListing), ("category", .badListing), ("curriculum", .badListing),
    ])
    func `refuses an invalid listing and names the field`(field: String, code: ProblemCode) {
        let refusal = #expect(throws: Refusal.self) {
            _ = try listing { Self.spoil(field, of: &$0) }
        }

        #expect(refusal?.code == code)
        #expect(refusal?.field == field)
    }

    @Test(arguments: Market.EscrowTerms.Term.allCases)
    func `names a refused term by its API field`(term: Market.EscrowTerms.Term) throws {
        var content = Self.bicycle
        content.terms = Client.EscrowTerms(
            try .standard(
                price: Amount(small: 50_000),
                currency: .native,
                form: .goods,
                now: Self.time
            )
        )
        content.terms?.arbiter = Self.seller.checksummed
        content.terms?.buyer = Self.seller.checksummed
        let json = try WireCoding.encoder().encode(content)
        var value = try JSONSerialization.jsonObject(with: json) as Any?
        let field = try #require(term.refusal.field)
        for name in field.split(separator: ".") {
            value = (value as? [String: Any])?[String(name)]
        }

        #expect(value != nil, "\(field)")
    }

    /// - From people: a title with blanks at either end, several lines or invisible characters →
    ///   bad_listing
    @Test(arguments: [
        ("Red\nbicycle", "more than one line"), (" Red", "begins or ends with a blank"),
        ("Red ", "begins or ends with a blank"), ("Red\u{202E}", "invisible one"),
        ("Red\u{7}", "control character"),
    ])
    func `refuses an invalid title with the reason`(title: String, words: String) {
        let refusal = #expect(throws: Refusal.self) { _ = try listing { $0.title = title } }
        #expect(refusal?.field == "title" && refusal?.detail.contains(words) == true)
    }

    /// - From people: a currency that is neither `native` nor an address → bad_address
    @Test func `refuses an invalid currency or amount with its own message`() {
        let currency = #expect(throws: Refusal.self) {
            _ = try listing { $0.price.currency = "dollar" }
        }
        #expect(currency?.detail.contains("'dollar' is not a currency: write 'native'") == true)
        let amount = #expect(throws: Refusal.self) { _ = try listing { $0.price.amount = "-1" } }
        #expect(amount?.detail.contains("without a sign, point or exponent") == true)
    }

    /// Writes something in a field that is refused with its name.
    static func spoil(_ field: String, of content: inout ListingContent) {
        content.terms = Client.EscrowTerms()
        switch field {
        case "title": content.title = ""
        case "tags": content.tags = ["a", "a"]
        case "price.amount": content.price.amount = "1.5"
        case "price.currency": content.price.currency = "dollar"
        case "price": content.price.amount = "0"
        case "shipsTo": content.shipsTo = ["Atlantis"]
        case "delivery": content.delivery = "pigeon"
        case "type": content.type = "service"
        case "payment": content.payment = "cash"
        case "pickupPlace": content.delivery = "pickup"
        case "terms.sellerDeposit": content.terms?.sellerDeposit = "1"
        case "terms.shipSeconds": content.terms?.shipSeconds = .max
        case "terms.arbiter": content.terms?.arbiter = "me"
        case "terms.offerUntil": content.terms?.offerUntil = 1
        case "identifier": content.identifier = "--"
        case "category": content.category = "Vehicles!"
        case "curriculum": content.curriculum = [Client.CurriculumSession(title: "Riding")]
        default: Issue.record("no such field")
        }
    }
}
