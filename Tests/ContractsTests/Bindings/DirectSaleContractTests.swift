import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

struct DirectSaleContractTests {
    private typealias Samples = ItemSaleSamples
    private let contract = DirectSaleContract(address: Samples.contract)
    private let offer = Samples.direct(.native)

    @Test func `the contract's interface decodes the offer that a call encodes`() throws {
        let value = Samples.value(Samples.directTerms)
        let calls: [(DirectSaleMove, ContractCall)] = [
            (.list, contract.list(offer)), (.pay, contract.pay(offer)),
            (.abort, contract.abort(offer)),
        ]
        for (move, call) in calls {
            let function = try Artifact.directSale.interface.function(move.name)
            #expect(try function.decodeCall(call.data) == [value])
            #expect(call.value == (move == .pay ? offer.terms.price : .zero))
            #expect(DirectSaleContract.offer(in: call.data) == offer)
            let reference = ContractReference(chain: ChainID(1), address: Samples.contract)
            #expect(contract.sale(in: call.data, on: ChainID(1)) == offer.id(on: reference))
        }
        #expect(calls.map(\.0) == DirectSaleMove.allCases)
        #expect(contract.pay(Samples.direct(.token(number(0x70).address))).value == .zero)
    }

    @Test func `a minting offer has no token and names its seller as the maker`() throws {
        let minting = ItemOffer(
            seller: offer.seller,
            salt: offer.salt,
            token: nil,
            contentHash: offer.contentHash,
            promise: offer.promise,
            terms: offer.terms
        )
        let call = contract.list(minting)
        let function = try Artifact.directSale.interface.function("list")
        #expect(
            try function.decodeCall(call.data)
                == [Samples.value(Samples.directTerms, token: 0, maker: Samples.seller)]
        )
        #expect(DirectSaleContract.offer(in: call.data) == minting)
    }

    @Test func `computes the same id as the contract`() throws {
        let arguments = try Artifact.directSale.interface.function("sale_id").decodeCall(
            contract.saleID(of: offer).call.data
        )
        let types = try ABIType.parameters(
            ofSignature: "f(uint256,address,(address,bytes32,uint256,address,bytes32,bytes32,"
                + "(address,uint256,uint256,address)))"
        )
        let bytes = try ABI.encode(
            [.uint(31_337), .address(Samples.contract)] + arguments,
            as: types
        )
        let reference = ContractReference(chain: ChainID(31_337), address: Samples.contract)
        #expect(offer.id(on: reference).hash == Keccak256.hash(bytes))
    }

    @Test func `reads a sale from the contract's storage form`() throws {
        let function = try Artifact.directSale.interface.function("sale")
        func stored(_ status: BigUInt, buyer: UInt64) throws -> DirectSaleContract.Sale? {
            try contract.sale(Samples.sale).decode(
                function.encodeResult([
                    .tuple([
                        .uint(status), .address(number(buyer).address), .uint(7), .uint(99),
                    ])
                ])
            )
        }
        #expect(try stored(0, buyer: 0) == nil)
        #expect(try stored(1, buyer: 0)?.buyer == nil)
        let sale = try #require(try stored(2, buyer: 6))
        #expect(sale.status == .sold && sale.stage == .over && sale.buyer == Samples.buyer)
        #expect(sale.token == Amount(small: 7) && sale.offerUntil.seconds == 99)
        #expect(throws: ABIError.meaningless("a status")) { try stored(8, buyer: 0) }
    }

    @Test func `reads every event of a sale`() throws {
        let id = Samples.sale.hash
        let listed = try log(
            "Listed",
            [id, number(5), number(7)],
            [
                .bytes32(Bytes32(repeating: 4)), .bytes32(Bytes32(repeating: 2)),
                .address(Samples.seller), .bytes32(Bytes32(repeating: 1)), .bool(true),
                Samples.directTerms, .uint(77),
            ]
        )
        guard case .listed(let listing) = try change(listed) else {
            Issue.record("not listed")
            return
        }
        #expect(listing.isMinted && listing.offer.token == nil)
        #expect(listing.offer.maker == Samples.seller && listing.offer.salt == offer.salt)
        #expect(listing.token == Amount(small: 7) && listing.offer.terms == offer.terms)
        Samples.expectRefusals(of: listed, contract.decode)

        let ended = try log(
            "Ended",
            [id, number(5), number(0)],
            [
                .small(4), .address(number(5).address), .address(number(5).address),
                .address(number(3).address), .tuple([.uint(0), .uint(0), .uint(0)]), .uint(77),
            ]
        )
        let end = ItemSaleEnd(
            seller: Samples.seller,
            buyer: .zero,
            status: DirectSaleStatus.aborted,
            by: Samples.seller,
            tokenTo: Samples.seller,
            maker: number(3).address,
            payout: .none
        )
        #expect(try change(ended) == .ended(end))
        let credited = try log("Credited", [number(0), number(5), id], [.uint(9)])
        let credit = ContractMoney.Credit(
            currency: .native,
            account: Samples.seller,
            amount: Amount(small: 9)
        )
        #expect(try change(credited) == .credited(credit))
        #expect(DirectSaleContract.topics.count == 4)
        #expect(DirectSaleContract.kind == DirectSale.kind)
    }

    @Test func `reads and withdraws credits`() throws {
        let interface = Artifact.directSale.interface
        let call = contract.withdraw(Amount(small: 4), of: .native, to: Samples.buyer)
        #expect(
            try interface.function("withdraw").decodeCall(call.data)
                == [.address(.zero), .uint(4), .address(Samples.buyer)]
        )
        let credit = try interface.function("credit").encodeResult([.uint(9)])
        #expect(
            try contract.credit(of: Samples.seller, in: .native).decode(credit)
                == Amount(small: 9)
        )
        let owed = try interface.function("owed").encodeResult([.uint(8)])
        #expect(try contract.owed(in: .native).decode(owed) == Amount(small: 8))
        let isTaken = try interface.function("is_currency").encodeResult([.bool(true)])
        #expect(try contract.accepts(.native).decode(isTaken))
        let tokens = try interface.function("currencies").encodeResult([
            .array([.address(Samples.buyer)])
        ])
        #expect(try contract.currencies.decode(tokens) == [Samples.buyer])
        let points = try interface.function("MAKER_BPS").encodeResult([.uint(100)])
        #expect(try contract.makerBasisPoints.decode(points) == 100)
        #expect(try contract.platformBasisPoints.decode(points) == 100)
        let item = try interface.function("ITEM").encodeResult([.address(Samples.seller)])
        #expect(try contract.item.decode(item) == Samples.seller)
        #expect(try contract.platform.decode(item) == Samples.seller)
    }

    private func log(
        _ name: String,
        _ topics: [Bytes32],
        _ values: [ABIValue]
    ) throws -> ContractLog {
        try Samples.log(.directSale, name, topics, values)
    }

    private func change(_ log: ContractLog) throws -> DirectSaleEvent.Change? {
        let event = try contract.decode(log, at: Samples.position)
        return (event.saleEvent as? DirectSaleEvent)?.change
    }
}
