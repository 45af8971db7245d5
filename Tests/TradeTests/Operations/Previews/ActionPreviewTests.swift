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
import TradeSupport

/// What is shown before something is signed, on a development chain: it is the call's own, in
/// money, and signs nothing.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ActionPreviewTests {
    private static let vase = ListingContent(
        title: "vase",
        description: "As it is.",
        category: "things",
        tags: ["thing"],
        price: Money(amount: "1000000", currency: "native"),
        identifier: "vase",
        delivery: "pickup",
        pickupPlace: "The old bridge"
    )

    private static func paid(_ preview: ActionPreview, _ purpose: String) -> String? {
        preview.leaves.first { $0.purpose == purpose }?.amount
    }

    private static func parties(
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address) {
        let (ana, bo) = (
            try await node.account("ana", on: harness), try await node.account("bo", on: harness)
        )
        for name in ["ana", "bo"] { try await node.signIn(name) }
        try await node.market.service.until { $0.health == .following }
        return (ana, bo)
    }

    private static func list(
        _ node: RunningMarket,
        by ana: Address
    ) async throws -> (listing: String, sale: String) {
        let begun = try await node.market.listingPlanner.create(Self.vase, by: ana).begin(
            key: "list"
        )
        let id = try #require(try await node.done(begun).subject)
        let listing = try node.market.listings.listing(id)
        return (id, try #require(listing.anchor?.sale))
    }

    private static func move(
        _ name: String,
        _ sale: String,
        _ node: RunningMarket,
        by account: Address,
        share: UInt64? = nil
    ) async throws {
        let move = Client.SaleMove(move: name, share: share)
        let shown = try await node.market.moves.move(sale, move, by: account).preview()
        #expect(shown.problems.isEmpty && shown.action == name, "\(shown)")
        let begun = try await node.market.moves.move(sale, move, by: account).begin(
            key: "\(name) \(account) \(share ?? 0)",
            feeMax: shown.feeMax
        )
        #expect(begun.feeMax == shown.feeMax && shown.feeMax != nil)
        _ = try await node.done(begun)
    }

    /// - From people: the preview of a call that cannot be signed now: not open, not final, too
    ///   little money → an obstacle of the preview
    @Test func `previews a listing's and a purchase's deposit, cost and proceeds`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let planner = node.market.listingPlanner
                let offer = try await planner.create(Self.vase, by: ana).preview()
                #expect(offer.problems.isEmpty, "\(offer.problems)")
                #expect(Self.paid(offer, "deposit") == "2000000")
                #expect(Self.paid(offer, "fee") == offer.feeMax)
                #expect(offer.comesBack.map(\.amount) == ["2000000", "2980000"])
                #expect(offer.deadline != nil && offer.summary.detail.contains("vase"))
                #expect(
                    offer.explanation.contains { $0.detail.hasPrefix("Marking an item as sent") }
                )
                #expect(offer.warnings.contains { $0.detail.hasPrefix("There is no arbiter") })
                let fee = try #require(offer.feeMax.flatMap { Amount(decimal: $0) })
                #expect(fee > .zero && fee < Amount(small: 1_000_000_000_000_000_000))
                let price = try #require(offer.gasPrice.flatMap { Amount(decimal: $0) })
                let all = try #require(price.multiplied(by: offer.gas ?? 0))
                #expect(all >= fee && price < Amount(small: 1_000_000_000_000))
                let chain = try #require(node.market.markets.all.first)
                let own = try await chain.balance(of: ana, in: .native)
                #expect(offer.balances == [Money(amount: own.decimal, currency: "native")])
                #expect(try node.operations.operations(of: ana, limit: 20).items.isEmpty)

                let (listing, _) = try await Self.list(node, by: ana)
                let purchase = Purchase(listing: listing)
                let shown = try await node.market.purchases.buy(purchase, by: bo).preview()
                #expect(shown.problems.isEmpty, "\(shown.problems)")
                #expect(Self.paid(shown, "price") == "1000000")
                #expect(Self.paid(shown, "deposit") == "1000000")
                #expect(shown.comesBack.first?.amount == "1000000")
                // Of the three, only a refund after the deadline needs nobody else.
                #expect(shown.comesBack.map(\.from) == [nil, shown.deadline?.at, nil])
                #expect(shown.deadline?.consequence.detail.contains("refunded") == true)
                #expect(shown.sale?.title == "vase" && shown.sale?.id == shown.subject)
                #expect(shown.sale?.others == [.init(role: "seller", account: ana.checksummed)])

                let withdrawal = try await planner.withdraw(listing, by: ana).preview()
                #expect(withdrawal.comesBack.map(\.amount) == ["2000000"])
                #expect(withdrawal.feeMax != nil)
                var words = Self.vase
                words.description = "With a crack."
                let edit = try await planner.edit(listing, words, by: ana).preview()
                #expect(edit.leaves.isEmpty && edit.warnings.count == 1)
                #expect(edit.balances.isEmpty && edit.gasPrice == nil)
                let empty = try await node.market.wallets.collect(by: bo).preview()
                #expect(empty.problems.count == 1 && empty.leaves.isEmpty)
            }
        }
    }

    @Test func `a proposal shows what each side gets, and the sale shows its author`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo, sale) = try await Self.paid(node, harness)
                let sales = node.market.sales
                #expect(try await sales.sale(sale, for: bo).escrow?.proposals == [])
                // The same sum as in the preview of the listing: the seller made the token.
                let transfer = Client.SaleMove(move: "transfer")
                let sending = try await node.market.moves.move(sale, transfer, by: ana).preview()
                #expect(sending.comesBack.map(\.amount) == ["2980000"])
                #expect(sending.comesBack[0].from == sending.deadline?.at)

                try await Self.move("propose", sale, node, by: ana, share: 5_000)
                try await Self.untilAgreeable(sale, node, to: bo)
                let shown = try await sales.sale(sale, for: bo)
                let standing = try #require(shown.escrow?.proposals.first)
                #expect(standing.by == ana.checksummed && standing.role == "seller")
                #expect(standing.share == 5_000 && standing.until > Date())
                #expect(shown.actions.first { $0.move == "agree" }?.share == 5_000)

                let other = Client.SaleMove(move: "propose", share: 4_000)
                let proposing = try await node.market.moves.move(sale, other, by: bo).preview()
                #expect(
                    proposing.summary.detail.hasPrefix("You propose"),
                    "\(proposing.summary.detail)"
                )
                #expect(proposing.summary.detail.contains("40 %"))
                #expect(proposing.comesBack.first?.amount == "1600000")
                #expect(
                    proposing.explanation.contains { $0.detail.contains("If the seller agrees") }
                )
                #expect(proposing.sale?.id == sale && proposing.sale?.title == "vase")
                #expect(proposing.sale?.others == [.init(role: "seller", account: ana.checksummed)])
                let again = Client.SaleMove(move: "propose", share: 6_000)
                let replacing = try await node.market.moves.move(sale, again, by: ana).preview()
                #expect(replacing.warnings.first?.detail.contains("50 %") == true)
                let confirm = Client.SaleMove(move: "confirm")
                let ending = try await node.market.moves.move(
                    sale,
                    confirm,
                    by: bo,
                    reason: "Scratched"
                )
                .preview()
                let codes = [
                    "escrow.confirmNotSent", "preview.clearsProposal", "preview.proposalReason",
                ]
                #expect(ending.warnings.prefix(3).map(\.code) == codes)
                #expect(ending.summary.allSatisfy { $0.code != codes[0] })
                let same = Client.SaleMove(move: "agree", share: 5_000)
                let accepting = try await node.market.moves.move(sale, same, by: bo).preview()
                #expect(accepting.summary.detail.hasPrefix("You accept the proposal of the seller"))
                #expect(accepting.comesBack.first?.amount == "1500000")
                // The development chain has one endpoint.
                #expect(accepting.warnings == shown.warnings)
                #expect(!accepting.restsOnOneSource)

                let stranger = try await node.account("cy", on: harness)
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.moves.move(sale, same, by: stranger).preview()
                }
                #expect(refused?.code == .notYourSale)
                try await Self.move("agree", sale, node, by: bo, share: 5_000)
                try await node.settled(sale, "settled", for: ana)
                let credits = try await node.market.wallets.collect(by: bo).preview()
                #expect(credits.comesBack.map(\.amount) == ["1500000"] && credits.feeMax != nil)
                let draft = ReviewDraft(sale: sale, stars: 4, text: "Good.")
                let review = try await node.market.reviews.preview(draft, by: bo)
                #expect(review.summary.detail.contains(ana.checksummed) && review.leaves.isEmpty)
                #expect(review.sale?.title == "vase")
            }
        }
    }

    /// - From people: agreeing to a share that the other side does not propose → move_not_open
    /// - From people: a proposal that would end in less than ten minutes or more than 60 days; a
    ///   time with another move → malformed_value
    @Test func `agrees to the proposed share, and withdraws a proposal`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo, sale) = try await Self.paid(node, harness)
                let sales = node.market.sales
                func refusal(_ move: Client.SaleMove) async -> Refusal? {
                    await #expect(throws: Refusal.self) {
                        try await node.market.moves.move(sale, move, by: bo).begin(key: "\(move)")
                    }
                }
                let agree = Client.SaleMove(move: "agree", share: 5_000)
                let early = await refusal(agree)
                #expect(early?.code == .moveNotOpen && early?.field == "move")
                try await Self.move("propose", sale, node, by: ana, share: 5_000)
                try await Self.untilAgreeable(sale, node, to: bo)
                let wrong = await refusal(Client.SaleMove(move: "agree", share: 4_000))
                #expect(wrong?.code == .moveNotOpen && wrong?.field == "share")
                #expect(wrong?.detail.contains("It proposes 50 % for the seller") == true)
                #expect(wrong?.detail.contains("Nothing was signed") == true)
                let odd = await refusal(Client.SaleMove(move: "confirm", until: 1))
                #expect(odd?.code == .malformedValue && odd?.field == "until")
                for until in [1, .max] as [UInt64] {
                    let never = Client.SaleMove(move: "propose", share: 4_000, until: until)
                    let refused = await refusal(never)
                    #expect(refused?.code == .malformedValue && refused?.field == "until")
                }
                #expect(try node.operations.operations(of: bo, limit: 20).items.count == 1)

                try await Self.move("withdraw_proposal", sale, node, by: ana)
                try await node.until(bo) {
                    let shown = try await sales.sale(sale, for: bo)
                    return shown.escrow?.proposals.isEmpty == true
                        && shown.confirmations == shown.confirmationsNeeded
                }
                let late = await refusal(agree)
                #expect(late?.code == .moveNotOpen)
                let end = UInt64(Date().timeIntervalSince1970) + 7 * 86_400
                let mine = Client.SaleMove(move: "propose", share: 3_000, until: end)
                _ = try await node.done(
                    try await node.market.moves.move(sale, mine, by: bo).begin(key: "mine")
                )
                try await Self.untilAgreeable(sale, node, to: ana)
                let standing = try await sales.sale(sale, for: ana).escrow?.proposals.first
                #expect(standing.map { UInt64($0.until.timeIntervalSince1970) } == end)
                try await Self.move("agree", sale, node, by: ana, share: 3_000)
                try await node.settled(sale, "settled", for: bo)
            }
        }
    }

    /// - From people: a listing that names an arbiter who is not registered, not registered for
    ///   long enough, or only for a higher fee → bad_terms
    @Test func `a listing names an arbiter who accepts it and shows the fee`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let carla = try await node.account("carla", on: harness)
                try await node.signIn("carla")
                let content = Self.vase(arbiter: carla, fee: "5000")
                let planner = node.market.listingPlanner
                func problem() async throws -> Problem? {
                    try await planner.create(content, by: ana).preview().problems.first
                }
                let unknown = try await problem()
                #expect(unknown?.code == "bad_terms" && unknown?.field == "terms.arbiter")
                #expect(unknown?.detail.contains("has not registered as an arbiter") == true)
                let soon = UInt64(Date().timeIntervalSince1970) + 86_400
                try await Self.register("5000", until: soon, node, carla)
                #expect(try await problem()?.field == "terms.offerUntil")
                try await Self.register("5001", until: soon + 90 * 86_400, node, carla)
                #expect(try await problem()?.field == "terms.arbiterFee")
                try await Self.register("5000", until: soon + 90 * 86_400, node, carla)

                let arbiter = ActionPreview.Arbiter(
                    account: carla.checksummed,
                    fee: Money(amount: "5000", currency: "native")
                )
                let offer = try await planner.create(content, by: ana).preview()
                #expect(offer.arbiter == arbiter)
                #expect(offer.explanation.contains { $0.detail.contains(arbiter.account) })
                #expect(try await planner.create(Self.vase, by: ana).preview().arbiter == nil)
                let begun = try await planner.create(content, by: ana).begin(key: "list")
                let listing = try #require(try await node.done(begun).subject)
                let purchase = Purchase(listing: listing)
                #expect(
                    try await node.market.purchases.buy(purchase, by: bo).preview().arbiter
                        == arbiter
                )
            }
        }
    }

    /// - From people: registering as an arbiter until a time that has passed or is more than 3,650
    ///   days ahead, or in a currency that the market does not take → bad_terms
    /// - From people: ending a registration as an arbiter that the account does not have →
    ///   move_not_open
    @Test func `a registration shows its effect, and the account can end it`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await Self.parties(node, harness)
                let arbiters = node.market.arbiters
                #expect(try await arbiters.terms(of: ana.checksummed).isEmpty)
                let until = UInt64(Date().timeIntervalSince1970) + 100 * 86_400
                let chain = harness.market.chain.number
                let wanted = Arbitration(
                    chain: chain,
                    feeMin: "10000000000000000",
                    until: until
                )
                let preview = try await arbiters.register(wanted, by: ana).preview()
                #expect(preview.action == "arbitrate" && preview.problems.isEmpty)
                #expect(preview.summary.detail.contains("0.01 ETH") && preview.feeMax != nil)
                try await Self.register("10000000000000000", until: until, node, ana)
                #expect(try await arbiters.terms(of: ana.checksummed) == [wanted])

                for (bad, field) in [
                    (Arbitration(feeMin: "1", until: 1), "until"),
                    (Arbitration(feeMin: "1", until: until + 3_650 * 86_400), "until"),
                    (Arbitration(feeMin: "x", until: until), "feeMin"),
                    (
                        Arbitration(
                            currency: testKey(7).address.checksummed,
                            feeMin: "1",
                            until: until
                        ), "currency"
                    ),
                ] {
                    let refused = await #expect(throws: Refusal.self) {
                        try await arbiters.register(bad, by: ana).preview()
                    }
                    #expect(refused?.field == field)
                }
                try await Self.register("0", until: 0, node, ana)
                #expect(try await arbiters.terms(of: ana.checksummed).isEmpty)

                // Nothing is left to end, and no fee is paid for ending it.
                let end = Arbitration(feeMin: "0", until: 0)
                let problems = try await arbiters.register(end, by: ana).preview().problems
                #expect(problems.first?.detail.contains("nothing to end") == true)
                let refused = await #expect(throws: Refusal.self) {
                    _ = try await arbiters.register(end, by: ana).begin(key: "again")
                }
                #expect(refused?.code == .moveNotOpen && refused?.field == "until")
            }
        }
    }

    private static func vase(arbiter: Address, fee: String) -> ListingContent {
        var content = vase
        var terms = Client.EscrowTerms()
        (terms.arbiter, terms.arbiterFee) = (arbiter.checksummed, fee)
        content.terms = terms
        return content
    }

    private static func register(
        _ fee: String,
        until: UInt64,
        _ node: RunningMarket,
        _ account: Address
    ) async throws {
        let begun = try await node.market.arbiters.register(
            Arbitration(feeMin: fee, until: until),
            by: account
        ).begin(key: "register \(fee) \(until)")
        _ = try await node.done(begun)
    }

    private static func untilAgreeable(
        _ sale: String,
        _ node: RunningMarket,
        to account: Address
    ) async throws {
        try await node.until(account) {
            let shown = try await node.market.sales.sale(sale, for: account)
            return shown.actions.contains { $0.move == "agree" }
        }
    }

    /// - From people: a call whose agreed fee is below the current fee → fee_above_limit
    @Test func `refuses a call that agrees to less than the fee, and signs nothing`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await Self.parties(node, harness)
                let planner = node.market.listingPlanner
                for (fee, code) in [("1", ProblemCode.feeAboveLimit), ("x", .badAmount)] {
                    let refused = await #expect(throws: Refusal.self) {
                        try await planner.create(Self.vase, by: ana).begin(key: "low", feeMax: fee)
                    }
                    #expect(refused?.code == code && refused?.field == "feeMax")
                }
                #expect(try node.operations.operations(of: ana, limit: 20).items.isEmpty)
            }
        }
    }

    /// A sale that Bo has paid for.
    private static func paid(
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address, sale: String) {
        let (ana, bo) = try await parties(node, harness)
        let (listing, sale) = try await list(node, by: ana)
        let bought = try await node.market.purchases.buy(Purchase(listing: listing), by: bo).begin(
            key: "buy"
        )
        _ = try await node.done(bought)
        try await node.settled(sale, "paid", for: ana)
        return (ana, bo, sale)
    }
}
