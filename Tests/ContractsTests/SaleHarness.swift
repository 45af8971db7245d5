import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

/// How a trade ends.
enum TradeEnding: CaseIterable {
    case abort, abortByAnyone, decline, refundByAnyone, confirm, claim, settle
    case refundOfDispute, rule, executeDefault
    case confirmOfTaken, refundOfTaken, settleOfTaken, executeDefaultOfTaken

    var exit: EscrowExit {
        switch self {
        case .abort, .abortByAnyone: .abort
        case .decline: .decline
        case .refundByAnyone, .refundOfDispute, .refundOfTaken: .refund
        case .confirm, .confirmOfTaken: .confirm
        case .claim: .claim
        case .settle, .settleOfTaken: .settle
        case .rule: .rule
        case .executeDefault, .executeDefaultOfTaken: .executeDefault
        }
    }

    /// Whether the arbiter takes the case first.
    var isTaken: Bool {
        switch self {
        case .rule, .confirmOfTaken, .refundOfTaken, .settleOfTaken, .executeDefaultOfTaken: true
        default: false
        }
    }

    /// Whether the buyer disputes first.
    var isDisputed: Bool { isTaken || self == .refundOfDispute || self == .executeDefault }

    var share: SellerShare {
        exit.fixedShare ?? SellerShare(basisPoints: exit == .rule ? 6_667 : 3_333) ?? .none
    }
}

/// The one kind of contract that these tests drive.
let escrowOnly = SaleContracts([EscrowContract.self])

/// A market on a development chain with its people.
struct SaleHarness: Sendable {
    static let seller = testKey(1)
    static let buyer = testKey(2)
    static let arbiter = testKey(3)
    static let stranger = testKey(4)
    static let platform = testKey(5).address

    let dev: DevChain
    let chain: ChainHarness
    let deployment: DeployedMarket

    static func client(_ dev: DevChain, _ transport: HTTPTransport) -> ChainClient {
        ChainClient(
            chain: ChainID(dev.chainNumber),
            endpoints: [dev.endpoint],
            transport: transport,
            logger: quiet
        )
    }

    static func deployed(on dev: DevChain, _ transport: HTTPTransport) async throws -> SaleHarness {
        for key in [seller, buyer, arbiter, stranger] {
            try await dev.fund(key.address, ether: 200)
        }
        var plan = MarketPlan(platform: platform)
        plan.testTokens = [.init(name: "Test Dollar", symbol: "TST", decimals: 6)]
        let client = client(dev, transport)
        let harness = SenderHarness(signer: KeySigner(stranger), client: client)
        let deployment = try await harness.run { sender in
            try await Deployer(
                plan: plan,
                sender: sender,
                client: client,
                contracts: escrowOnly,
                logger: quiet
            ).run()
        }
        return SaleHarness(
            dev: dev,
            chain: ChainHarness(
                dev: dev,
                transport: transport,
                filter: escrowOnly.filter(for: deployment)
            ) {
                $0.limits.mistrust = .milliseconds(50)
            },
            deployment: deployment
        )
    }

    /// Runs the chain service and everybody's sender for as long as `body` does.
    func run(_ body: (Market) async throws -> Void) async throws {
        func harness(_ key: PrivateKey) -> SenderHarness {
            SenderHarness(signer: KeySigner(key), client: chain.client)
        }
        try await chain.run { service in
            try await harness(Self.seller).run { seller in
                try await harness(Self.buyer).run { buyer in
                    try await harness(Self.arbiter).run { arbiter in
                        try await harness(Self.stranger).run { stranger in
                            let market = Market(
                                harness: self,
                                service: service,
                                senders: [seller, buyer, arbiter, stranger]
                            )
                            try await body(market)
                        }
                    }
                }
            }
        }
    }
}
