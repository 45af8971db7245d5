import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

struct EscrowContractTests {
    private let escrow = EscrowContract(address: number(0xE5).address)
    private let sale = SaleID(Bytes32(repeating: 3))
    private let native = makeOffer(makeTerms(.native))
    private let inToken = makeOffer(makeTerms(.token(number(0x70).address)))

    @Test func `sends deposits along if the currency is the chain's own`() throws {
        #expect(escrow.list(native).value == native.terms.sellerDeposit)
        #expect(escrow.list(inToken).value == .zero)
        #expect(escrow.buy(native).value == native.terms.buyerSends)
        #expect(escrow.buy(inToken).value == .zero)
    }

    @Test func `the contract's interface decodes the listing that a call encodes`() throws {
        let list = try Artifact.escrow.interface.function("list")
        #expect(try list.decodeCall(escrow.list(native).data) == [offerValue(native)])
        #expect(native.maker == native.seller)
        let own = makeOffer(native.terms, token: Amount(small: 8), maker: number(4).address)
        #expect(try list.decodeCall(escrow.list(own).data) == [offerValue(own)])
    }

    @Test func `encodes every move as the function of its name`() throws {
        let until = ChainTime(seconds: 9)
        let proposal = SettlementProposal(by: .zero, share: .all, until: until)
        let calls: [(EscrowMove, ContractCall, [ABIValue])] = [
            (.abort, escrow.abort(native), []), (.buy, escrow.buy(native), []),
            (.decline, escrow.decline(native), []),
            (.relist, escrow.relist(native), []),
            (.transferItem, escrow.transferItem(native), []),
            (.refund, escrow.refund(native), []), (.confirm, escrow.confirm(native), []),
            (.dispute, escrow.dispute(native), []), (.claim, escrow.claim(native), []),
            (.take, escrow.take(native), []),
            (.executeDefault, escrow.executeDefault(native), []),
            (.rule, escrow.rule(native, share: .all), [.uint(10_000)]),
            (
                .propose,
                escrow.propose(native, share: .none, until: until, feeDue: Amount(small: 3)),
                [.uint(0), .uint(9), .uint(3)]
            ),
            (.withdrawProposal, escrow.withdrawProposal(native), []),
            (
                .agree(proposal), escrow.agree(native, share: .all, feeDue: Amount(small: 4)),
                [.uint(10_000), .uint(4)]
            ),
        ]
        for (move, call, rest) in calls {
            let function = try Artifact.escrow.interface.function(move.name)
            #expect(try function.decodeCall(call.data) == [offerValue(native)] + rest)
            #expect(call.to == escrow.address)
        }
    }

    @Test func `encodes calls that concern no sale`() throws {
        let interface = Artifact.escrow.interface
        let withdraw = escrow.withdraw(Amount(small: 4), of: .native, to: number(1).address)
        #expect(
            try interface.function("withdraw").decodeCall(withdraw.data)
                == [.address(.zero), .uint(4), .address(number(1).address)]
        )
        let arbitrate = escrow.arbitrate(
            in: .token(number(7).address),
            feeMin: Amount(small: 3),
            until: ChainTime(seconds: 99)
        )
        #expect(
            try interface.function("arbitrate").decodeCall(arbitrate.data)
                == [.address(number(7).address), .uint(3), .uint(99)]
        )
        for call in [withdraw, arbitrate] {
            #expect(escrow.sale(in: call.data, on: ChainID(1)) == nil)
        }
    }

    @Test func `finds the sale and the offer in a call's data`() throws {
        let chain = ChainID(31_337)
        let contract = ContractReference(chain: chain, address: escrow.address)
        let resale = makeOffer(native.terms, token: Amount(small: 8), maker: number(4).address)
        for offer in [native, inToken, resale] {
            let id = offer.sale(in: contract).id
            let calls = [
                escrow.list(offer), escrow.buy(offer), escrow.rule(offer, share: .all),
                escrow.propose(
                    offer,
                    share: .all,
                    until: ChainTime(seconds: 9),
                    feeDue: .zero
                ),
            ]
            for call in calls {
                #expect(EscrowContract.offer(in: call.data) == offer)
                #expect(escrow.sale(in: call.data, on: chain) == id)
                #expect(escrow.sale(in: call.data, on: ChainID(1)) != id)
                #expect(escrow.sale(in: [UInt8](call.data.dropLast()), on: chain) == nil)
            }
        }
        #expect(escrow.sale(in: [], on: chain) == nil)
    }

    @Test func `reads a sale from the contract's storage form`() throws {
        let function = try Artifact.escrow.interface.function("sale")
        let none = try function.encodeResult([saleValue(status: 0)])
        #expect(try escrow.sale(sale).decode(none) == nil)

        let paid = try function.encodeResult([saleValue(status: 2, buyersUntil: 99)])
        let read = try #require(try escrow.sale(sale).decode(paid))
        #expect(read.status == .paid && read.stage == .running && !read.isTaken)
        #expect(read.buyer == number(6).address && read.token == Amount(small: 1))
        #expect(read.deadline == ChainTime(seconds: 44))
        #expect(read.sellerProposal == nil)
        #expect(read.buyerProposal?.share == SellerShare(basisPoints: 5_000))
        #expect(read.buyerProposal?.until == ChainTime(seconds: 99))

        let over = try function.encodeResult([saleValue(status: 32, deadline: 0)])
        let ended = try #require(try escrow.sale(sale).decode(over))
        #expect(ended.status == .declined && ended.deadline == nil && ended.stage == .over)
        let taken = try function.encodeResult([saleValue(status: 8, isTaken: true)])
        #expect(try escrow.sale(sale).decode(taken)?.isTaken == true)
        let odd = try function.encodeResult([saleValue(status: 3)])
        #expect(throws: ABIError.meaningless("a status")) { try escrow.sale(sale).decode(odd) }
    }

    @Test func `reads an arbiter's terms`() throws {
        let query = escrow.arbiterTerms(of: number(5).address, in: .native)
        let function = try Artifact.escrow.interface.function("arbiter_terms")
        #expect(
            try function.decodeCall(query.call.data)
                == [.address(number(5).address), .address(.zero)]
        )
        let found = try query.decode(function.encodeResult([.uint(20), .uint(2_000_000)]))
        #expect(found.feeMin == Amount(small: 20) && found.until == ChainTime(seconds: 2_000_000))
    }

    @Test func `asks for the same id that Market computes`() throws {
        let offer = makeOffer(native.terms, token: Amount(small: 8), maker: number(4).address)
        let arguments = try Artifact.escrow.interface.function("sale_id").decodeCall(
            escrow.saleID(of: offer).call.data
        )
        let types = try ABIType.parameters(
            ofSignature: "f(uint256,address,(address,bytes32,uint256,address,bytes32,bytes32,"
                + "(address,uint256,uint256,uint256,uint256,address,uint256,uint256,uint256,"
                + "uint256,uint256,address)))"
        )
        let bytes = try ABI.encode(
            [.uint(31_337), .address(escrow.address)] + arguments,
            as: types
        )
        let contract = ContractReference(chain: ChainID(31_337), address: escrow.address)
        #expect(offer.id(on: contract).hash == Keccak256.hash(bytes))
    }

    @Test func `writes the constructor's arguments`() throws {
        let fees = try #require(
            MarketFees(
                platformBasisPoints: 200,
                makerBasisPoints: 100,
                platform: number(2).address
            )
        )
        let arguments = EscrowContract.arguments(
            item: number(1).address,
            fees: fees,
            tokens: [number(3).address]
        )
        #expect(
            try ABI.decode(
                arguments,
                as: Artifact.escrow.interface.constructorInputs.map(\.type)
            ) == [
                .address(number(1).address), .address(number(2).address), .uint(200),
                .array([.address(number(3).address)]),
            ]
        )
    }

    @Test func `joins code and arguments for the factory`() throws {
        let factory = FactoryContract(address: number(0xFA).address)
        let call = factory.create(salt: Bytes32(repeating: 9), code: [1, 2, 3])
        #expect(
            try Artifact.factory.interface.function("create").decodeCall(call.data)
                == [.bytes32(Bytes32(repeating: 9)), .bytes([1, 2, 3])]
        )
        #expect(call.to == factory.address && call.value == .zero)
        #expect(FactoryContract.creation == Artifact.factory.bytecode)
    }

    private func saleValue(
        status: BigUInt,
        deadline: BigUInt = 44,
        isTaken: Bool = false,
        buyersUntil: BigUInt = 0
    ) -> ABIValue {
        .tuple([
            .uint(status), .address(number(6).address), .uint(1), .uint(deadline), .bool(isTaken),
            .tuple([.uint(0), .uint(0)]),
            .tuple([.uint(buyersUntil == 0 ? 0 : 5_000), .uint(buyersUntil)]),
        ])
    }
}
