import Contracts
import Keys
import Market
import Support
import Testing

/// Deploys a market on a real development chain and leaves its escrow by every exit.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EscrowExitsTests {
    @Test func `every exit pays what the law says, to the wei`() async throws {
        try await DevChain.scoped { dev, transport in
            let market = try await SaleHarness.deployed(on: dev, transport)
            try await market.run { market in
                for currency in [Currency.native, .token(market.deployment.tokens[0].address)] {
                    for ending in TradeEnding.allCases {
                        try await market.play(ending, in: currency)
                    }
                }
                try await market.checkBalances()
            }
        }
    }

    @Test func `events that an endpoint keeps back are noticed, and read again`() async throws {
        try await DevChain.scoped { dev, transport in
            let market = try await SaleHarness.deployed(on: dev, transport)
            // From the first question on: an endpoint that told some before would contradict itself.
            try await dev.control("dev_fault", #"["drop_logs", {}]"#)
            try await market.run { market in
                try await market.checkKeptBackEvents()
            }
        }
    }

    @Test func `a deployment killed at any step goes on to one market`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = SaleHarness.client(dev, transport)
            let key = testKey(7)
            try await dev.fund(key.address)
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            var plan = MarketPlan(platform: testKey(5).address)
            plan.testTokens = [.init(name: "Test Dollar", symbol: "TST", decimals: 6)]
            var deployment: DeployedMarket?
            var deaths = 0
            // Each life ends after one more durable step than the life before.
            while deployment == nil {
                let lived = Lives()
                do {
                    deployment = try await harness.run(
                        afterStep: { _ in try await lived.step() },
                        { sender in
                            do {
                                return try await Deployer(
                                    plan: plan,
                                    sender: sender,
                                    client: client,
                                    contracts: escrowOnly,
                                    logger: quiet
                                ).run()
                            } catch DeployError.interrupted {
                                throw StreamEnded()
                            }
                        }
                    )
                } catch is Lives.Over {
                    deaths += 1
                }
            }
            let nonce = try await client.perform(.transactionCount(of: key.address, at: .latest))
            #expect(nonce.number == 4)
            #expect(deaths >= 4)
            #expect(deployment?.tokens.count == 1)
        }
    }
}

extension EscrowExitsTests {
    @Test func `a deployment refused for want of money goes on once there is some`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = SaleHarness.client(dev, transport)
            let key = testKey(6)
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            let plan = MarketPlan(platform: testKey(5).address)
            let deploy: (TransactionSender) async throws -> DeployedMarket = { sender in
                try await Deployer(
                    plan: plan,
                    sender: sender,
                    client: client,
                    contracts: escrowOnly,
                    logger: quiet
                ).run()
            }
            let refusal = await #expect(throws: DeployError.self) { try await harness.run(deploy) }
            guard case .refused("item", let reason)? = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(reason.contains("add funds"))

            try await dev.fund(key.address)
            let deployment = try await harness.run(deploy)

            let nonce = try await client.perform(.transactionCount(of: key.address, at: .latest))
            #expect(nonce.number == 3)
            #expect(deployment.tokens.isEmpty)
        }
    }
}

/// Lets a process live for three durable steps.
private actor Lives {
    struct Over: Error {}

    private var steps = 0

    func step() throws {
        steps += 1
        if steps == 3 { throw Over() }
    }
}
