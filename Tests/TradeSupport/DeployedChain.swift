import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Synchronization
import Trade

/// The state of a chain on which a market has just been deployed, for other chains to begin with.
///
/// A deployment takes seconds and comes out the same each time, so this process makes each once.
struct DeployedChain: Sendable {
    /// The chain's state file.
    let state: Data
    let market: DeployedMarket

    /// What tells one deployed chain from another.
    private struct Key: Hashable {
        let tokens: [MarketPlan.TestToken]
        let arguments: [String]
    }

    private static let made = Mutex<[Key: DeployedChain]>([:])

    /// Returns the chain with a market that takes these tokens, which it makes at the first time.
    static func with(
        _ tokens: [MarketPlan.TestToken],
        _ arguments: [String]
    ) async throws -> DeployedChain {
        let key = Key(tokens: tokens, arguments: arguments)
        if let known = made.withLock({ $0[key] }) { return known }
        let folder = try TemporaryFolder()
        let state = folder.url.appending(path: "chain")
        let chain = try await DevChain.scoped(["--state", state.path] + arguments) {
            let market = try await deploy(tokens, on: $0, $1)
            $0.stop()
            return DeployedChain(state: try Data(contentsOf: state), market: market)
        }
        made.withLock { $0[key] = chain }
        return chain
    }

    /// Deploys a market on a chain, paid by an account that gets ten ether for it.
    static func deploy(
        _ tokens: [MarketPlan.TestToken],
        on dev: DevChain,
        _ transport: HTTPTransport
    ) async throws -> DeployedMarket {
        let deployer = testKey(9)
        try await dev.fund(deployer.address)
        try await dev.control("evm_mine")
        let client = ChainClient(
            chain: ChainID(dev.chainNumber),
            endpoints: [dev.endpoint],
            transport: transport,
            logger: quiet
        )
        var plan = MarketPlan(platform: testKey(8).address)
        plan.testTokens = tokens
        let planned = plan
        return try await SenderHarness(signer: KeySigner(deployer), client: client).run {
            try await Deployer(
                plan: planned,
                sender: $0,
                client: client,
                contracts: SaleKinds.standard.contracts,
                logger: quiet
            ).run()
        }
    }
}
