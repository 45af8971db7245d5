import AccountAccess
import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade
import TradeSupport

/// Changes of the price of a listing that is on sale, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RepricingTests {
    private static func thing(
        _ title: String,
        at price: UInt64,
        _ payment: String = "escrow"
    ) -> ListingContent {
        var content = SaleExitsTests.thing(title)
        (content.price.amount, content.payment) = ("\(price)", payment)
        return content
    }

    /// Begins a change of the price to 2000000 while Ana is signed out, so that nothing is signed.
    private static func repriceSignedOut(
        _ listing: String,
        _ node: RunningMarket,
        by ana: Address
    ) async throws -> Client.Operation {
        let session = try await node.accounts.signIn(
            SignIn(account: "ana", password: "correct horse")
        )
        let id = Keccak256.hash(session.token.utf8)
        await node.accounts.signOut(id, everySession: true)
        var content = try node.market.listings.listing(listing).content
        content.price.amount = "2000000"
        return try await node.market.listingPlanner.edit(listing, content, by: ana).begin(
            key: "price"
        )
    }

    /// Signs Ana in, and returns an operation once it has ended.
    private static func ended(
        _ begun: Client.Operation,
        _ node: RunningMarket,
        by ana: Address
    ) async throws -> Client.Operation {
        try await node.signIn("ana")
        var last = begun
        try await node.until(ana) {
            last = try node.operations.entry(begun.id, account: ana).operation
            return !last.isRunning
        }
        return last
    }

    /// Sets another price, and returns the listing and its new sale.
    @discardableResult
    private static func reprice(
        _ listing: String,
        to price: UInt64,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> (listing: Client.Listing, sale: String) {
        let (listings, planner) = (node.market.listings, node.market.listingPlanner)
        var content = try listings.listing(listing).content
        content.price.amount = "\(price)"
        let count = try node.operations.operations(of: account, limit: 99).items.count
        let key = "price \(count)"
        let begun = try await planner.edit(listing, content, by: account).begin(key: key)
        _ = try await node.done(begun)
        let shown = try listings.listing(listing)
        return (shown, try #require(shown.anchor?.sale))
    }

    @Test func `another price lists the same token again for the same listing`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let lamp = Self.thing("lamp", at: 1_000_000)
                let (id, first) = try await SaleExitsTests.list(lamp, node, by: ana)
                let token = try await node.market.sales.sale(first, for: ana).item

                let (changed, second) = try await Self.reprice(id, to: 600_000, node, by: ana)
                #expect(changed.id == id && second != first)
                #expect(changed.state == "open" && changed.isAsPromised == true)
                #expect(changed.price?.amount == "600000")
                #expect(changed.content.price.amount == "600000")
                #expect(changed.content.terms?.sellerDeposit == "1200000")
                let sales = node.market.sales
                let now = try await sales.sale(second, for: ana)
                #expect(now.item == token && now.listing == id && now.listedAgain == nil)
                let old = try await sales.sale(first, for: ana)
                #expect(old.phase == "aborted" && old.listing == id)
                #expect(old.listedAgain?.sale == second)
                #expect(old.listedAgain?.price.amount == "600000")
                #expect(old.status.code == "standing.listedAgain")
                #expect(try await node.market.wallets.wallet(of: ana).credits.isEmpty)

                // A purchase as it was shown before does not pay the new price.
                let stale = Purchase(listing: id, sale: first)
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(stale, by: bo).begin(key: "stale")
                }
                #expect(refused?.code == .notAsPromised)
                // Back and forth: no two sales have one id.
                let third = try await Self.reprice(id, to: 1_000_000, node, by: ana).sale
                let fourth = try await Self.reprice(id, to: 600_000, node, by: ana).sale
                #expect(Set([first, second, third, fourth]).count == 4)
                try await SaleExitsTests.buy(id, fourth, node, by: bo)
                #expect(try await sales.sale(third, for: ana).listedAgain?.sale == fourth)
                // Each earlier one names the one that replaced it, with the price of that.
                for (sale, next, price) in [
                    (first, second, "600000"), (second, third, "1000000"),
                    (third, fourth, "600000"),
                ] {
                    let shown = try await sales.sale(sale, for: ana)
                    #expect(shown.listedAgain?.sale == next && shown.listing == id)
                    #expect(shown.listedAgain?.price.amount == price)
                }
                try await node.settled(fourth, "paid", for: ana)
                let rows = try await sales.sales(of: ana, limit: 20).items
                #expect(rows.map(\.id) == [fourth])
                let row = try #require(rows.first)
                #expect(row.own == "seller" && row.title == lamp.title)
                #expect(row.other?.account == bo.checksummed && row.isOwnTurn)
                #expect(row.turn.values["task"] == "turn.toHandOver")
                let all = try await sales.sales(of: ana, showsReplaced: true, limit: 20).items
                #expect(Set(all.map(\.id)) == [first, second, third, fourth])
                let bought = try await sales.sales(of: bo, limit: 20).items
                #expect(bought.map(\.own) == ["buyer"])
                #expect(bought.first?.other?.account == ana.checksummed)
            }
        }
    }

    @Test func `the preview names both deposits and needs no money for two`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                // Of ten ether, eight are deposited: the balance alone could not pay a second deposit.
                let ether: UInt64 = 1_000_000_000_000_000_000
                let lamp = Self.thing("lamp", at: 4 * ether)
                let (id, _) = try await SaleExitsTests.list(lamp, node, by: ana)
                var content = try node.market.listings.listing(id).content
                content.price.amount = "\(4 * ether + ether / 2)"
                let preview = try await node.market.listingPlanner.edit(id, content, by: ana)
                    .preview()
                #expect(preview.problems.isEmpty, "\(preview.problems)")
                #expect(preview.action == "edit" && preview.subject == id)
                #expect(preview.summary.map(\.code) == ["preview.reprice"])
                #expect(preview.leaves.map(\.purpose) == ["deposit", "fee"])
                #expect(preview.leaves.first?.amount == "9000000000000000000")
                #expect(preview.comesBack.contains { $0.when.code == "back.reprice" })
                let codes = preview.explanation.map(\.code)
                #expect(
                    codes.starts(with: [
                        "preview.repriceSteps", "preview.repriceDeposit", "preview.repriceRace",
                        "preview.repriceKeeps",
                    ]),
                    "\(codes)"
                )
                #expect(preview.explanation.first?.detail.contains("4 transactions") == true)
                try await Self.reprice(id, to: 4 * ether + ether / 2, node, by: ana)
                // More than there is is refused before anything is withdrawn.
                content = try node.market.listings.listing(id).content
                content.price.amount = "\(6 * ether)"
                let tooMuch = try await node.market.listingPlanner.edit(id, content, by: ana)
                    .preview()
                #expect(tooMuch.problems.map(\.code) == ["insufficient_balance"])
                let reason = tooMuch.problems.first?.reason?.first
                #expect(reason?.code == "refusal.insufficientReturned")
                let returned = reason?.values["returned"]
                #expect(returned?.hasPrefix("9") == true, "\(returned ?? "")")
            }
        }
    }

    /// - From people: another price for what is sold or has a bid → move_not_open
    /// - From people: another price for an auction without a bid → bad_terms
    @Test func `a price stands once somebody has paid or bid`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let planner = node.market.listingPlanner
                let lamp = Self.thing("lamp", at: 1_000_000)
                let (sold, sale) = try await SaleExitsTests.list(lamp, node, by: ana)
                let print = Self.thing("print", at: 1_000_000, "auction")
                let (bid, auction) = try await SaleExitsTests.list(print, node, by: ana)
                func refusal(_ id: String, _ content: ListingContent) async -> Refusal? {
                    var content = content
                    content.price.amount = "2000000"
                    let other = content
                    return await #expect(throws: Refusal.self) {
                        try await planner.edit(id, other, by: ana).begin(key: "price")
                    }
                }
                let fixed = await refusal(bid, print)
                #expect(fixed?.code == .badTerms && fixed?.field == "price.amount")
                #expect(fixed?.reason?.map(\.code) == ["refusal.priceFixed"])

                try await SaleExitsTests.buy(sold, sale, node, by: bo)
                let begun = try await node.market.purchases.buy(
                    Purchase(listing: bid, bid: "1000000"),
                    by: bo
                ).begin(key: "bid")
                _ = try await node.done(begun)
                try await node.settled(auction, "bid", for: bo)
                for (id, content, code) in [
                    (sold, lamp, "refusal.priceSold"), (bid, print, "refusal.priceHasBid"),
                ] {
                    let refused = await refusal(id, content)
                    #expect(refused?.code == .moveNotOpen)
                    #expect(refused?.reason?.first?.code == code)
                }
            }
        }
    }

    /// - From people: another price for pieces of which somebody buys one meanwhile → move_not_open,
    ///   with the command that sets the price of the others
    @Test func `a purchase of a piece names the command for the others`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                var vases = Self.thing("vase", at: 1_000_000, "direct")
                vases.pieces = 2
                let (id, _) = try await SaleExitsTests.list(vases, node, by: ana)
                let begun = try await Self.repriceSignedOut(id, node, by: ana)
                let shown = try await node.market.purchases.buy(Purchase(listing: id), by: bo)
                    .preview()
                let sale = try #require(shown.subject)
                let bought = try await node.market.purchases.buy(
                    Purchase(listing: id, sale: sale),
                    by: bo
                ).begin(
                    key: "buy"
                )
                _ = try await node.done(bought)
                try await node.settled(sale, "sold", for: bo)
                let last = try await Self.ended(begun, node, by: ana)
                #expect(last.state == .failed && last.problem?.code == "move_not_open")
                #expect(last.problem?.reason?.map(\.code) == ["refusal.pieceSoldMeanwhile"])
                #expect(last.problem?.detail.contains("stoa listing edit \(id) --price") == true)
            }
        }
    }

    /// - From people: another price for what somebody buys meanwhile at the old one → move_not_open,
    ///   and nothing is listed again
    @Test func `a purchase that comes first stands, and nothing is listed again`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let vase = Self.thing("vase", at: 1_000_000, "direct")
                let (id, sale) = try await SaleExitsTests.list(vase, node, by: ana)
                let begun = try await Self.repriceSignedOut(id, node, by: ana)
                let bought = try await node.market.purchases.buy(Purchase(listing: id), by: bo)
                    .begin(
                        key: "buy"
                    )
                _ = try await node.done(bought)
                try await node.settled(sale, "sold", for: bo)
                let last = try await Self.ended(begun, node, by: ana)
                #expect(last.state == .failed && last.problem?.code == "move_not_open")
                #expect(last.problem?.reason?.first?.code == "refusal.soldBeforePrice")
                let shown = try await node.market.sales.sale(sale, for: ana)
                #expect(shown.phase == "sold" && shown.listedAgain == nil)
                #expect(try await node.market.sales.sales(of: ana, limit: 9).items.count == 1)
            }
        }
    }

    /// - From people: a change of a listing whose price is being changed → in_progress
    @Test func `one change of a price is under way at a time`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let (listings, planner) = (node.market.listings, node.market.listingPlanner)
                let vase = Self.thing("vase", at: 1_000_000, "direct")
                let (id, _) = try await SaleExitsTests.list(vase, node, by: ana)
                let content = try listings.listing(id).content
                try await harness.dev.control("evm_setIntervalMining", "[0]")
                try await harness.dev.control("evm_setAutomine", "[false]")
                var dearer = content
                dearer.price.amount = "2000000"
                let begun = try await planner.edit(id, dearer, by: ana).begin(key: "dearer")
                for change in [
                    { $0.description = "As good as new." }, { $0.price.amount = "3000000" },
                ] as [(inout ListingContent) -> Void] {
                    var other = content
                    change(&other)
                    let changed = other
                    let refused = await #expect(throws: Refusal.self) {
                        try await planner.edit(id, changed, by: ana).begin(key: "other")
                    }
                    #expect(refused?.code == .inProgress)
                    #expect(refused?.detail.contains(begun.id) == true)
                }
                let kept = await #expect(throws: Refusal.self) {
                    try await planner.withdraw(id, by: ana).begin(key: "withdraw")
                }
                #expect(kept?.code == .inProgress)
                try await harness.dev.control("evm_setIntervalMining", "[0.2]")
                _ = try await node.done(begun)
                #expect(try listings.listing(id).price?.amount == "2000000")
            }
        }
    }

    /// - From people: of two changes of one price at once, the second → in_progress
    /// - From people: another listing of a token that is in the account's own sale → bad_listing
    @Test func `a second change is refused for the first, not its identifier`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let planner = node.market.listingPlanner
                let (id, sale) = try await SaleExitsTests.list(
                    Self.thing("lamp", at: 1_000_000),
                    node,
                    by: ana
                )
                let content = try node.market.listings.listing(id).content
                let answers = await withTaskGroup(of: Result<Client.Operation, any Error>.self) {
                    group in
                    for price in ["2000000", "3000000"] {
                        var other = content
                        other.price.amount = price
                        let changed = other
                        group.addTask {
                            do {
                                let edit = try planner.edit(id, changed, by: ana)
                                return .success(try await edit.begin(key: "to \(price)"))
                            } catch { return .failure(error) }
                        }
                    }
                    var answers: [Result<Client.Operation, any Error>] = []
                    for await answer in group { answers.append(answer) }
                    return answers
                }
                var refusals: [Refusal] = []
                for answer in answers {
                    switch answer {
                    case .success(let begun): _ = try await node.done(begun)
                    case .failure(let error): refusals.append(try #require(error as? Refusal))
                    }
                }
                #expect(refusals.map(\.code) == [.inProgress])
                let reason = refusals.first?.reason?.first?.code
                // The first may have been written down by then, or be about to be.
                #expect(["refusal.beingChanged", "refusal.beingStarted"].contains(reason))
                #expect(refusals.first?.field == nil)

                var again = Self.thing("another lamp", at: 1_000_000)
                again.item = try await node.market.sales.sale(sale, for: ana).item
                let changed = again
                let own = await #expect(throws: Refusal.self) {
                    try await planner.create(changed, by: ana).begin(key: "again")
                }
                #expect(own?.code == .badListing)
                #expect(own?.reason?.first?.code == "refusal.tokenInOwnSale")
            }
        }
    }

    @Test func `a withdrawn sale is listed again without a second withdrawal`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let lamp = Self.thing("lamp", at: 1_000_000)
                let (id, first) = try await SaleExitsTests.list(lamp, node, by: ana)
                try await SaleExitsTests.move("abort", first, node, by: ana)
                try await node.settled(first, "aborted", for: ana)
                var content = try node.market.listings.listing(id).content
                content.price.amount = "500000"
                let preview = try await node.market.listingPlanner.edit(id, content, by: ana)
                    .preview()
                #expect(preview.problems.isEmpty)
                #expect(preview.explanation.first?.code == "preview.repriceEnded")
                let (changed, _) = try await Self.reprice(id, to: 500_000, node, by: ana)
                #expect(changed.state == "open" && changed.price?.amount == "500000")
            }
        }
    }
}
