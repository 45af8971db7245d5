import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing
import Trade

/// Which chain a call is about.
struct MarketsTests {
    private static let shared = testKey(40).address
    private static let (first, second) = (testKey(41).address, testKey(42).address)

    private static func chain(_ number: UInt64, tokens: [Address]) throws -> MarketChain {
        let market = DeployedMarket(chain: ChainID(number), tokens: tokens)
        let index = SaleIndex(deployment: market, confirmations: 1, clock: ManualClock())
        let endpoint = try Endpoint(url: "http://127.0.0.1:1")
        let service = ChainService(
            configuration: ChainConfiguration(
                chain: market.chain,
                endpoints: [endpoint],
                filter: index.filter
            ),
            client: ChainClient(
                chain: market.chain,
                endpoints: [endpoint],
                transport: FakeTransport(),
                logger: quiet
            ),
            store: MemoryChainStore(),
            listener: ListenerLog(),
            logger: quiet
        )
        return MarketChain(saleIndex: index, service: service, fees: .standard(for: market.chain))
    }

    private static func markets() throws -> Markets {
        Markets([
            try chain(1, tokens: [shared, first]), try chain(8_217, tokens: [shared, second]),
        ])
    }

    private static func chosen(
        _ currency: String,
        on chain: UInt64? = nil,
        of markets: Markets
    ) throws -> UInt64 {
        let content = ListingContent(
            title: "Red bicycle",
            price: Money(amount: "1", currency: currency),
            chain: chain
        )
        return try markets.chain(of: content).chain.number
    }

    /// - From people: a chain that the node does not follow → unknown_chain
    @Test func `uses the only chain if a call names none`() throws {
        let one = Markets([try Self.chain(8_217, tokens: [])])
        #expect(try one.chain(entered: nil).chain == ChainID(8_217))
        #expect(try Self.chosen("native", of: one) == 8_217)
        let refusal = #expect(throws: Refusal.self) { try one.chain(entered: 1) }
        #expect(refusal?.code == .unknownChain && refusal?.field == "chain")
    }

    /// - From people: no chain named on a node that follows several → ambiguous_chain
    @Test func `a call must name its chain if there are several`() throws {
        let markets = try Self.markets()
        let refusal = #expect(throws: Refusal.self) { try markets.chain(entered: nil) }
        #expect(refusal?.code == .ambiguousChain && refusal?.field == "chain")
        #expect(refusal?.detail.contains("1 (ETH), 8217 (KAIA)") == true)
        #expect(try markets.chain(entered: 8_217).chain == ChainID(8_217))
    }

    @Test func `a listing is sold on its token's chain or on the one it names`() throws {
        let markets = try Self.markets()
        #expect(try Self.chosen(Self.second.checksummed, of: markets) == 8_217)
        #expect(try Self.chosen(Self.shared.checksummed, on: 1, of: markets) == 1)
        #expect(try Self.chosen("native", on: 8_217, of: markets) == 8_217)
        for currency in ["native", Self.shared.checksummed] {
            let refusal = #expect(throws: Refusal.self) { try Self.chosen(currency, of: markets) }
            #expect(refusal?.code == .ambiguousChain)
        }
    }

    /// - From people: a price, transfer or collection in a token of another of the node's chains →
    ///   bad_listing, bad_address
    @Test func `names the chain of a token that is refused`() throws {
        let markets = try Self.markets()
        let refusal = #expect(throws: Refusal.self) {
            try Self.chosen(Self.first.checksummed, on: 8_217, of: markets)
        }
        #expect(refusal?.code == .badListing && refusal?.field == "price.currency")
        #expect(refusal?.detail.contains("a currency of chain 1, not of chain 8217") == true)
        let kaia = try markets.chain(entered: 8_217)
        let sent = #expect(throws: Refusal.self) {
            try markets.requireOwn(
                Self.first.checksummed,
                on: kaia,
                .badAddress,
                field: "currency"
            )
        }
        #expect(sent?.code == .badAddress)
        // One that no chain has is refused by whoever takes the amount.
        try markets.requireOwn(testKey(43).address.checksummed, on: kaia, .badAddress, field: "")
    }
}
