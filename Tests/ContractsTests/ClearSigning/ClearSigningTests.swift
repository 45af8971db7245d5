import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

@testable import Contracts

/// What wallets show of calls and records.
struct ClearSigningTests {
    private static let contracts: [(Artifact, ClearSigningTexts)] = [
        (.item, ItemContract.clearSigning),
        (EscrowContract.artifact, EscrowContract.clearSigning),
        (AuctionContract.artifact, AuctionContract.clearSigning),
        (DirectSaleContract.artifact, DirectSaleContract.clearSigning),
        (CoursesContract.artifact, CoursesContract.clearSigning),
    ]

    @Test func `describes exactly the functions that change state`() {
        for (artifact, texts) in Self.contracts {
            let functions = artifact.interface.functions.filter {
                $0.mutability == .payable || $0.mutability == .nonpayable
            }
            let described = texts.calls.map { artifact.interface.known($0.function).signature }
            #expect(Set(described).count == described.count, "\(artifact.name)")
            #expect(Set(described) == Set(functions.map(\.signature)), "\(artifact.name)")
        }
    }

    @Test func `each path exists, each argument has words, each amount a currency`() {
        for (artifact, texts) in Self.contracts {
            var used: Set<String> = []
            for call in texts.calls {
                let function = artifact.interface.known(call.function)
                let paths = Set(function.paths + ["@.value"])
                let named = texts.fields + call.fields
                used.formUnion(function.paths)
                for path in call.shown {
                    #expect(paths.contains(path), "\(artifact.name).\(call.function): \(path)")
                }
                for path in function.paths {
                    guard let field = named.last(where: { $0.path == path }) else {
                        Issue.record("\(artifact.name).\(call.function): \(path) has no words")
                        continue
                    }
                    if case .amount(let currency) = field.format {
                        #expect(paths.contains(currency), "\(call.function): \(currency)")
                    }
                }
            }
            for field in texts.fields where field.path != "@.value" {
                #expect(used.contains(field.path), "\(artifact.name): \(field.path) is nowhere")
            }
        }
    }

    @Test func `shows an attached payment only for payable functions`() {
        for (artifact, texts) in Self.contracts {
            for call in texts.calls {
                let function = artifact.interface.known(call.function)
                #expect(
                    call.shown.contains("@.value") == (function.mutability == .payable),
                    "\(artifact.name).\(call.function)"
                )
            }
        }
    }

    @Test func `a fragment without parameter names equals the function's signature`() throws {
        let interface = CoursesContract.artifact.interface
        #expect(
            interface.known("evaluate").fragment
                == """
                evaluate(bytes32 id,uint256 round,(address currency,uint256 price,uint256 seats,\
                uint256 start,uint256 end,uint256 begin_grace,uint256 rating_window) terms,\
                uint256[5] points)
                """
        )
        for (artifact, _) in Self.contracts {
            for function in artifact.interface.functions {
                let bare = function.fragment.replacing(/\ [a-z_A-Z0-9]+/, with: "")
                #expect(bare == function.signature)
            }
        }
    }

    @Test func `descriptors name the contracts, the chain and all typed data`() throws {
        let market = try sample()
        let descriptors = market.clearSigning(
            SaleContracts([EscrowContract.self, AuctionContract.self])
        )
        #expect(descriptors.map(\.name) == ["Item.json", "Escrow.json", "Record.json"])
        let escrow = try object(descriptors[1].json)
        let context = try #require(escrow["context"] as? [String: Any])
        let contract = try #require(context["contract"] as? [String: [[String: Any]]])
        let deployment = try #require(contract["deployments"]?.first)
        #expect(deployment["chainId"] as? UInt64 == market.chain.number)
        #expect(deployment["address"] as? String == market.contracts[0].address.checksummed)
        let record = try object(descriptors[2].json)
        let display = try #require(record["display"] as? [String: [String: Any]])
        let types = [RecordDigest.type, AccountProof.type]
        #expect(Set(try #require(display["formats"]).keys) == Set(types))
        for type in types {
            let format = try #require(display["formats"]?[type] as? [String: Any])
            let fields = try #require(format["fields"] as? [[String: Any]])
            let members = type.split(separator: "(")[1].dropLast().split(separator: ",")
            let names = members.compactMap { $0.split(separator: " ").last.map(String.init) }
            #expect(Set(fields.compactMap { $0["path"] as? String }) == Set(names))
        }
    }

    private func sample() throws -> DeployedMarket {
        func location(_ seed: UInt8) -> DeployedMarket.Location {
            DeployedMarket.Location(
                address: testKey(seed).address,
                firstBlock: 1,
                creation: ContractCreation(factory: .zero, salt: .zero, arguments: [])
            )
        }
        let fees = try #require(
            MarketFees(
                platformBasisPoints: 200,
                makerBasisPoints: 100,
                platform: testKey(2).address
            )
        )
        let escrow = DeployedMarket.Contract(
            kind: .escrow,
            location: location(4),
            fees: fees,
            tokens: []
        )
        return DeployedMarket(chain: ChainID(31_337), item: location(3), contracts: [escrow])
    }

    private func object(_ json: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }
}
