package import Ethereum
package import Keys
package import Logging
import Market

/// The parameters of a market's contracts, which can never change after the deployment.
package struct MarketPlan: Hashable, Sendable {
    /// A token that anyone may mint, for development chains only.
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
    /// The ERC-20 tokens that the market accepts besides the chain's native currency.
    package var currencies: [Address] = []
    /// Tokens that are deployed first and accepted as well.
    package var testTokens: [TestToken] = []
    /// Distinguishes markets with otherwise equal plans.
    package var salt = Bytes32.zero

    package init(platform: Address) { self.platform = platform }

    /// Returns the id of the intent for one step.
    ///
    /// The same plan gives the same ids, so an interrupted deployment can continue. `attempt`
    /// counts from 0; each attempt has its own id.
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

    /// Returns the salt with which the factory makes the contract of one step: `item`, or the name
    /// of a kind of sale.
    package func salt(of step: String) -> Bytes32 {
        Keccak256.hash("stoa contract \(step)".utf8 + salt.bytes)
    }
}

/// Deploys a market's contracts: test tokens and a factory, then through the factory the item
/// contract and one contract for each kind of sale.
///
/// The factory uses CREATE2, so that every address proves the deployed code.
///
/// Each step is an intent of the sender, and the sender's journal is durable. After an
/// interruption, a run with the same plan completes the same deployment.
package struct Deployer: Sendable {
    private let plan: MarketPlan
    private let sender: TransactionSender
    private let client: ChainClient
    private let contracts: SaleContracts
    private let acknowledgesForeignUse: Bool
    private let logger: Logger

    /// Creates a deployer; `sender` must be running during ``run()``.
    ///
    /// - Parameters:
    ///   - plan: The contracts to deploy.
    ///   - sender: Signs and sends.
    ///   - client: Reads the chain.
    ///   - contracts: The kinds of sale.
    ///   - acknowledgesForeignUse: Whether the account's owner knows that another program uses the
    ///     key: each step then continues with a new nonce, or takes that of a waiting transaction,
    ///     once.
    ///   - logger: Gets each step.
    package init(
        plan: MarketPlan,
        sender: TransactionSender,
        client: ChainClient,
        contracts: SaleContracts,
        acknowledgesForeignUse: Bool = false,
        logger: Logger = Logger(label: "stoa.deploy")
    ) {
        (self.plan, self.sender, self.client) = (plan, sender, client)
        (self.contracts, self.logger) = (contracts, logger)
        self.acknowledgesForeignUse = acknowledgesForeignUse
    }

    /// Starts or continues the deployment; returns when it is final and all was checked.
    ///
    /// - Throws: ``DeployError``; running it again is safe.
    package func run() async throws -> DeployedMarket {
        guard
            let fees = MarketFees(
                platformBasisPoints: plan.platformBasisPoints,
                makerBasisPoints: plan.makerBasisPoints,
                platform: plan.platform
            )
        else { throw DeployError.differs("a fee is above the bounds") }
        let tokens = try await makeTokens()
        let factory = try await make("factory", FactoryContract.creation)
        let item = try await make(
            "item",
            .item,
            ItemContract.arguments(makerBasisPoints: plan.makerBasisPoints),
            by: factory
        )
        var made: [DeployedMarket.Contract] = []
        for type in contracts.types {
            let addresses = tokens.map(\.address)
            let location = try await make(
                type.kind.rawValue,
                type.artifact,
                type.arguments(item: item.address, fees: fees, tokens: addresses),
                by: factory,
                until: type.kind == contracts.types.last?.kind ? .end : .receipt
            )
            made.append(
                DeployedMarket.Contract(
                    kind: type.kind,
                    location: location,
                    fees: fees,
                    tokens: addresses
                )
            )
        }
        let market = DeployedMarket(
            chain: client.chain,
            item: item,
            contracts: made,
            tokens: tokens,
            native: .usual(on: client.chain)
        )
        if let difference = try await client.difference(from: market, contracts) {
            throw DeployError.differs(difference.description)
        }
        return market
    }

    /// Deploys the plan's test tokens; returns them after the tokens that exist.
    private func makeTokens() async throws -> [DeployedMarket.Token] {
        var tokens: [DeployedMarket.Token] = []
        for address in plan.currencies { tokens.append(try await client.token(at: address)) }
        for (index, token) in plan.testTokens.enumerated() {
            let made = try await make(
                "token \(index)",
                TestTokenContract.creation(
                    name: token.name,
                    symbol: token.symbol,
                    decimals: token.decimals
                )
            )
            tokens.append(
                DeployedMarket.Token(
                    address: made.address,
                    name: token.name,
                    symbol: token.symbol,
                    decimals: token.decimals
                )
            )
        }
        return tokens
    }

    private enum Extent { case receipt, end }

    /// A contract that was deployed without a factory.
    private struct Made {
        let address: Address
        let block: UInt64
    }

    private func make(_ step: String, _ creation: [UInt8]) async throws -> Made {
        let receipt = try await perform(step, Intent.Step(to: nil, data: creation), until: .receipt)
        guard let contract = receipt.contract else { throw DeployError.notMade(step: step) }
        return Made(address: contract, block: receipt.block.number)
    }

    /// Deploys a contract through the factory.
    ///
    /// Anyone can make the same contract at the same address first. It is then used: its address
    /// proves that it is the same, and none of its events is before the factory's block.
    private func make(
        _ step: String,
        _ artifact: Artifact,
        _ arguments: [UInt8],
        by factory: Made,
        until extent: Extent = .receipt
    ) async throws -> DeployedMarket.Location {
        let creation = ContractCreation(
            factory: factory.address,
            salt: plan.salt(of: step),
            arguments: arguments
        )
        let address = creation.address(of: artifact.bytecode)
        let call = FactoryContract(address: factory.address).create(
            salt: creation.salt,
            code: artifact.bytecode + arguments
        )
        var block = factory.block
        do {
            block = try await perform(step, Intent.Step(call), until: extent).block.number
        } catch let error as DeployError where error.isRefusal {
            guard try await !client.perform(.code(of: address)).bytes.isEmpty else { throw error }
        }
        return DeployedMarket.Location(address: address, firstBlock: block, creation: creation)
    }

    private func perform(
        _ name: String,
        _ step: Intent.Step,
        until extent: Extent
    ) async throws -> Receipt {
        let id = await intent(name)
        try await sender.submit(Intent(id: id, purpose: "deploy \(name)", steps: [step]))
        let reached = try await goal(of: id, until: extent, name)
        switch reached.phase {
        case .final, .mined: break
        case .refused(let reason): throw DeployError.refused(step: name, reason: reason)
        case .stuck(let reason):
            let reasons = [reason, reached.note].compactMap(\.self).joined(separator: "; ")
            throw DeployError.notTaken(step: name, reason: reasons)
        default: throw DeployError.reverted(step: name)
        }
        guard let receipt = reached.receipts[0] else { throw DeployError.notMade(step: name) }
        logger.info("deployed", metadata: ["step": "\(name)", "block": "\(receipt.block.number)"])
        return receipt
    }

    /// Waits until a step has ended or needs its owner.
    private func goal(
        of id: IntentID,
        until extent: Extent,
        _ name: String
    ) async throws -> IntentProgress {
        var isAcknowledged = false
        var told: String?
        while true {
            let known = told
            let reached = await sender.reached(id) { progress in
                if progress.phase.isEnd || progress.awaitsAcknowledgement { return true }
                // While it is signed again at another price, a refusal is not the end.
                if case .stuck = progress.phase { return !progress.isBeingReplaced }
                guard case .mined = progress.phase else { return false }
                if extent == .receipt { return progress.receipts[0]?.isSuccess == true }
                return progress.note != nil && progress.note != known
            }
            guard let reached else { throw DeployError.interrupted(step: name) }
            if extent == .end, case .mined = reached.phase, let note = reached.note {
                told = note
                logger.warning("waits", metadata: ["step": "\(name)", "because": "\(note)"])
                continue
            }
            guard reached.awaitsAcknowledgement else { return reached }
            guard acknowledgesForeignUse, !isAcknowledged else {
                switch reached.phase {
                case .nonceAwaited(let nonce):
                    throw DeployError.nonceAwaited(step: name, nonce: nonce)
                case .nonceUnconfirmed(let nonce):
                    throw DeployError.nonceUnconfirmed(step: name, nonce: nonce)
                default: throw DeployError.keyUsedElsewhere(step: name)
                }
            }
            isAcknowledged = true
            try await sender.acknowledgeForeignUse()
        }
    }

    /// Returns the id of a step's intent: that of an earlier run, unless it was refused.
    ///
    /// A refused intent was never signed, so another attempt cannot deploy anything twice.
    private func intent(_ name: String) async -> IntentID {
        var attempt: UInt64 = 0
        while true {
            let id = plan.intent(name, attempt: attempt)
            guard case .refused? = await sender.progress(of: id)?.phase else { return id }
            attempt += 1
        }
    }
}

/// Why a deployment was not completed.
package enum DeployError: Error, Equatable, Sendable {
    /// The sender stopped. Run the deployment again.
    case interrupted(step: String)
    /// The chain refused the transaction. Remove the cause and run the deployment again.
    case refused(step: String, reason: String)
    /// The transaction is signed, and no endpoint accepts it. Remove the cause and run the
    /// deployment again: it is sent as it is.
    case notTaken(step: String, reason: String)
    /// A transaction of another program has the nonce of the step. Run the deployment again with
    /// the owner's acknowledgement.
    case keyUsedElsewhere(step: String)
    /// A transaction of another program waits with the nonce that is next. Run the deployment again
    /// once it is mined, or with the owner's acknowledgement.
    case nonceAwaited(step: String, nonce: UInt64)
    /// Only one of several endpoints tells the next nonce. Run the deployment again once another
    /// one answers, or with the owner's acknowledgement.
    case nonceUnconfirmed(step: String, nonce: UInt64)
    /// The transaction was mined and reverted. Run the deployment again with another salt.
    case reverted(step: String)
    /// The transaction was mined but created no contract.
    case notMade(step: String)
    /// There is no contract at the address of a token that the market is to accept.
    case notToken(Address)
    /// The contracts on the chain are not those of the plan: the chain is another one, or the
    /// endpoint lies.
    case differs(String)
}

extension DeployError {
    /// Whether the chain ran the transaction and refused it, or would have.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .reverted: true
        case .interrupted, .notTaken, .keyUsedElsewhere, .nonceAwaited, .nonceUnconfirmed, .notMade,
            .notToken, .differs:
            false
        }
    }
}
