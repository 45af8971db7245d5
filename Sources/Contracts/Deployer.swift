package import Keys
package import Logging
package import Market

/// What a market's contracts shall be; all of it is fixed for ever by the deployment.
package struct MarketPlan: Hashable, Sendable {
    /// A token that anyone may mint, for development chains alone.
    package struct TestToken: Hashable, Sendable {
        package let name: String
        package let symbol: String
        package let decimals: UInt8

        package init(name: String, symbol: String, decimals: UInt8) {
            (self.name, self.symbol, self.decimals) = (name, symbol, decimals)
        }
    }

    package var platform: Address
    package var platformBasisPoints: UInt64 = 200
    package var makerBasisPoints: UInt64 = 200
    /// ERC-20 tokens taken beside the chain's own money.
    package var currencies: [Address] = []
    /// Tokens to be made first and taken as well.
    package var testTokens: [TestToken] = []
    /// Tells apart markets with the same plan.
    package var salt = Bytes32.zero

    package init(platform: Address) { self.platform = platform }

    /// The intent for one step: the same plan gives the same intents, so that a deployment goes on
    /// where it was interrupted.
    ///
    /// `attempt` counts from 0; each is another intent.
    func intent(_ step: String, attempt: UInt64) -> IntentID {
        var writer = StoredWriter()
        writer.write("stoa deployment")
        writer.write(step)
        writer.write(platform)
        writer.write(platformBasisPoints)
        writer.write(makerBasisPoints)
        writer.write(UInt64(currencies.count))
        for currency in currencies { writer.write(currency) }
        writer.write(UInt64(testTokens.count))
        for token in testTokens {
            writer.write(token.name)
            writer.write(token.symbol)
            writer.write(token.decimals)
        }
        writer.write(salt)
        if attempt > 0 { writer.write(attempt) }
        return IntentID(Keccak256.hash(writer.bytes))
    }
}

/// A market's contracts on a chain.
package struct Deployment: Hashable, Sendable {
    package let chain: ChainID
    package let item: Address
    package let escrow: Address
    /// Currencies beside the chain's own money, those made for it last.
    package let tokens: [Address]
    /// The first block that can hold an event of theirs.
    package let block: UInt64

    package init(
        chain: ChainID,
        item: Address,
        escrow: Address,
        tokens: [Address],
        block: UInt64
    ) {
        (self.chain, self.item, self.escrow) = (chain, item, escrow)
        (self.tokens, self.block) = (tokens, block)
    }

    /// What a follower of this market asks for.
    package var filter: LogFilter {
        LogFilter(addresses: [item, escrow], firstBlock: block)
    }
}

/// Puts a market's contracts on a chain: tokens, item, escrow, seal.
///
/// Each step is an intent of the sender, whose journal makes the whole resumable: run again after
/// any interruption, with the same plan, it ends with one deployment.
package struct Deployer: Sendable {
    private let plan: MarketPlan
    private let sender: TransactionSender
    private let client: ChainClient
    private let logger: Logger

    /// Takes a sender that runs meanwhile.
    package init(
        plan: MarketPlan,
        sender: TransactionSender,
        client: ChainClient,
        logger: Logger = Logger(label: "stoa.deploy")
    ) {
        (self.plan, self.sender, self.client, self.logger) = (plan, sender, client, logger)
    }

    /// Deploys, or goes on deploying, and returns when the seal is final and all is checked.
    ///
    /// - Throws: ``DeployError``; then nothing is sealed and running it again is safe.
    package func run() async throws -> Deployment {
        var receipts: [Receipt] = []
        var tokens = plan.currencies
        for (index, token) in plan.testTokens.enumerated() {
            let made = try await make(
                "token \(index)",
                TestTokenContract.creation(
                    name: token.name,
                    symbol: token.symbol,
                    decimals: token.decimals
                )
            )
            tokens.append(made.contract)
            receipts.append(made.receipt)
        }
        let item = try await make(
            "item",
            ItemContract.creation(makerBasisPoints: plan.makerBasisPoints)
        )
        let escrow = try await make(
            "escrow",
            EscrowContract.creation(
                item: item.contract,
                platform: plan.platform,
                platformBasisPoints: plan.platformBasisPoints,
                tokens: tokens
            )
        )
        let seal = ItemContract(address: item.contract).seal(minters: [escrow.contract])
        try await perform(
            "seal",
            Intent.Step(to: seal.to, value: seal.value, data: seal.data),
            until: .end
        )
        let deployment = Deployment(
            chain: client.chain,
            item: item.contract,
            escrow: escrow.contract,
            tokens: tokens,
            block: item.receipt.block.number
        )
        try await check(deployment)
        return deployment
    }

    private enum Extent { case receipt, end }

    private func make(
        _ step: String,
        _ creation: [UInt8]
    ) async throws -> (contract: Address, receipt: Receipt) {
        let receipt = try await perform(
            step,
            Intent.Step(to: nil, data: creation),
            until: .receipt
        )
        guard let contract = receipt.contract else { throw DeployError.notMade(step: step) }
        return (contract, receipt)
    }

    @discardableResult
    private func perform(
        _ name: String,
        _ step: Intent.Step,
        until extent: Extent
    ) async throws -> Receipt {
        let id = await intent(name)
        try await sender.submit(Intent(id: id, purpose: "deploy \(name)", steps: [step]))
        let reached = await sender.reached(id) { progress in
            if progress.phase.isEnd { return true }
            guard extent == .receipt, case .mined = progress.phase else { return false }
            return progress.receipts[0]?.isSuccess == true
        }
        guard let reached else { throw DeployError.interrupted(step: name) }
        switch reached.phase {
        case .final, .mined: break
        case .refused(let reason): throw DeployError.refused(step: name, reason: reason)
        default: throw DeployError.reverted(step: name)
        }
        guard let receipt = reached.receipts[0] else { throw DeployError.notMade(step: name) }
        logger.info("deployed", metadata: ["step": "\(name)", "block": "\(receipt.block.number)"])
        return receipt
    }

    /// The step's intent: that of an earlier run, unless it was refused.
    ///
    /// What was refused was never signed, so that another attempt makes nothing twice.
    private func intent(_ name: String) async -> IntentID {
        var attempt: UInt64 = 0
        while true {
            let id = plan.intent(name, attempt: attempt)
            guard case .refused? = await sender.progress(of: id)?.phase else { return id }
            attempt += 1
        }
    }

    /// Holds what the chain has against what was meant.
    private func check(_ deployment: Deployment) async throws {
        let fees = MarketFees(
            platformBasisPoints: plan.platformBasisPoints,
            makerBasisPoints: plan.makerBasisPoints,
            platform: plan.platform
        )
        guard let fees else { throw DeployError.differs("a fee is above the bounds") }
        let difference = try await client.difference(from: deployment, with: fees)
        if let difference { throw DeployError.differs(difference.words) }
    }
}

/// Why a deployment did not come to its end.
package enum DeployError: Error, Equatable, Sendable {
    /// The sender stopped; run it again.
    case interrupted(step: String)
    /// The chain would not run it; put the reason right and run it again.
    case refused(step: String, reason: String)
    /// It was mined and failed; run it again with another salt.
    case reverted(step: String)
    /// Mined, but no contract came of it.
    case notMade(step: String)
    /// What the chain has is not what was deployed: it is another chain, or the endpoint lies.
    case differs(String)
}
