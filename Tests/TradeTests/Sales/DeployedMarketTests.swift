import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Support
import Testing
import Trade

struct DeployedMarketTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ text: String, chain: UInt64 = 31_337) throws -> DeployedMarket {
        let path = folder.path("market.json")
        try Data(text.utf8).write(to: URL(filePath: path))
        return try DeployedMarket(file: path, chain: ChainID(chain))
    }

    @Test func `reads its own output`() throws {
        let market = try DeployedMarket.proven(tokens: [testKey(4).address])

        #expect(try read(String(decoding: market.json, as: UTF8.self)) == market)
    }

    /// - From commands: a missing deployment file → exit 4
    @Test func `names the path if the file is missing`() {
        let path = folder.path("none.json")

        #expect(throws: DeploymentError.missing(path: path)) {
            try DeployedMarket(file: path, chain: ChainID(1))
        }
    }

    /// - From commands: a deployment file for another chain → exit 4
    @Test func `refuses another chain's deployment`() throws {
        let market = try DeployedMarket.proven(tokens: [testKey(4).address])
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

    @Test func `keeps the proof of a contract's address and the known tokens`() throws {
        let market = try DeployedMarket.proven(tokens: [testKey(4).address])
        let creation = ContractCreation(
            factory: testKey(9).address,
            salt: Bytes32(repeating: 5),
            arguments: [1, 2, 3]
        )
        let location = DeployedMarket.Location(
            address: testKey(2).address,
            firstBlock: 8,
            creation: creation
        )
        let proven = DeployedMarket(
            chain: market.chain,
            item: location,
            contracts: market.contracts + [
                DeployedMarket.Contract(
                    kind: .escrow,
                    location: location,
                    fees: market.escrowContract.fees,
                    tokens: []
                )
            ],
            tokens: [
                DeployedMarket.Token(address: testKey(4).address, symbol: "TST", decimals: 6)
            ]
        )

        let read = try read(String(decoding: proven.json, as: UTF8.self))
        #expect(read == proven)
        #expect(read.contract(for: .escrow)?.address == location.address)
    }

    /// - From commands: a deployment file with a contract whose address does not prove what was
    ///   deployed there → exit 4
    @Test func `reports a contract with an unproved address and does not start`() throws {
        let market = try DeployedMarket.proven(tokens: [testKey(4).address])
        #expect(market.unproven(SaleKinds.standard.contracts) == nil)
        let fees = market.escrowContract.fees
        let forged = DeployedMarket.Contract(
            kind: .escrow,
            location: .made(of: .item, arguments: []),
            fees: fees,
            tokens: []
        )
        let second = DeployedMarket(
            chain: market.chain,
            item: market.item,
            contracts: market.contracts + [forged]
        )
        #expect(second.unproven(SaleKinds.standard.contracts) == .creation(of: .escrow))
        // A genuine contract of another item, with other fees or tokens, is not what the file says.
        for (item, fees, tokens) in [
            (testKey(9).address, fees, [testKey(4).address]),
            (market.item.address, fees, []),
        ] {
            let other = DeployedMarket.Contract(
                kind: .escrow,
                location: .made(
                    of: EscrowContract.artifact,
                    arguments: EscrowContract.arguments(item: item, fees: fees, tokens: tokens)
                ),
                fees: fees,
                tokens: [testKey(4).address]
            )
            let changed = DeployedMarket(
                chain: market.chain,
                item: market.item,
                contracts: [other]
            )
            #expect(changed.unproven(SaleKinds.standard.contracts) == .creation(of: .escrow))
        }
        let item = DeployedMarket(
            chain: market.chain,
            item: market.escrowContract.location,
            contracts: market.contracts
        )
        #expect(item.unproven(SaleKinds.standard.contracts) == .itemCreation)

        let path = folder.path("forged.json")
        try Data(second.json).write(to: URL(filePath: path))
        let sources = try ConfigurationSources(
            flags: [
                "chain.deployment": path, "chain.id": "31337", "chain.rpc": "http://127.0.0.1:1",
            ],
            environment: [:],
            file: folder.path("none.yaml")
        )
        let configuration = try Configuration(sources)
        let error = #expect(throws: DeploymentError.self) {
            try MarketServices.saleIndexes(configuration, clock: ManualClock())
        }
        #expect(error == .notGenuine(path: path, difference: .creation(of: .escrow)))
        #expect(error?.description.contains("Do not use that market") == true)
    }

    /// - From commands: a market's file with more than 16 arbiters, one without a valid address, or
    ///   a name of more than a line → exit 4
    @Test func `reads and writes the file's arbiters and reports their faults`() throws {
        let market = try DeployedMarket.proven(tokens: [testKey(4).address])
        let plain = String(decoding: market.json, as: UTF8.self)
        #expect(!plain.contains("arbiters"))
        #expect(try read(plain).arbiters.isEmpty)
        func file(_ arbiters: String) -> String {
            plain.replacing("\"chain\" :", with: "\"arbiters\" : [\(arbiters)], \"chain\" :")
        }
        let carla = testKey(6).address
        let one = #"{ "account" : "\#(carla.checksummed)", "name" : "Carla" }"#
        let named = try read(file(one))
        #expect(named.arbiters == [.init(account: carla, name: "Carla")])
        #expect(try read(String(decoding: named.json, as: UTF8.self)).arbiters == named.arbiters)
        let index = SaleIndex(deployment: named, confirmations: 1, clock: ManualClock())
        #expect(index.status.arbiters.map(\.account) == [carla.checksummed])
        let long = String(repeating: "x", count: 65)
        for (arbiters, reason) in [
            (#"{ "account" : "carla" }"#, "'arbiters.account' is not an address: 'carla'"),
            (one.replacing("Carla", with: long), "'arbiters.name' is one line of at most 64 bytes"),
            (
                [String](repeating: one, count: 17).joined(separator: ","),
                "'arbiters' has more than 16 entries"
            ),
        ] {
            let error = #expect(throws: DeploymentError.self) { try read(file(arbiters)) }
            #expect(error == .malformed(path: folder.path("market.json"), reason: reason))
        }
    }

    @Test func `reads only the address of a contract for an unknown kind`() throws {
        let market = try DeployedMarket.proven(tokens: [testKey(4).address])
        let text = String(decoding: market.json, as: UTF8.self).replacing(
            "\"contracts\" : [",
            with: """
                "contracts" : [
                { "kind" : "raffle", "address" : "\(testKey(6).address.checksummed)", "fees" : 3 },
                """
        )

        let read = try read(text)
        #expect(read.contracts == market.contracts)
        #expect(read.unknown == [testKey(6).address: SaleKind(rawValue: "raffle")])
        let index = SaleIndex(deployment: read, confirmations: 1, clock: ManualClock())
        let raffle = ContractReference(chain: read.chain, address: testKey(6).address)
        #expect(index.role(of: raffle) == .unknownKind(SaleKind(rawValue: "raffle")))
        #expect(index.role(of: market.contract) == .sells(.escrow))
        #expect(!index.filter.addresses.contains(raffle.address))
    }

    /// - From commands: a deployment file in an earlier format → exit 4
    /// - From commands: a deployment file in a newer format → exit 4
    @Test func `refuses a file in another format and says what to do`() throws {
        let path = folder.path("market.json")
        let old = #"{ "chain" : 31337, "item" : "0x1", "escrow" : "0x2", "firstBlock" : 1 }"#
        for (text, isNewer) in [
            (old, false), (#"{ "form" : 3 }"#, false), (#"{ "form" : 5 }"#, true),
        ] {
            let error = #expect(throws: DeploymentError.self) { try read(text) }
            #expect(error == .otherForm(path: path, isNewer: isNewer))
            let advice =
                isNewer ? "Install that version" : "Deploy a new one with 'stoa chain deploy'"
            #expect(error?.description.contains(advice) == true)
        }
    }

    @Test func `names the fault in malformed text`() throws {
        let market = try DeployedMarket.proven(tokens: [testKey(4).address])
        let text = String(decoding: market.json, as: UTF8.self)
        let path = folder.path("market.json")
        let cases = [
            ("no json", "it is not JSON"),
            (text.replacing("\"item\"", with: "\"items\""), "'item' is missing"),
            (
                text.replacing("\"creation\"", with: "\"created\""),
                "'item.creation' is missing"
            ),
            (text.replacing("\"fees\"", with: "\"feet\""), "'contracts.1.fees' is missing"),
            (
                text.replacing(market.item.address.checksummed, with: "0x12"),
                "'item.address' is not an address: '0x12'"
            ),
            (
                text.replacing("\"makerBasisPoints\" : 200", with: "\"makerBasisPoints\" : 2000"),
                "a fee is above what the contracts allow"
            ),
            (
                text.replacing("\"firstBlock\" : 7", with: "\"firstBlock\" : \"7\""),
                "'item.firstBlock' has another type"
            ),
        ]
        for (text, reason) in cases {
            #expect(throws: DeploymentError.malformed(path: path, reason: reason)) {
                try read(text)
            }
        }
    }

    @Test(arguments: [1, 1_337, 31_337] as [UInt64])
    func `warns of one endpoint alone, but not on a development chain`(chain: UInt64) {
        let market = DeployedMarket(
            chain: ChainID(chain),
            item: testKey(22).address,
            escrow: testKey(23).address,
            fees: SampleSale.fees
        )
        let index = SaleIndex(deployment: market, confirmations: 1, clock: ManualClock())
        #expect(index.status.warnings.isEmpty == (chain != 1))
    }
}
