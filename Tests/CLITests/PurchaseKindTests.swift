import ArgumentParser
import Client
import Foundation
import Testing

@testable import CLI

/// What people read who use a command for something else than it is for.
struct PurchaseKindTests {
    private static func listing(_ payment: String) -> Listing {
        Listing(
            id: "0x0a." + String(repeating: "7", count: 64),
            record: "0x03",
            author: "0x0a",
            content: ListingContent(
                title: "Print",
                price: Money(amount: "1", currency: "native"),
                payment: payment
            ),
            anchor: nil,
            isAsPromised: nil,
            salePhase: nil,
            createdAt: Date(timeIntervalSince1970: 1_763_700_000),
            firstSeenAt: Date(timeIntervalSince1970: 1_763_700_000)
        )
    }

    /// - From commands: `sale buy`, `sale bid` or `course enrol` for a listing that is bought in
    ///   another way →
    ///   exit 10
    @Test func `refuses a purchase of another kind and names the right command`() throws {
        for (payment, kind, words) in [
            ("escrow", PurchaseKind.buy, "is sold at its price. Buy it: stoa sale buy 777"),
            ("direct", .buy, "is sold at its price. Buy it: stoa sale buy 777"),
            ("auction", .bid, "is sold by auction. Bid for it: stoa sale bid 777"),
            ("enrolment", .enrol, "is a course. Enrol in it: stoa course enrol 777"),
        ] {
            for asked in [PurchaseKind.buy, .bid, .enrol] {
                guard asked != kind else {
                    try asked.require(Self.listing(payment))
                    continue
                }
                let refused = #expect(throws: Failure.self) {
                    try asked.require(Self.listing(payment))
                }
                #expect(refused?.code == .refused)
                #expect(refused?.message.hasPrefix("'Print' \(words)") == true, "\(payment)")
            }
        }
    }

    @Test func `a preview of a bid or an enrolment does not mention a purchase`() throws {
        for (action, command) in [("bid", "stoa sale bid"), ("enrol", "stoa course enrol")] {
            let preview = ActionPreview(action: action, summary: [])
            let refused = #expect(throws: Failure.self) {
                try PurchaseKind.buy.require(preview, listing: "red print")
            }
            #expect(refused?.message.contains("\(command) 'red print'") == true)
        }
        let preview = ActionPreview(action: "buy", summary: [])
        try PurchaseKind.buy.require(preview, listing: "print")
    }

    /// - From commands: a token that the market does not have (`item show`) → exit 10
    @Test func `refuses a token that the market does not have`() throws {
        let refused = #expect(throws: Failure.self) {
            try ItemCommand.Show.require([], token: "99")
        }
        #expect(refused?.code == .refused)
        #expect(refused?.message.contains("The market has no token 99.") == true)
        try ItemCommand.Show.require([], token: nil)
    }

    /// - From commands: a blank search → exit 2
    @Test func `refuses a blank search, but not a search without words`() throws {
        for words in [[""], [" "], ["", "\u{3000}"]] {
            #expect(throws: (any Error).self) { try ListingCommand.Search.parse(words) }
        }
        _ = try ListingCommand.Search.parse([])
        _ = try ListingCommand.Search.parse(["red", ""])
    }

    @Test func `shows the contracts of a chain in one column`() {
        let chain = ChainStatus(
            chain: 1,
            health: "ready",
            detail: nil,
            head: nil,
            headTime: nil,
            item: "0x17",
            contracts: ["escrow", "enrolment"].map {
                ChainStatus.Contract(kind: $0, address: "0x18")
            }
        )
        let lines = ChainCommand.Status.text(chain).split(separator: "\n").dropFirst()
        #expect(lines == ["  item       0x17", "  escrow     0x18", "  enrolment  0x18"])
    }

    @Test(arguments: [
        ("shipTo", "Say with 'shipTo' where.", "Say with --ship-to where."),
        ("sale", "Say with 'shipTo' where.", "Say with --ship-to where."),
        ("acceptsChanges", "It has changed.", "It has changed. The option is --accept-changes."),
        // It has no such option.
        ("terms.arbiter", "It is nobody.", "It is nobody."),
        (
            "share", "Enter the share in basis points.",
            "--share is the seller's part of the price, from 0% to 100%."
        ),
        (
            "auction.minIncrement", "100 to 5000 basis points.",
            "--min-increment must be from 1% to 50%."
        ),
        ("sale", "'sale' is unknown.", "'sale' is unknown."),
    ])
    func `names the option for each field of the API`(field: String, detail: String, text: String) {
        #expect(Self.words(field, detail, typing: "sale buy") == text)
    }

    @Test(arguments: [
        ("listing create", "terms.arbiter", "It is nobody.", " The option is --arbiter."),
        ("listing create", "pickupPlace", "It is far.", " The option is --pickup-place."),
        ("listing create", "terms.shipSeconds", "It is short.", " The option is --ship-time."),
        ("draft publish", "pickupPlace", "It is far.", ""),
        ("draft", "pickupPlace", "It is far.", ""),
    ])
    func `names an option only if the command has it`(
        command: String,
        field: String,
        detail: String,
        option: String
    ) {
        #expect(Self.words(field, detail, typing: command) == detail + option)
    }

    private static func words(_ field: String, _ detail: String, typing command: String) -> String {
        let problem = Problem(
            type: "about:blank",
            title: "Malformed",
            status: 400,
            detail: detail,
            code: "malformed_value",
            field: field
        )
        let words = command.split(separator: " ").map(String.init)
        return ProblemText.words(problem, arguments: words + ["bicycle"])
    }
}
