import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing
import TradeSupport

/// As ``TradeCrashTests``: the other ways out of a sale, tokens, and transactions that come to
/// nothing.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ExitCrashTests {
    private static let ten = "10000000000000000000"
    /// Of the development chain's own accounts, which it signs for.
    private static let chainPhrase = "test test test test test test test test test test test junk"

    /// Of a price of 0.5, half of it settled upon, the seller gains 0.25 less 0.005; to decline costs
    /// nothing; of a million units the seller gains all but 20,000.
    @Test func `every exit completes even if the node stops after each step`() async throws {
        let token = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 6)
        try await CrashHarness.scoped(["ana", "bo"], tokens: [token]) { crashHarness, people in
            let money = try #require(crashHarness.harness.market.tokens.first?.address)
            for person in people { try await crashHarness.mint(3_000_000, for: person) }
            let clock = CrashHarness.thing("clock", "1000000", in: money.checksummed)
            try await crashHarness.run { [crashHarness] node in
                for title in ["vase", "desk"] {
                    let thing = CrashHarness.list(CrashHarness.thing(title))
                    _ = try await crashHarness.done("ana", on: node, thing)
                    _ = try await crashHarness.done("bo", on: node, CrashHarness.buy(title))
                }
                _ = try await crashHarness.done(
                    "ana",
                    on: node,
                    CrashHarness.move("transfer", "vase")
                )
            }
            try await crashHarness.crash("bo", CrashHarness.move("dispute", "vase"))
            try await crashHarness.crash("ana", CrashHarness.move("propose", "vase", share: 5_000))
            try await crashHarness.crash("bo", CrashHarness.move("agree", "vase", share: 5_000))
            try await crashHarness.crash("ana", CrashHarness.move("decline", "desk"))
            try await crashHarness.crash("ana", transactions: 2, CrashHarness.list(clock))
            try await crashHarness.crash("bo", transactions: 2, CrashHarness.buy("clock"))
            try await crashHarness.run { [crashHarness] node in
                _ = try await crashHarness.done(
                    "bo",
                    on: node,
                    CrashHarness.move("confirm", "clock")
                )
                _ = try await crashHarness.done("bo", on: node, CrashHarness.collect)
            }
            try await crashHarness.crash("ana", transactions: 2, CrashHarness.collect)
            try await crashHarness.run { [crashHarness] node in
                let ana = try await crashHarness.signedIn("ana", on: node)
                let phases = try await ana.sales().items.map(\.phase)
                #expect(phases.sorted() == ["complete", "declined", "settled"])
            }

            #expect(crashHarness.stops == 4 * 5 + 3 * 9)
            let books = try await ChainBooks(of: crashHarness.harness)
            #expect(books.count(of: people[0]) == (10, 0))
            #expect(books.count(of: people[1]) == (9, 0))
            #expect(
                books.events == [
                    "Listed": 3, "Bought": 3, "ItemTransferred": 1, "Disputed": 1,
                    "Proposed": 1, "Ended": 3, "Credited": 10, "Withdrawn": 4,
                ]
            )
            let ends = [
                (people[0], "10245000000000000000", "3980000"),
                (people[1], "9750000000000000000", "2000000"),
                (crashHarness.harness.market.escrow, "5000000000000000", "20000"),
            ]
            for (account, native, tokens) in ends {
                #expect(try await books.balanceWithoutFees(of: account) == native)
                #expect(try await books.balance(of: money, for: account) == tokens)
            }
        }
    }

    /// - From people: a purchase that is mined after another one → listing_gone; only the network
    ///   fee is spent, and only if it was signed
    @Test func `a late buyer pays nothing, wherever the node stops`() async throws {
        try await CrashHarness.scoped(["ana", "bo", "cy", "dee"]) { crashHarness, people in
            try await crashHarness.run { [crashHarness] node in
                for title in ["vase", "desk"] {
                    let thing = CrashHarness.list(CrashHarness.thing(title))
                    _ = try await crashHarness.done("ana", on: node, thing)
                }
            }

            // Cy's purchase is in the journal before Bo's, but cannot be signed.
            let late = try await crashHarness.begin("cy", CrashHarness.buy("vase"))
            try await crashHarness.run { [crashHarness] node in
                _ = try await crashHarness.done("bo", on: node, CrashHarness.buy("vase"))
            }
            try await crashHarness.stop(after: .refused) { [crashHarness] node in
                _ = try await crashHarness.signedIn("cy", on: node)
            }

            // Both purchases are on their way when the first is mined.
            var acts: [CrashHarness.PendingCall] = []
            try await crashHarness.run { [crashHarness] node in
                for person in ["bo", "dee"] {
                    acts.append(
                        try await crashHarness.sent(person, on: node, CrashHarness.buy("desk"))
                    )
                }
            }
            try await crashHarness.mine(CrashHarness.confirmations)
            try await crashHarness.stop(after: .reverted)

            try await crashHarness.run { [crashHarness] node in
                let states = [
                    try await crashHarness.end(of: late, on: node),
                    try await crashHarness.end(of: acts[0], on: node),
                    try await crashHarness.end(of: acts[1], on: node),
                ]
                #expect(states.map(\.state) == [.failed, .done, .failed])
                let code = ProblemCode.listingGone.rawValue
                let codes = states.map { $0.problem?.code }
                #expect(codes[1] == nil)
                // The node may look at the call or the receipt before it has read the block of the
                // other purchase again, and then knows no more than the contract's reason.
                for lost in [codes[0], codes[2]] {
                    #expect([code, ProblemCode.contractRefused.rawValue].contains(lost))
                }
            }
            let books = try await ChainBooks(of: crashHarness.harness)
            let counts = [(3, 0), (2, 0), (0, 0), (0, 1)]
            let ends = ["8", "8", "10", "10"].map { $0 + "000000000000000000" }
            for (person, (count, end)) in zip(people, zip(counts, ends)) {
                #expect(books.count(of: person) == count)
                #expect(try await books.balanceWithoutFees(of: person) == end)
            }
            #expect(books.events == ["Listed": 2, "Bought": 2])
        }
    }

    /// - From endpoints: a transaction that a reorganisation drops while the node is stopped → sent
    ///   again after the start, as it was
    @Test func `resends a transaction unchanged if its block is rolled back`() async throws {
        try await CrashHarness.scoped(["ana"]) { crashHarness, people in
            try await crashHarness.listFirst("ana")
            var act = try await crashHarness.begin(
                "ana",
                CrashHarness.list(CrashHarness.thing("vase"))
            )
            try await crashHarness.sign(&act)
            try await crashHarness.send()
            try await crashHarness.harness.dev.control("evm_reorg", "[1, false]")
            try await crashHarness.stop(after: .unmined)
            try await crashHarness.run { [crashHarness] _ in
                try await CrashHarness.until("it is sent again") {
                    let text = people[0].checksummed
                    let count = try await crashHarness.harness.dev.control(
                        "eth_getTransactionCount",
                        #"["\#(text)", "pending"]"#
                    )
                    return count.contains(#""0x3""#)
                }
            }
            try await crashHarness.mine()
            try await crashHarness.stop(after: .mined)
            try await crashHarness.mine(CrashHarness.confirmations - 1)
            try await crashHarness.stop(after: .final)
            let listed = act
            try await crashHarness.run { [crashHarness] node in
                let end = try await crashHarness.end(of: listed, on: node)
                #expect(end.state == .done)
            }
            let books = try await ChainBooks(of: crashHarness.harness)
            #expect(books.count(of: people[0]) == (3, 0))
            #expect(books.events == ["Listed": 2])
            #expect(
                try await books.balanceWithoutFees(of: people[0]) == "8" + Self.ten.dropFirst(2)
            )
        }
    }

    @Test(arguments: [SignedAttempt.Kind.speedUp, .cancel])
    func `only one of a transaction and its replacement is mined`(
        kind: SignedAttempt.Kind
    ) async throws {
        try await CrashHarness.scoped(["ana"]) { crashHarness, people in
            try await crashHarness.listFirst("ana")
            var act = try await crashHarness.begin(
                "ana",
                CrashHarness.list(CrashHarness.thing("vase"))
            )
            try await crashHarness.sign(&act)
            try await crashHarness.stop(after: .broadcast)
            let id = try #require(act.id)
            try await crashHarness.stop(after: .signed) { [crashHarness] node in
                let ana = try await crashHarness.signedIn("ana", on: node)
                let preview =
                    if kind == .cancel { try await ana.previewOfCancel(operation: id) } else {
                        try await ana.previewOfSpeedUp(operation: id)
                    }
                #expect(preview.action == (kind == .cancel ? "cancel" : "speed_up"))
                #expect(preview.subject == id && preview.feeMax != nil)
                #expect(preview.problems.isEmpty && preview.leaves.map(\.purpose) == ["fee"])
                // On a slow machine the node itself may be signing one at another price just then.
                while true {
                    do {
                        _ =
                            if kind == .cancel { try await ana.cancel(operation: id) } else {
                                try await ana.speedUp(operation: id)
                            }
                        break
                    } catch let problem as Problem where problem.code == "move_not_open" {
                        await Task.yield()
                    }
                }
            }
            try await crashHarness.send()
            try await crashHarness.mine(CrashHarness.confirmations - 1)
            try await crashHarness.stop(after: kind == .cancel ? .cancelled : .final)
            try await crashHarness.run { [crashHarness, act] node in
                let end = try await crashHarness.end(of: act, on: node)
                #expect(end.state == (kind == .cancel ? .failed : .done))
            }
            let books = try await ChainBooks(of: crashHarness.harness)
            #expect(books.count(of: people[0]) == (3, 0))
            #expect(books.events == ["Listed": kind == .cancel ? 1 : 2])
            let end = (kind == .cancel ? "9" : "8") + Self.ten.dropFirst(2)
            #expect(try await books.balanceWithoutFees(of: people[0]) == end)
        }
    }

    @Test func `a key used elsewhere signs nothing until its owner acknowledges it`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            var crashHarness = try await CrashHarness(harness: harness, folder: folder)
            let person = try await crashHarness.settle("ana", phrase: Self.chainPhrase)
            try await crashHarness.listFirst("ana")
            var act = try await crashHarness.begin(
                "ana",
                CrashHarness.list(CrashHarness.thing("vase"))
            )
            try await crashHarness.sign(&act)
            let text = person.checksummed
            try await harness.dev.control(
                "eth_sendTransaction",
                #"[{"from":"\#(text)","to":"\#(harness.market.escrowContract.fees.platform.checksummed)"}]"#
            )
            try await crashHarness.mine(CrashHarness.confirmations)
            try await crashHarness.stop(after: .nonceLost)
            try await crashHarness.run { [crashHarness, act] node in
                let ana = try await crashHarness.signedIn("ana", on: node)
                let id = try #require(act.id)
                try await CrashHarness.until("the account's owner is told") {
                    let phases = try await ana.operation(id).phases
                    return phases.contains { $0.detail?.contains("used elsewhere") == true }
                }
                try await crashHarness.mine(CrashHarness.confirmations)
                #expect(try await ana.operation(id).isRunning)
            }
            #expect(try await ChainBooks(of: harness).count(of: person) == (3, 0))

            try await crashHarness.stop(after: .foreignAcknowledged) { [crashHarness] node in
                try await crashHarness.signedIn("ana", on: node).acknowledgeForeignUse()
            }
            try await crashHarness.sign(&act)
            try await crashHarness.send()
            try await crashHarness.mine(CrashHarness.confirmations - 1)
            try await crashHarness.stop(after: .final)
            try await crashHarness.run { [crashHarness, act] node in
                let end = try await crashHarness.end(of: act, on: node)
                #expect(end.state == .done)
            }
            let books = try await ChainBooks(of: harness)
            #expect(books.count(of: person) == (4, 0))
            #expect(books.events == ["Listed": 2])
        }
    }
}
