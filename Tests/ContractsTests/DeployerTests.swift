import Contracts
import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing

/// Deploys markets on a real development chain, through their own factories.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeployerTests {
    @Test func `a deployment killed at any step resumes and creates one market`() async throws {
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
                let lived = Lives(3)
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

    @Test func `a deployment stopped for lack of money resumes once funded`() async throws {
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
            guard case .refused("factory", let reason)? = refusal else {
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

    /// Deploys with a plan that all tests of going on share.
    private func deploy(
        _ harness: SenderHarness,
        acknowledgesForeignUse: Bool = false
    ) async throws -> DeployedMarket {
        try await harness.run { sender in
            try await Deployer(
                plan: MarketPlan(platform: testKey(5).address),
                sender: sender,
                client: harness.client,
                contracts: escrowOnly,
                acknowledgesForeignUse: acknowledgesForeignUse,
                logger: quiet
            ).run()
        }
    }

    /// - From commands: a `chain deploy` step that no endpoint accepts → exit 10
    @Test func `a step refused by the fee cap gives the reason and can resume`() async throws {
        try await DevChain.scoped { dev, transport in
            let key = testKey(6)
            try await dev.fund(key.address)
            let harness = SenderHarness(
                signer: KeySigner(key),
                client: SaleHarness.client(dev, transport)
            )
            try await dev.control("dev_fault", #"["fee_cap", {"wei": 1000000}]"#)
            for run in 1...2 {
                let refusal = await #expect(throws: DeployError.self) { try await deploy(harness) }
                guard case .notTaken("factory", let reason)? = refusal else {
                    Issue.record("\(String(describing: refusal))")
                    return
                }
                #expect(reason.contains("exceeds the configured cap"), "\(run)")
                #expect(reason.contains("no much lower price"), "\(run)")
            }
            try await dev.control("dev_fault", #"["none"]"#)
            _ = try await deploy(harness)
            // The factory was signed a second time at the lowest price that would be mined soon.
            let attempts = try harness.journal.attempts
            #expect(attempts.map(\.nonce) == [0, 0, 1, 2])
            #expect(attempts[1].pricing.feeCap < attempts[0].pricing.feeCap)
        }
    }

    /// - From commands: `chain deploy` with a key that another program uses → exit 10
    @Test func `reports a nonce used by another program until it is acknowledged`() async throws {
        try await DevChain.scoped(["--no-automine"]) { dev, transport in
            let key = testKey(6)
            try await dev.fund(key.address)
            try await dev.control("evm_mine")
            let client = SaleHarness.client(dev, transport)
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            func send(_ nonce: UInt64, gwei: UInt64) async throws {
                let foreign = try Transaction(
                    chain: client.chain,
                    nonce: nonce,
                    to: testKey(98).address,
                    value: .zero,
                    data: [],
                    gasLimit: 21_000,
                    pricing: .dynamic(
                        priorityFee: Amount(small: gwei * FeePolicy.gwei),
                        feeCap: Amount(small: 2 * gwei * FeePolicy.gwei)
                    )
                ).signed(by: key)
                _ = try await client.perform(.send(foreign.encoded))
            }
            try await send(0, gwei: 1)
            await #expect(throws: DeployError.nonceAwaited(step: "factory", nonce: 0)) {
                try await deploy(harness)
            }
            try await dev.control("evm_mine")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: DeployError.keyUsedElsewhere(step: "factory")) {
                        try await deploy(harness)
                    }
                }
                try await waitUntil { try !harness.journal.attempts.isEmpty }
                try await send(1, gwei: 90)
                try await dev.control("evm_mineBlocks", "[3, 1]")
                try await group.waitForAll()
            }
            await #expect(throws: DeployError.keyUsedElsewhere(step: "factory")) {
                try await deploy(harness)
            }
            try await dev.control("evm_setAutomine", "[true]")
            let market = try await deploy(harness, acknowledgesForeignUse: true)
            #expect(market.contracts.count == 1)
            // The first may have been signed again to outbid the other program.
            #expect(try Set(harness.journal.attempts.map(\.nonce)) == [1, 2, 3, 4])
        }
    }

    /// - From commands: `chain deploy` with a nonce of another program that only one of several endpoints
    ///   tells → exit 10
    @Test func `deploys with a nonce that one endpoint tells only if told so`() async throws {
        try await DevChain.scoped { dev, transport in
            let key = testKey(6)
            try await dev.fund(key.address)
            let liar = try dev.liar
            let sent = Mutex(0)
            let counting = AlteringTransport(inner: transport, altered: dev.endpoint.name) {
                request,
                answer in
                if request.contains("eth_sendRawTransaction") { sent.withLock { $0 += 1 } }
                return answer
            }
            // The second endpoint is away until the first step is sent.
            let client = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [dev.endpoint, liar],
                transport: AlteringTransport(inner: counting, altered: liar.name) { _, answer in
                    guard sent.withLock({ $0 }) < 2 else { return answer }
                    throw RPCTransportError.unreachable(reason: "away")
                },
                logger: quiet
            )
            let foreign = try Transaction(
                chain: client.chain,
                nonce: 0,
                to: testKey(98).address,
                value: .zero,
                data: [],
                gasLimit: 21_000,
                pricing: .legacy(gasPrice: Amount(small: 4 * FeePolicy.gwei))
            ).signed(by: key)
            _ = try await client.perform(.send(foreign.encoded))
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            await #expect(throws: DeployError.nonceUnconfirmed(step: "factory", nonce: 1)) {
                try await deploy(harness)
            }
            #expect(try harness.journal.attempts.isEmpty)
            #expect(try await deploy(harness, acknowledgesForeignUse: true).contracts.count == 1)
        }
    }

    @Test func `uses a contract that somebody else created at its address`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = SaleHarness.client(dev, transport)
            let (key, other) = (testKey(8), testKey(9))
            for key in [key, other] { try await dev.fund(key.address) }
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            let plan = MarketPlan(platform: testKey(5).address)
            let deploy: (TransactionSender) async throws -> DeployedMarket = { sender in
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
            let factory = firstContract(of: key.address)
            while try await client.perform(.code(of: factory)).bytes.isEmpty {
                let lived = Lives(1)
                await #expect(throws: Lives.Over.self) {
                    try await harness.run(afterStep: { _ in try await lived.step() }, deploy)
                }
            }
            let item = ContractCreation(
                factory: factory,
                salt: plan.salt(of: "item"),
                arguments: ItemContract.arguments(makerBasisPoints: plan.makerBasisPoints)
            )
            let call = FactoryContract(address: factory).create(
                salt: item.salt,
                code: Artifact.item.bytecode + item.arguments
            )
            try await SenderHarness(signer: KeySigner(other), client: client).run { sender in
                let intent = Intent(id: IntentID(.random()), purpose: "first", steps: [.init(call)])
                try await sender.submit(intent)
                #expect(try await sender.ended(intent.id).phase == .final)
            }

            let market = try await harness.run(deploy)

            #expect(market.item.address == item.address(of: Artifact.item.bytecode))
            #expect(market.item.creation == item)
            #expect(market.item.firstBlock < market.contracts[0].location.firstBlock)
            let nonce = try await client.perform(.transactionCount(of: key.address, at: .latest))
            #expect(nonce.number == 2)
        }
    }

    @Test func `detects a market that differs from its file`() async throws {
        try await DevChain.scoped { dev, transport in
            let market = try await SaleHarness.deployed(on: dev, transport).deployment
            let client = SaleHarness.client(dev, transport)
            #expect(try await client.difference(from: market, escrowOnly) == nil)
            let escrow = market.escrowContract
            let cases: [(MarketDifference, DeployedMarket)] = [
                (.itemCreation, changed(market, item: resalted(market.item))),
                (.itemCode, changed(market, item: moved(market.item, .item))),
                (
                    .creation(of: .escrow),
                    changed(market, try escrowAt(resalted(escrow.location), escrow))
                ),
                (
                    .code(of: .escrow),
                    changed(market, try escrowAt(moved(escrow.location, .escrow), escrow))
                ),
                (
                    .platformBasisPoints(of: .escrow, 200),
                    changed(market, try escrowAt(escrow.location, escrow, points: 100))
                ),
                (
                    .tokens(of: .escrow, escrow.tokens),
                    changed(market, try escrowAt(escrow.location, escrow, tokens: []))
                ),
            ]
            for (difference, market) in cases {
                #expect(try await client.difference(from: market, escrowOnly) == difference)
            }
        }
    }

    /// The address of the first contract that an account creates: the last 20 bytes of the hash of
    /// the RLP of (account, 0).
    private func firstContract(of account: Address) -> Address {
        Address(Keccak256.hash([0xD6, 0x94] + account.bytes + [0x80]).bytes.suffix(20)) ?? .zero
    }

    /// The location with another salt, which does not give its address.
    private func resalted(_ location: DeployedMarket.Location) -> DeployedMarket.Location {
        let creation = ContractCreation(
            factory: location.creation.factory,
            salt: Bytes32(repeating: 1),
            arguments: location.creation.arguments
        )
        return .init(address: location.address, firstBlock: location.firstBlock, creation: creation)
    }

    /// The address that another salt gives, at which there is no contract.
    private func moved(
        _ location: DeployedMarket.Location,
        _ artifact: Artifact
    ) -> DeployedMarket.Location {
        let creation = resalted(location).creation
        return .init(
            address: creation.address(of: artifact.bytecode),
            firstBlock: location.firstBlock,
            creation: creation
        )
    }

    private func escrowAt(
        _ location: DeployedMarket.Location,
        _ escrow: DeployedMarket.Contract,
        points: UInt64 = 200,
        tokens: [Address]? = nil
    ) throws -> DeployedMarket.Contract {
        let fees = MarketFees(
            platformBasisPoints: points,
            makerBasisPoints: escrow.fees.makerBasisPoints,
            platform: escrow.fees.platform
        )
        return .init(
            kind: .escrow,
            location: location,
            fees: try #require(fees),
            tokens: tokens ?? escrow.tokens
        )
    }

    private func changed(
        _ market: DeployedMarket,
        item: DeployedMarket.Location? = nil,
        _ escrow: DeployedMarket.Contract? = nil
    ) -> DeployedMarket {
        DeployedMarket(
            chain: market.chain,
            item: item ?? market.item,
            contracts: escrow.map { [$0] } ?? market.contracts,
            tokens: market.tokens
        )
    }
}

/// Lets a process live for some durable steps.
private actor Lives {
    struct Over: Error {}

    private var left: Int

    init(_ steps: Int) { left = steps }

    func step() throws {
        left -= 1
        if left == 0 { throw Over() }
    }
}
