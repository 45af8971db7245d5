import Client
import Contracts
import Keys
import Market
import Node
import Support
import Testing

/// As ``TradeCrashTests``: the other ways out of a sale, tokens, and transactions that come to
/// nothing.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExitCrashTests {
    private static let ten = "10000000000000000000"
    /// Of the development chain's own accounts, which it signs for.
    private static let chainPhrase = "test test test test test test test test test test test junk"

    /// Of a price of 0.5, half of it settled upon, the seller gains 0.25 less 0.005; who gives the
    /// money back pays 0.01; of a million units the seller gains all but 20,000.
    @Test func `every way out ends right when the node stops after every step`() async throws {
        let token = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 6)
        try await TradeRig.scoped(tokens: [token]) { rig in
            let folder = try TemporaryFolder()
            var town = try await CrashTown(rig: rig, folder: folder)
            let people = try await town.settle(["ana", "bo"])
            let money = try #require(rig.market.tokens.first)
            for person in people { try await town.mint(3_000_000, for: person) }
            let clock = CrashTown.thing("clock", "1000000", in: money.checksummed)
            try await town.run { [town] node in
                for title in ["vase", "desk"] {
                    let thing = CrashTown.list(CrashTown.thing(title))
                    _ = try await town.done("ana", on: node, thing)
                    _ = try await town.done("bo", on: node, CrashTown.buy(title))
                }
                _ = try await town.done("ana", on: node, CrashTown.move("transfer", "vase"))
            }
            try await town.crash("bo", CrashTown.move("dispute", "vase"))
            try await town.crash("ana", CrashTown.move("settle", "vase", share: 5_000))
            try await town.crash("bo", CrashTown.move("settle", "vase", share: 5_000))
            try await town.crash("ana", CrashTown.move("refund", "desk"))
            try await town.crash("ana", transactions: 2, CrashTown.list(clock))
            try await town.crash("bo", transactions: 2, CrashTown.buy("clock"))
            try await town.run { [town] node in
                _ = try await town.done("bo", on: node, CrashTown.move("confirm", "clock"))
                _ = try await town.done("bo", on: node, CrashTown.collect)
            }
            try await town.crash("ana", transactions: 2, CrashTown.collect)
            try await town.run { [town] node in
                let ana = try await town.signedIn("ana", on: node)
                let phases = try await ana.sales().items.map(\.phase)
                #expect(phases.sorted() == ["complete", "refunded", "settled"])
            }

            #expect(town.stops == 4 * 5 + 3 * 9)
            let books = try await ChainBooks(of: rig)
            for person in people { #expect(books.count(of: person) == (9, 0)) }
            #expect(
                books.events == [
                    "Listed": 3, "Bought": 3, "ItemTransferred": 1, "Disputed": 1,
                    "SettlementProposed": 1, "Ended": 3, "Credited": 10, "Withdrawn": 4,
                ]
            )
            let ends = [
                (people[0], "10235000000000000000", "3980000"),
                (people[1], "9760000000000000000", "2000000"),
                (rig.market.escrow, "5000000000000000", "20000"),
            ]
            for (account, native, tokens) in ends {
                #expect(try await books.balanceWithoutFees(of: account) == native)
                #expect(try await books.balance(of: money, for: account) == tokens)
            }
        }
    }

    @Test func `who buys too late has paid nothing, wherever the node stops`() async throws {
        try await TradeRig.scoped { rig in
            let folder = try TemporaryFolder()
            var town = try await CrashTown(rig: rig, folder: folder)
            let people = try await town.settle(["ana", "bo", "cy", "dee"])
            try await town.run { [town] node in
                for title in ["vase", "desk"] {
                    let thing = CrashTown.list(CrashTown.thing(title))
                    _ = try await town.done("ana", on: node, thing)
                }
            }

            // Cy's purchase is in the journal before Bo's, but cannot be signed.
            let late = try await town.begin("cy", CrashTown.buy("vase"))
            try await town.run { [town] node in
                _ = try await town.done("bo", on: node, CrashTown.buy("vase"))
            }
            try await town.stop(after: .refused) { [town] node in
                _ = try await town.signedIn("cy", on: node)
            }

            // Both purchases are on their way when the first is mined.
            var acts: [CrashTown.Act] = []
            try await town.run { [town] node in
                for person in ["bo", "dee"] {
                    acts.append(try await town.sent(person, on: node, CrashTown.buy("desk")))
                }
            }
            try await town.mine(CrashTown.confirmations)
            try await town.stop(after: .reverted)

            try await town.run { [town] node in
                let states = [
                    try await town.end(of: late, on: node),
                    try await town.end(of: acts[0], on: node),
                    try await town.end(of: acts[1], on: node),
                ]
                #expect(states.map(\.state) == ["failed", "done", "failed"])
                let code = ProblemCode.listingGone.rawValue
                #expect(states.map { $0.problem?.code } == [code, nil, code])
            }
            let books = try await ChainBooks(of: rig)
            let counts = [(2, 0), (2, 0), (0, 0), (0, 1)]
            let ends = ["8", "8", "10", "10"].map { $0 + "000000000000000000" }
            for (person, (count, end)) in zip(people, zip(counts, ends)) {
                #expect(books.count(of: person) == count)
                #expect(try await books.balanceWithoutFees(of: person) == end)
            }
            #expect(books.events == ["Listed": 2, "Bought": 2])
        }
    }

    @Test func `a transaction whose block goes is sent again as it was`() async throws {
        try await TradeRig.scoped { rig in
            let folder = try TemporaryFolder()
            var town = try await CrashTown(rig: rig, folder: folder)
            let people = try await town.settle(["ana"])
            var act = try await town.begin("ana", CrashTown.list(CrashTown.thing("vase")))
            try await town.sign(&act)
            try await town.send()
            try await rig.dev.control("evm_reorg", "[1, false]")
            try await town.stop(after: .unmined)
            try await town.run { [town] _ in
                try await CrashTown.until("it is sent again") {
                    let text = people[0].checksummed
                    let count = try await town.rig.dev.control(
                        "eth_getTransactionCount",
                        #"["\#(text)", "pending"]"#
                    )
                    return count.contains(#""0x1""#)
                }
            }
            try await town.mine()
            try await town.stop(after: .mined)
            try await town.mine(CrashTown.confirmations - 1)
            try await town.stop(after: .final)
            let listed = act
            try await town.run { [town] node in
                let end = try await town.end(of: listed, on: node)
                #expect(end.state == "done")
            }
            let books = try await ChainBooks(of: rig)
            #expect(books.count(of: people[0]) == (1, 0))
            #expect(books.events == ["Listed": 1])
            #expect(
                try await books.balanceWithoutFees(of: people[0]) == "9" + Self.ten.dropFirst(2)
            )
        }
    }

    @Test(arguments: [SignedAttempt.Kind.speedUp, .cancel])
    func `of a transaction and its replacement one is mined`(
        kind: SignedAttempt.Kind
    ) async throws {
        try await TradeRig.scoped { rig in
            let folder = try TemporaryFolder()
            var town = try await CrashTown(rig: rig, folder: folder)
            let people = try await town.settle(["ana"])
            var act = try await town.begin("ana", CrashTown.list(CrashTown.thing("vase")))
            try await town.sign(&act)
            try await town.stop(after: .broadcast)
            let id = try #require(act.id)
            try await town.stop(after: .signed) { [town] node in
                let ana = try await town.signedIn("ana", on: node)
                _ =
                    if kind == .cancel { try await ana.cancel(operation: id) } else {
                        try await ana.speedUp(operation: id)
                    }
            }
            try await town.send()
            try await town.mine(CrashTown.confirmations - 1)
            try await town.stop(after: kind == .cancel ? .cancelled : .final)
            try await town.run { [town, act] node in
                let end = try await town.end(of: act, on: node)
                #expect(end.state == (kind == .cancel ? "failed" : "done"))
            }
            let books = try await ChainBooks(of: rig)
            #expect(books.count(of: people[0]) == (1, 0))
            #expect(books.events == (kind == .cancel ? [:] : ["Listed": 1]))
            let end = kind == .cancel ? Self.ten : "9" + Self.ten.dropFirst(2)
            #expect(try await books.balanceWithoutFees(of: people[0]) == end)
        }
    }

    @Test func `where the key is used elsewhere nothing is signed before its owner knows`()
        async throws
    {
        try await TradeRig.scoped { rig in
            let folder = try TemporaryFolder()
            var town = try await CrashTown(rig: rig, folder: folder)
            let person = try await town.settle("ana", phrase: Self.chainPhrase)
            var act = try await town.begin("ana", CrashTown.list(CrashTown.thing("vase")))
            try await town.sign(&act)
            let text = person.checksummed
            try await rig.dev.control(
                "eth_sendTransaction",
                #"[{"from":"\#(text)","to":"\#(rig.market.fees.platform.checksummed)"}]"#
            )
            try await town.mine(CrashTown.confirmations)
            try await town.stop(after: .nonceLost)
            try await town.run { [town, act] node in
                let ana = try await town.signedIn("ana", on: node)
                let id = try #require(act.id)
                try await CrashTown.until("the account's owner is told") {
                    let phases = try await ana.operation(id).phases
                    return phases.contains { $0.detail?.contains("used elsewhere") == true }
                }
                try await town.mine(CrashTown.confirmations)
                #expect(try await ana.operation(id).isRunning)
            }
            #expect(try await ChainBooks(of: rig).count(of: person) == (1, 0))

            try await town.stop(after: .foreignAcknowledged) { [town] node in
                try await town.signedIn("ana", on: node).acknowledgeForeignUse()
            }
            try await town.sign(&act)
            try await town.send()
            try await town.mine(CrashTown.confirmations - 1)
            try await town.stop(after: .final)
            try await town.run { [town, act] node in
                let end = try await town.end(of: act, on: node)
                #expect(end.state == "done")
            }
            let books = try await ChainBooks(of: rig)
            #expect(books.count(of: person) == (2, 0))
            #expect(books.events == ["Listed": 1])
        }
    }
}
