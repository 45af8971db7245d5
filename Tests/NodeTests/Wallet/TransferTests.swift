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

/// Sending money of an account, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TransferTests {
    private static let coin = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 2)
    private static let ether: UInt64 = 1_000_000_000_000_000_000

    private static func parties(
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address) {
        let ana = try await node.account("ana", on: harness)
        try await node.signIn("ana")
        try await node.market.service.until { $0.health == .following }
        return (ana, testKey(77).address)
    }

    private static func receiver(_ address: Address) -> ActionPreview.Receiver {
        ActionPreview.Receiver(account: address.checksummed)
    }

    private static func code(_ body: () async throws -> some Sendable) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal {
            return refusal.code.rawValue
        } catch {
            return "\(error)"
        }
    }

    @Test func `sends money once, for the fee that was shown`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let (wallets, chain) = (node.market.wallets, node.market.wallets)
                let wanted = Transfer(to: bo.checksummed, amount: "\(Self.ether)")
                let shown = try await wallets.send(wanted, to: Self.receiver(bo), by: ana).preview()
                #expect(shown.problems.isEmpty, "\(shown.problems)")
                #expect(shown.summary.detail == "Your account sends 1 ETH to \(bo.checksummed).")
                #expect(shown.leaves.map(\.purpose) == ["amount", "fee"])
                #expect(shown.gas.map { $0 >= 21_000 } == true)
                let begun = try await wallets.send(wanted, by: ana).begin(
                    key: "k",
                    feeMax: shown.feeMax
                )
                #expect(begun.feeMax == shown.feeMax && begun.subject == bo.checksummed)
                let again = try await wallets.send(wanted, by: ana).begin(
                    key: "k",
                    feeMax: shown.feeMax
                )
                #expect(again.id == begun.id)
                _ = try await node.done(begun)
                let received = try await chain.wallet(of: bo).balances.first?.amount
                #expect(received == "\(Self.ether)")
                let paid = try await node.gasPaid(by: ana, on: harness.market.chain)
                let left = try await chain.wallet(of: ana).balances.first?.amount
                #expect(left == Amount(small: 9 * Self.ether).subtracting(paid)?.decimal)
            }
        }
    }

    @Test func `sends everything except the fee, and a token to its last unit`() async throws {
        try await MarketHarness.scoped(tokens: [Self.coin]) { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                try await harness.mint(1_250, for: ana)
                let wallets = node.market.wallets
                let token = try #require(harness.market.tokens.first?.address.checksummed)
                let coins = Transfer(to: bo.checksummed, amount: "max", currency: token)
                let shown = try await wallets.send(coins, to: Self.receiver(bo), by: ana).preview()
                #expect(shown.summary.detail.hasPrefix("Your account sends 12.5 TST to"))
                #expect(shown.leaves.first?.amount == "1250")
                _ = try await node.done(try await wallets.send(coins, by: ana).begin(key: "coins"))
                let all = Transfer(to: bo.checksummed, amount: "max")
                let rest = try await wallets.send(all, to: Self.receiver(bo), by: ana).preview()
                let fee = try #require(rest.feeMax.flatMap { Amount(decimal: $0) })
                let held = try await wallets.wallet(of: ana).balances[0].amount
                #expect(rest.total.first?.amount == held)
                _ = try await node.done(
                    try await wallets.send(all, by: ana).begin(key: "all", feeMax: rest.feeMax)
                )
                let mine = try await wallets.wallet(of: ana).balances.map(\.amount)
                let left = try #require(Amount(decimal: mine[0]))
                #expect(left < fee && mine[1] == "0")
                let theirs = try await wallets.wallet(of: bo).balances.map(\.amount)
                let sent = Amount(decimal: held)?.subtracting(fee)?.decimal
                #expect(theirs == [try #require(sent), "1250"])
            }
        }
    }

    /// - From endpoints: a refusal of a token payment that two others would make → it is made
    @Test func `one endpoint of three cannot prevent a token payment`() async throws {
        try await MarketHarness.scoped(tokens: [Self.coin]) { harness in
            let liar = try Endpoint(url: "http://first.test")
            let refusal =
                #"{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"execution reverted"}}"#
            var three = harness
            three.endpoints = [liar, try Endpoint(url: "http://second.test"), harness.dev.endpoint]
            three.transport = AlteringTransport(
                inner: SameTransport(inner: harness.transport, real: harness.dev.endpoint),
                altered: liar.name
            ) { request, answer in
                // The selector of `transfer(address,uint256)`.
                let isTransfer = request.contains("eth_call") && request.contains("0xa9059cbb")
                return isTransfer ? refusal : answer
            }
            try await three.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                try await harness.mint(1_250, for: ana)
                let token = try #require(harness.market.tokens.first?.address.checksummed)
                let coins = Transfer(to: bo.checksummed, amount: "max", currency: token)
                let shown = try await node.market.wallets.send(
                    coins,
                    to: Self.receiver(bo),
                    by: ana
                ).preview()
                #expect(shown.problems.isEmpty, "\(shown.problems)")
            }
        }
    }

    @Test func `the balance must cover the agreed fee, not today's maximum`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let wallets = node.market.wallets
                let all = Transfer(to: bo.checksummed, amount: "max")
                let shown = try await wallets.send(all, to: Self.receiver(bo), by: ana).preview()
                let fee = try #require(shown.feeMax.flatMap { Amount(decimal: $0) })
                let third = fee.quotientAndRemainder(dividingBy: 3).0
                let low = try #require(fee.subtracting(third))
                let total = try #require(shown.total.first.flatMap { Amount(decimal: $0.amount) })
                let amount = try #require(total.subtracting(low)?.decimal)
                let begun = try await wallets.send(
                    Transfer(to: bo.checksummed, amount: amount),
                    by: ana
                ).begin(key: "k", feeMax: low.decimal)
                _ = try await node.done(begun)
                #expect(try await wallets.wallet(of: bo).balances[0].amount == amount)
            }
        }
    }

    /// - From people: a payment that the balance covers, but not beside an operation under way →
    ///   insufficient_balance
    @Test func `counts operations under way in what an account can pay`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                // Nobody signs in, so that the payments wait for a signature.
                let ana = try await node.account("ana", on: harness)
                let bo = testKey(77).address
                try await node.market.service.until { $0.health == .following }
                let wallets = node.market.wallets
                func transfer(_ amount: String) -> Transfer {
                    Transfer(to: bo.checksummed, amount: amount)
                }
                let begun = try await wallets.send(transfer("\(6 * Self.ether)"), by: ana).begin(
                    key: "one"
                )
                let fee = try #require(begun.feeMax.flatMap { Amount(decimal: $0) })
                let refused = await #expect(throws: Refusal.self) {
                    try await wallets.send(transfer("\(4 * Self.ether)"), by: ana).begin(key: "two")
                }
                #expect(refused?.code == .insufficientBalance)
                #expect(refused?.detail.contains("under way") == true, "\(refused?.detail ?? "")")
                let shown = try await wallets.send(transfer("max"), to: Self.receiver(bo), by: ana)
                    .preview()
                let total = try #require(shown.total.first.flatMap { Amount(decimal: $0.amount) })
                #expect(total.adding(fee) == Amount(small: 4 * Self.ether), "\(shown)")
                _ = try await wallets.send(transfer("\(3 * Self.ether)"), by: ana).begin(
                    key: "three"
                )
                try await node.signIn("ana")
                _ = try await node.done(begun)
            }
        }
    }

    /// - From people: sending money, or collecting credits, to the zero address, an address without
    ///   a key, the account itself, or a contract of the market or of a token
    ///   → bad_address
    /// - From people: sending to a mistyped address, 0, a text that is not an amount, more than the
    ///   account has, or in a token that the market does not have → bad_address, bad_amount,
    ///   insufficient_balance
    @Test func `refuses to send to a useless address or more than the balance`() async throws {
        try await MarketHarness.scoped(tokens: [Self.coin]) { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let market = harness.market
                let wallets = node.market.wallets
                let token = try #require(market.tokens.first?.address)
                var lost =
                    [.zero, ana, market.item.address, token] + market.contracts.map(\.address)
                lost.append(market.item.creation.factory)
                lost.append(try Address(text: "0x0000000000000000000000000000000000000004"))
                for to in lost {
                    let wanted = Transfer(to: to.checksummed, amount: "1")
                    let code = await Self.code {
                        try await wallets.send(wanted, by: ana).begin(key: "k")
                    }
                    #expect(code == "bad_address", "\(to)")
                    let shown = await Self.code {
                        try await wallets.send(wanted, to: Self.receiver(to), by: ana).preview()
                    }
                    #expect(shown == "bad_address", "\(to)")
                    // The own account is where credits go if nothing else is said.
                    guard to != ana else { continue }
                    let credits = CreditCollection(to: to.checksummed)
                    let drawn = await Self.code {
                        try await wallets.collect(credits, by: ana).begin(key: "k")
                    }
                    #expect(drawn == "bad_address", "\(to)")
                    let drawable = await Self.code {
                        try await wallets.collect(credits, by: ana).preview()
                    }
                    #expect(drawable == "bad_address", "\(to)")
                }
                let mistyped = bo.checksummed.replacing("a", with: "A")
                let cases: [(Transfer, String)] = [
                    (Transfer(to: mistyped, amount: "1"), "bad_address"),
                    (Transfer(to: bo.checksummed, amount: "0"), "bad_amount"),
                    (Transfer(to: bo.checksummed, amount: "0.5"), "bad_amount"),
                    (
                        Transfer(to: bo.checksummed, amount: "1", currency: ana.checksummed),
                        "bad_address"
                    ),
                    (
                        Transfer(to: bo.checksummed, amount: "\(11 * Self.ether)"),
                        "insufficient_balance"
                    ),
                    (
                        Transfer(to: bo.checksummed, amount: "1", currency: token.checksummed),
                        "insufficient_balance"
                    ),
                    (
                        Transfer(to: bo.checksummed, amount: "max", currency: token.checksummed),
                        "bad_amount"
                    ),
                ]
                for (wanted, expected) in cases {
                    let code = await Self.code {
                        try await wallets.send(wanted, by: ana).begin(key: "k")
                    }
                    #expect(code == expected, "\(wanted)")
                }
                #expect(try await wallets.wallet(of: bo).balances.allSatisfy { $0.amount == "0" })
            }
        }
    }

    /// - From people: a token whose contract has other decimals than the market's file says →
    ///   wrong_market
    @Test func `remembers a token's facts and shows them only if harmless`() async throws {
        let hostile = MarketPlan.TestToken(
            name: "Ether\u{202E}!",
            symbol: "ETH",
            decimals: 255
        )
        try await MarketHarness.scoped(tokens: [Self.coin, hostile]) { harness in
            let client = ChainClient(
                chain: harness.market.chain,
                endpoints: [harness.dev.endpoint],
                transport: harness.transport,
                logger: quiet
            )
            for token in harness.market.tokens {
                #expect(try await client.token(at: token.address) == token)
            }
            await #expect(throws: DeployError.notToken(testKey(3).address)) {
                try await client.token(at: testKey(3).address)
            }
            let folder = try TemporaryFolder()
            try await MarketNode.run(in: folder, on: harness) { market in
                try await market.asking(market.ana) { client in
                    let units = try await client.currencies()
                    #expect(units.map(\.symbol) == ["ETH", "TST", nil])
                    #expect(units.map(\.decimals) == [18, 2, nil])
                    #expect(units.map(\.name) == ["Ether", "Test", nil])
                    #expect(try await client.wallet().currencies == units)
                }
            }
            let wrong = harness.market.tokens.map {
                DeployedMarket.Token(address: $0.address, symbol: $0.symbol, decimals: 6)
            }
            let market = DeployedMarket(
                chain: harness.market.chain,
                item: harness.market.item,
                contracts: harness.market.contracts,
                tokens: wrong
            )
            let difference = try await client.difference(
                from: market,
                SaleKinds.standard.contracts
            )
            #expect(difference == .decimals(of: wrong[0].address, 2))
        }
    }
}
