package import Contracts
import Ethereum
import Foundation
import Keys
package import Logging
package import Market
import Setup
import Storage
import Trade

/// Puts the market's contracts on a chain and writes the file that nodes are configured with.
///
/// Each transaction is journalled before it is sent. Run again after any interruption, this ends
/// with one deployment. Source: Docs/operations.md, section 6.2.
package struct ChainDeploy: Sendable {
    package var chain: UInt64
    package var endpoints: [String]
    /// Headers that carry keys to the endpoints, as in the setting `chain.rpc.headers`.
    package var endpointHeaders: [String] = []
    /// A file with the private key that pays, in hexadecimal, which only its owner can read.
    package var keyFile: String
    /// Where the deployment is written, in the form that ``DeployedMarket`` reads.
    ///
    /// The folder of that name with `.journal` appended keeps a record of sent transactions.
    package var output: String
    package var platformBasisPoints: UInt64 = 200
    package var makerBasisPoints: UInt64 = 200
    /// The addresses of the ERC-20 tokens that the market accepts, at most ``tokensMax``.
    package var tokens: [String] = []
    /// Tokens of play money that are deployed with the market, for development chains only.
    package var testTokens: [MarketPlan.TestToken] = []
    package var confirmations: UInt64 = 3
    package var pollInterval = Duration.seconds(2)
    /// The minimum tip, in wei, if pools refuse the chain's usual one; zero is the usual one.
    package var tipMin = Amount.zero
    /// Whether the owner of the key knows that another program uses it too.
    package var acknowledgesForeignUse = false
    /// The gas of the factory and all contracts, with the sender's margin.
    ///
    /// Source: Docs/contracts.md, section 15.
    private static let gasMax: UInt64 = 19_000_000
    /// The tokens that a contract can accept.
    ///
    /// Source: `CURRENCIES_MAX` in Sources/Contracts/Vyper/money.vy.
    private static let tokensMax = 8

    package init(chain: UInt64, endpoints: [String], keyFile: String, output: String) {
        (self.chain, self.endpoints) = (chain, endpoints)
        (self.keyFile, self.output) = (keyFile, output)
    }

    /// Reads a tip in gwei, and returns it in wei; `nil` if the text is not a number of gwei.
    package static func tip(gwei text: String) -> Amount? { FeePolicy.wei(gwei: text) }

    /// Deploys, or continues a deployment, and returns when everything is final and written.
    ///
    /// - Parameters:
    ///   - logger: Gets each step.
    ///   - agree: Called with what will be signed, in words, before anything is; throws to sign
    ///     nothing.
    /// - Returns: The deployed market.
    /// - Throws: `EthereumError`, `DeployError`, `StorageError`, ``ClusterError``, and what `agree`
    ///   throws.
    package func run(
        logger: Logger,
        agree: @escaping @Sendable (String) throws -> Void
    ) async throws -> DeployedMarket {
        let key = try SecretKeyFile(path: keyFile).key()
        let wanted = MarketFees(
            platformBasisPoints: platformBasisPoints,
            makerBasisPoints: makerBasisPoints,
            platform: key.address
        )
        guard let marketFees = wanted else { throw ClusterError.badFees }
        guard (1...64).contains(confirmations) else { throw ClusterError.badConfirmations }
        let accepted = try acceptedTokens()
        let endpoints = try endpointsWithHeaders()
        try requireOwnOutput(marketFees)
        let market = try await EndpointTransport.scoped { transport in
            let client = ChainClient(
                chain: ChainID(chain),
                endpoints: endpoints,
                transport: transport,
                logger: logger
            )
            // A dead endpoint or another chain is reported at once, before anything is written.
            _ = try await client.session()
            let fees = try await self.fees(client)
            var described: [DeployedMarket.Token] = []
            for address in accepted { described.append(try await client.token(at: address)) }
            let balance = try await client.balance(of: key.address)
            try agree(preview(by: key.address, with: balance, fees, described))
            return try await deploy(client, key, fees, accepted, logger)
        }
        let file = Data(market.json)
        // Something else may have written the file since the deployment began.
        guard !isWritten(otherThan: file) else { throw ClusterError.exists(path: output) }
        try ClusterFile.write(file, to: output)
        return market
    }

    private func endpointsWithHeaders() throws -> [Endpoint] {
        var parsed = try endpoints.map { try Endpoint(url: $0) }
        guard let headers = EndpointHeaders.read(endpointHeaders, of: parsed) else {
            throw ClusterError.badHeaders
        }
        for (index, own) in headers.enumerated() { parsed[index].headers = own }
        return parsed
    }

    /// Refuses an output that exists and is not the result of an earlier run of this deployment.
    ///
    /// - Throws: ``ClusterError/exists(path:)``, before anything is asked, signed or written.
    private func requireOwnOutput(_ fees: MarketFees) throws {
        guard FileManager.default.fileExists(atPath: output) else { return }
        let isContinued = FileManager.default.fileExists(atPath: output + ".journal")
        // A file that cannot be read as a market belongs to somebody else.
        let market = try? DeployedMarket(file: output, chain: ChainID(chain))
        guard isContinued, let market, market.contracts.allSatisfy({ $0.fees == fees }) else {
            throw ClusterError.exists(path: output)
        }
    }

    private func isWritten(otherThan file: Data) -> Bool {
        guard FileManager.default.fileExists(atPath: output) else { return false }
        return FileManager.default.contents(atPath: output) != file
    }

    /// Returns the chain's policy, with the price that is shown as the ceiling of a unit of gas.
    private func fees(_ client: ChainClient) async throws -> FeePolicy {
        var fees = FeePolicy.standard(for: ChainID(chain))
        if !tipMin.isZero {
            (fees.tipMin, fees.tipMax) = (tipMin, max(fees.tipMax, tipMin))
        }
        guard let pricing = fees.pricing(try await client.feeMarket(), speed: .normal) else {
            throw PreflightError.feeAboveCeiling(fees.ceiling)
        }
        fees.ceiling = pricing.feeCap
        return fees
    }

    /// - Throws: ``ClusterError/badToken(_:max:)`` for a text that is not an address, or a repeated
    ///   one.
    private func acceptedTokens() throws(ClusterError) -> [Address] {
        var found: [Address] = []
        for text in tokens {
            guard let address = try? Address(text: text), address != .zero,
                !found.contains(address), found.count < Self.tokensMax
            else { throw .badToken(text, max: Self.tokensMax) }
            found.append(address)
        }
        return found
    }

    /// States how amounts of each token will be shown, according to its own contract.
    private func lines(about tokens: [DeployedMarket.Token]) -> String {
        let registry = CurrencyRegistry(
            chain: ChainID(chain),
            native: .usual(on: ChainID(chain)),
            tokens: tokens.map { token in
                let decimals = token.decimals.map(UInt64.init)
                let description = CurrencyDescription(
                    name: token.name,
                    symbol: token.symbol,
                    decimals: decimals
                )
                return (token.address, description)
            }
        )
        return registry.entries.dropFirst().map { entry in
            let decimals = entry.decimals.map { "\($0) decimals" } ?? "amounts in its smallest unit"
            let symbol = entry.symbol.map { $0 + ", " } ?? "called by its address, "
            return "\n  token   \(entry.currency.address.checksummed): \(symbol)\(decimals)"
        }.joined()
    }

    private func preview(
        by account: Address,
        with balance: Amount,
        _ fees: FeePolicy,
        _ tokens: [DeployedMarket.Token]
    ) -> String {
        let feeMax = fees.ceiling.multiplied(by: Self.gasMax) ?? .max
        let text = PriceText.text(feeMax, in: .native, on: ChainID(chain))
        let have = PriceText.text(balance, in: .native, on: ChainID(chain))
        let lack = balance < feeMax ? "; add funds first if it is a new deployment" : ""
        return """
            This deploys the market's contracts on chain \(chain) in up to six transactions: first a
            factory, whose addresses prove which contracts it makes, then those contracts.
              fee     \(text) at most, from \(account.checksummed)
                      That account becomes the platform, which gets its share of each sale.
                      You do not pay again for what an earlier run deployed.
              have    \(have)\(lack)
            """ + lines(about: tokens)
    }

    private func deploy(
        _ client: ChainClient,
        _ key: PrivateKey,
        _ fees: FeePolicy,
        _ tokens: [Address],
        _ logger: Logger
    ) async throws -> DeployedMarket {
        var configuration = SenderConfiguration()
        configuration.fees = fees
        configuration.confirmations = confirmations
        configuration.pollInterval = pollInterval
        let store = try Store(folder: output + ".journal")
        let sender = try await TransactionSender(
            client: client,
            signer: KeySigner(key),
            journal: LMDBTransactionJournal(store: store),
            configuration: configuration,
            logger: logger
        )
        var plan = MarketPlan(platform: key.address)
        plan.platformBasisPoints = platformBasisPoints
        plan.makerBasisPoints = makerBasisPoints
        plan.currencies = tokens
        plan.testTokens = testTokens
        let deployer = Deployer(
            plan: plan,
            sender: sender,
            client: client,
            contracts: SaleKinds.standard.contracts,
            acknowledgesForeignUse: acknowledgesForeignUse,
            logger: logger
        )
        return try await withThrowingTaskGroup(of: DeployedMarket?.self) { group in
            group.addTask {
                try await sender.run()
                return nil
            }
            group.addTask { try await deployer.run() }
            defer { group.cancelAll() }
            for try await made in group {
                if let made { return made }
            }
            throw CancellationError()
        }
    }
}

/// A private key in a file that only its owner can read.
struct SecretKeyFile {
    let path: String

    /// Creates the file with a new key, unless it exists.
    func make() throws(ClusterError) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try ClusterFile.write(PrivateKey.random().hexadecimalLine(), to: path)
    }

    func key() throws(ClusterError) -> PrivateKey {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = attributes?[.posixPermissions] as? Int,
            let text = PrivateFile.secret(in: path)
        else { throw .badKeyFile(path: path, reason: "it cannot be read") }
        guard mode & 0o077 == 0 else {
            throw .badKeyFile(path: path, reason: "others can read it; run 'chmod 600' on it")
        }
        guard let bytes = SecretBytes(hexadecimal: text), let key = PrivateKey(bytes)
        else {
            throw .badKeyFile(path: path, reason: "it does not hold a key, 64 hexadecimal digits")
        }
        return key
    }
}
