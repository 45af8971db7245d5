import Keys
import Market
import Support
import Testing
import Texts

@testable import Contracts
@testable import Ethereum

struct CallWordsTests {
    private static let escrow = testKey(4).address
    private static let token = testKey(6).address
    private static let item = testKey(3).address
    private static let kinds = SaleContracts([EscrowContract.self])

    private func market() throws -> DeployedMarket {
        func location(_ address: Address) -> DeployedMarket.Location {
            DeployedMarket.Location(
                address: address,
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
        let contract = DeployedMarket.Contract(
            kind: .escrow,
            location: location(Self.escrow),
            fees: fees,
            tokens: [Self.token]
        )
        return DeployedMarket(
            chain: ChainID(31_337),
            item: location(Self.item),
            contracts: [contract]
        )
    }

    private func words(_ call: ContractCall) throws -> CallWords {
        let transaction = Transaction(
            chain: ChainID(31_337),
            nonce: 0,
            to: call.to,
            value: call.value,
            data: call.data,
            gasLimit: 100_000,
            pricing: .legacy(gasPrice: Amount(small: 1))
        )
        return try market().words(of: transaction, Self.kinds)
    }

    @Test func `describes a purchase with price, deposit, times and payment`() throws {
        let offer = makeOffer(makeTerms(.native))
        let words = try words(EscrowContract(address: Self.escrow).buy(offer))

        #expect(words.intent.detail == "Buy an item and lock your deposit")
        let lines = words.sentences.map(\.detail)
        #expect(lines.contains("Seller: \(offer.seller.checksummed)"), "\(lines)")
        #expect(lines.contains("Price: 0.000000000000001 ETH"), "\(lines)")
        #expect(lines.contains("Paid in now: 0.000000000000002 ETH"), "\(lines)")
        #expect(lines.contains("Time to deliver: 3 days"), "\(lines)")
        #expect(lines.contains("Arbiter: nobody"), "\(lines)")
        #expect(lines.contains("Offer ends: 1970-01-24 03:33:20Z"), "\(lines)")
    }

    @Test func `describes every contract call in the words of its descriptor`() throws {
        let contract = EscrowContract(address: Self.escrow)
        let offer = makeOffer(makeTerms(.token(Self.token)))
        for call in [
            contract.list(offer), contract.abort(offer), contract.transferItem(offer),
            contract.refund(offer), contract.confirm(offer),
        ] {
            let selector = try #require(FunctionSelector(startOf: call.data))
            let function = try #require(EscrowContract.artifact.interface.function(selector))
            let described = EscrowContract.clearSigning.calls.first { $0.function == function.name }
            let shown = try #require(described)
            let words = try words(call)
            #expect(words.intent.code == shown.intent)
            #expect(words.details.count == shown.shown.count)
            let price = ["label": "label.price", "value": "1000 \(Self.token) 31337"]
            #expect(words.details.contains { $0.code == "signing.amount" && $0.values == price })
            #expect(words.sentences.detail.contains("Price: 1000 units of token \(Self.token)"))
        }
    }

    @Test func `describes a token allowance, a payment, and an unknown call`() throws {
        let token = TokenContract(address: Self.token)
        let approval = try words(token.approve(Self.escrow, amount: Amount(small: 5)))
        #expect(
            approval.sentences.map(\.detail) == [
                "Allow a contract to take tokens of yours",
                "At most: 5 units of token \(Self.token)",
                "Contract: \(Self.escrow.checksummed)",
            ]
        )
        let payment = ContractCall(to: testKey(8).address, value: Amount(small: 1), data: [])
        #expect(try words(payment).intent.detail == "Send money")
        for data in [[1, 2, 3, 4], [1]] as [[UInt8]] {
            let unknown = ContractCall(to: Self.escrow, data: data)
            #expect(try words(unknown).intent == Sentence("call.unknown"))
        }
    }
}
