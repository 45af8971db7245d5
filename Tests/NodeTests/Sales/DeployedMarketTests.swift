import Foundation
import Keys
import Market
import Node
import Support
import Testing

struct DeployedMarketTests {
    private static let market: DeployedMarket? = MarketFees(
        platformBasisPoints: 200,
        makerBasisPoints: 200,
        platform: testKey(3).address
    ).map { fees in
        DeployedMarket(
            chain: ChainID(31_337),
            item: testKey(1).address,
            escrow: testKey(2).address,
            firstBlock: 7,
            fees: fees,
            tokens: [testKey(4).address]
        )
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ text: String, chain: UInt64 = 31_337) throws -> DeployedMarket {
        let path = folder.path("market.json")
        try Data(text.utf8).write(to: URL(filePath: path))
        return try DeployedMarket(file: path, chain: ChainID(chain))
    }

    @Test func `reads what was written`() throws {
        let market = try #require(Self.market)

        #expect(try read(String(decoding: market.json, as: UTF8.self)) == market)
    }

    @Test func `names the path of a missing file`() {
        let path = folder.path("none.json")

        #expect(throws: DeploymentError.missing(path: path)) {
            try DeployedMarket(file: path, chain: ChainID(1))
        }
    }

    @Test func `refuses another chain's deployment`() throws {
        let market = try #require(Self.market)
        let path = folder.path("market.json")

        #expect(
            throws: DeploymentError.otherChain(
                path: path,
                found: ChainID(31_337),
                configured: ChainID(1)
            )
        ) {
            try read(String(decoding: market.json, as: UTF8.self), chain: 1)
        }
    }

    @Test func `names what is wrong with the text`() throws {
        let market = try #require(Self.market)
        let text = String(decoding: market.json, as: UTF8.self)
        let path = folder.path("market.json")
        let cases = [
            ("no json", "it is not JSON"),
            (text.replacing("\"escrow\"", with: "\"escrov\""), "'escrow' is missing"),
            (
                text.replacing(market.item.checksummed, with: "0x12"),
                "'item' is not an address: '0x12'"
            ),
            (
                text.replacing("\"makerBasisPoints\" : 200", with: "\"makerBasisPoints\" : 2000"),
                "a fee is above what the contracts allow"
            ),
            (
                text.replacing("\"firstBlock\" : 7", with: "\"firstBlock\" : \"7\""),
                "'firstBlock' has another type"
            ),
        ]
        for (text, reason) in cases {
            #expect(throws: DeploymentError.malformed(path: path, reason: reason)) {
                try read(text)
            }
        }
    }
}
