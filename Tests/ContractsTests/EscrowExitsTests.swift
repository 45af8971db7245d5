import Contracts
import Keys
import Market
import Support
import Testing

/// Deploys a market on a real development chain and leaves its escrow by every exit.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EscrowExitsTests {
    /// All endings of one case go over one escrow, which must then hold what all of them left.
    @Test(arguments: 0..<2)
    func `every exit pays by the rules, to the wei`(part: Int) async throws {
        // Each part has a default, which leaves something to nobody.
        let endings = TradeEnding.allCases.enumerated().filter { $0.offset / 3 % 2 == part }
        try await DevChain.scoped { dev, transport in
            let market = try await SaleHarness.deployed(on: dev, transport)
            try await market.run { market in
                try await market.prepare()
                for currency in [Currency.native, .token(market.deployment.tokens[0].address)] {
                    for (_, ending) in endings {
                        try await market.play(ending, in: currency)
                    }
                }
                try await market.checkBalances()
            }
        }
    }

    @Test func `detects withheld events and reads them again`() async throws {
        try await DevChain.scoped { dev, transport in
            let market = try await SaleHarness.deployed(on: dev, transport)
            // From the first question on: an endpoint that told some before would contradict itself.
            try await dev.control("dev_fault", #"["drop_logs", {}]"#)
            try await market.run { market in
                try await market.prepare()
                try await market.checkKeptBackEvents()
            }
        }
    }
}
