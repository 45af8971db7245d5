import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

/// What auctions and direct sales have in common: the comparison with the market's file.
struct ItemSaleContractTests {
    private typealias Samples = ItemSaleSamples
    private let transport = FakeTransport()
    private let item = number(1).address
    private let platform = number(2).address
    private let token = number(3).address

    @Test func `finds no difference in a contract that matches the file`() async throws {
        #expect(try await differences { _ in } == [nil, nil])
    }

    @Test func `names each difference from the file`() async throws {
        let other = number(9).address
        let kinds = [SaleKind.auction, .direct]
        let found = try await differences { $0["ITEM"] = [.address(other)] }
        #expect(found == kinds.map { .item(of: $0, other) })
        let chain = try await differences { $0["CHAIN_ID"] = [.uint(1)] }
        #expect(chain == kinds.map { .chain(of: $0, 1) })
        let payee = try await differences { $0["PLATFORM"] = [.address(other)] }
        #expect(payee == kinds.map { .platform(of: $0, other) })
        let points = try await differences { $0["PLATFORM_BPS"] = [.uint(201)] }
        #expect(points == kinds.map { .platformBasisPoints(of: $0, 201) })
        let maker = try await differences { $0["MAKER_BPS"] = [.uint(99)] }
        #expect(maker == kinds.map { .makerBasisPoints(of: $0, 99) })
        let tokens = try await differences { $0["currencies"] = [.array([.address(other)])] }
        #expect(tokens == kinds.map { .tokens(of: $0, [other]) })
    }

    /// Asks both kinds of contract, after `change` of what they answer.
    private func differences(
        _ change: (inout [String: [ABIValue]]) -> Void
    ) async throws -> [MarketDifference?] {
        var answers: [String: [ABIValue]] = [
            "ITEM": [.address(item)], "CHAIN_ID": [.uint(31_337)],
            "PLATFORM": [.address(platform)],
            "PLATFORM_BPS": [.uint(200)], "MAKER_BPS": [.uint(100)],
            "currencies": [.array([.address(token)])],
        ]
        change(&answers)
        let endpoint = try Endpoint(url: "https://first.example")
        var results: [(selector: String, result: String)] = []
        for (name, values) in answers {
            let function = try Artifact.auction.interface.function(name)
            results.append(
                (
                    Hex.encode(try function.encodeCall()),
                    Hex.encode(try function.encodeResult(values))
                )
            )
        }
        transport.set(endpoint) { [results] request in
            let text = String(decoding: request, as: UTF8.self)
            let found = results.first { text.contains("0x" + $0.selector) }
            let result = found.map { "0x" + $0.result } ?? "0x7a69"
            return [UInt8](#"{"jsonrpc":"2.0","id":0,"result":"\#(result)"}"#.utf8)
        }
        let client = ChainClient(
            chain: ChainID(31_337),
            endpoints: [endpoint],
            transport: transport,
            clock: ManualClock(),
            logger: quiet
        )
        let auction = try await AuctionContract(address: Samples.contract)
            .difference(from: contract(.auction), in: market, client)
        let direct = try await DirectSaleContract(address: Samples.contract)
            .difference(from: contract(.direct), in: market, client)
        return [auction, direct]
    }

    private var market: DeployedMarket {
        DeployedMarket(chain: ChainID(31_337), item: location(item), contracts: [])
    }

    private func contract(_ kind: SaleKind) throws -> DeployedMarket.Contract {
        let fees = MarketFees(
            platformBasisPoints: 200,
            makerBasisPoints: 100,
            platform: platform
        )
        return DeployedMarket.Contract(
            kind: kind,
            location: location(Samples.contract),
            fees: try #require(fees),
            tokens: [token]
        )
    }

    private func location(_ address: Address) -> DeployedMarket.Location {
        DeployedMarket.Location(
            address: address,
            firstBlock: 1,
            creation: ContractCreation(factory: .zero, salt: .zero, arguments: [])
        )
    }
}
