import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

struct AuctionContractTests {
    private typealias Samples = ItemSaleSamples
    private let contract = AuctionContract(address: Samples.contract)
    private let offer = Samples.auction(.native)
    private let inToken = Samples.auction(.token(number(0x70).address))

    @Test func `the contract's interface decodes the offer that a call encodes`() throws {
        let value = Samples.value(Samples.auctionTerms)
        let calls: [(AuctionMove, ContractCall, [ABIValue])] = [
            (.list, contract.list(offer), [value]), (.abort, contract.abort(offer), [value]),
            (
                .bid,
                contract.bid(offer, amount: Amount(small: 12), fromCredit: Amount(small: 3)),
                [value, .uint(12), .uint(3)]
            ),
            (.end, contract.end(offer), [value]),
        ]
        for (move, call, arguments) in calls {
            let function = try Artifact.auction.interface.function(move.name)
            #expect(try function.decodeCall(call.data) == arguments)
            #expect(call.to == Samples.contract)
            #expect(call.value == (move == .bid ? Amount(small: 9) : .zero))
            #expect(AuctionContract.offer(in: call.data) == offer)
            let reference = ContractReference(chain: ChainID(1), address: Samples.contract)
            #expect(contract.sale(in: call.data, on: ChainID(1)) == offer.id(on: reference))
        }
        #expect(calls.map(\.0) == AuctionMove.allCases)
        #expect(contract.bid(inToken, amount: Amount(small: 9)).value == .zero)
        let withdrawal = contract.withdraw(Amount(small: 1), of: .native, to: Samples.buyer)
        #expect(AuctionContract.offer(in: withdrawal.data) == nil)
        #expect(contract.sale(in: [], on: ChainID(1)) == nil)
        #expect(contract.sale(in: [UInt8](calls[0].1.data.dropLast()), on: ChainID(1)) == nil)
    }

    @Test func `computes the same id as the contract`() throws {
        let arguments = try Artifact.auction.interface.function("sale_id").decodeCall(
            contract.saleID(of: offer).call.data
        )
        let types = try ABIType.parameters(
            ofSignature: "f(uint256,address,(address,bytes32,uint256,address,bytes32,bytes32,"
                + "(address,uint256,uint256,uint256,uint256)))"
        )
        let bytes = try ABI.encode(
            [.uint(31_337), .address(Samples.contract)] + arguments,
            as: types
        )
        let reference = ContractReference(chain: ChainID(31_337), address: Samples.contract)
        #expect(offer.id(on: reference).hash == Keccak256.hash(bytes))
    }

    @Test func `reads an auction from the contract's storage form`() throws {
        let function = try Artifact.auction.interface.function("sale")
        func stored(_ status: BigUInt, bidder: UInt64) throws -> AuctionContract.Sale? {
            try contract.sale(Samples.sale).decode(
                function.encodeResult([
                    .tuple([
                        .uint(status), .address(number(bidder).address), .uint(8), .uint(7),
                        .uint(50), .uint(60),
                    ])
                ])
            )
        }
        #expect(try stored(0, bidder: 0) == nil)
        #expect(try stored(1, bidder: 0)?.highest == nil)
        let sale = try #require(try stored(2, bidder: 6))
        #expect(sale.status == .bid && sale.stage == .running && sale.token == Amount(small: 7))
        #expect(sale.highest == AuctionBid(bidder: Samples.buyer, amount: Amount(small: 8)))
        #expect(sale.ends.seconds == 50 && sale.lastEnd.seconds == 60)
        #expect(throws: ABIError.meaningless("a status")) { try stored(3, bidder: 0) }
    }

    @Test func `reads every event of an auction`() throws {
        let id = Samples.sale.hash
        let bid = AuctionBid(bidder: Samples.buyer, amount: Amount(small: 9))
        let listed = try log(
            "Listed",
            [id, number(5), number(7)],
            [
                .bytes32(Bytes32(repeating: 4)), .bytes32(Bytes32(repeating: 2)),
                .address(Samples.maker), .bytes32(Bytes32(repeating: 1)), .bool(false),
                Samples.auctionTerms, .uint(99), .uint(77),
            ]
        )
        guard case .listed(let listing, let ends) = try change(listed) else {
            Issue.record("not listed")
            return
        }
        #expect(listing.offer == offer && listing.token == Amount(small: 7) && !listing.isMinted)
        #expect(ends == ChainTime(seconds: 99))
        #expect(
            try change(log("Outbid", [id, number(6)], [.uint(9), .uint(77)])) == .outbid(bid)
        )
        let placed = try log("BidPlaced", [id, number(6)], [.uint(9), .uint(99), .uint(77)])
        #expect(try change(placed) == .bidPlaced(bid, ends: ChainTime(seconds: 99)))
        let credit = ContractMoney.Credit(
            currency: .native,
            account: Samples.buyer,
            amount: Amount(small: 9)
        )
        let credited = try log("Credited", [number(0), number(6), id], [.uint(9)])
        #expect(try change(credited) == .credited(credit))
        let used = try log("CreditUsed", [number(0), number(6), id], [.uint(9)])
        #expect(try change(used) == .creditUsed(credit))
        Samples.expectRefusals(of: placed, contract.decode)
    }

    @Test func `reads the events of an end with its payout and of a withdrawal`() throws {
        func ended(_ status: UInt64) throws -> AuctionEvent.Change? {
            try change(
                log(
                    "Ended",
                    [Samples.sale.hash, number(5), number(6)],
                    [
                        .small(status), .address(number(1).address), .address(number(2).address),
                        .address(number(3).address), .tuple([.uint(4), .uint(5), .uint(6)]),
                        .uint(77),
                    ]
                )
            )
        }
        let end = ItemSaleEnd(
            seller: Samples.seller,
            buyer: Samples.buyer,
            status: AuctionStatus.sold,
            by: number(1).address,
            tokenTo: number(2).address,
            maker: number(3).address,
            payout: ItemPayout(
                seller: Amount(small: 4),
                platform: Amount(small: 5),
                maker: Amount(small: 6)
            )
        )
        #expect(try ended(8) == .ended(end))
        #expect(throws: ABIError.meaningless("a status")) { try ended(3) }

        let withdrawn = try log("Withdrawn", [number(0x70), number(5), number(6)], [.uint(8)])
        guard case .withdrawn(let credit, let to) = try decoded(withdrawn).content else {
            Issue.record("not withdrawn")
            return
        }
        #expect(credit.currency == .token(number(0x70).address) && to == Samples.buyer)
        #expect(credit.account == Samples.seller && credit.amount == Amount(small: 8))
    }

    @Test func `follows all events except the deployment`() throws {
        let deployed = try Artifact.auction.interface.event("Deployed").topic
        #expect(AuctionContract.topics.count == 7 && !AuctionContract.topics.contains(deployed))
        #expect(AuctionContract.kind == AuctionSale.kind)
        let log = ContractLog(address: Samples.contract, topics: [deployed], data: [])
        #expect(throws: ABIError.topic) { try decoded(log) }
    }

    @Test func `writes the constructor's arguments`() throws {
        let fees = try #require(
            MarketFees(
                platformBasisPoints: 200,
                makerBasisPoints: 100,
                platform: number(2).address
            )
        )
        let arguments = AuctionContract.arguments(
            item: number(1).address,
            fees: fees,
            tokens: [number(3).address]
        )
        let types = Artifact.auction.interface.constructorInputs.map(\.type)
        #expect(
            try ABI.decode(arguments, as: types) == [
                .address(number(1).address), .address(number(2).address), .uint(200),
                .array([.address(number(3).address)]),
            ]
        )
    }

    private func log(
        _ name: String,
        _ topics: [Bytes32],
        _ values: [ABIValue]
    ) throws -> ContractLog {
        try Samples.log(.auction, name, topics, values)
    }

    private func decoded(_ log: ContractLog) throws -> SaleLedger.Event {
        try contract.decode(log, at: Samples.position)
    }

    private func change(_ log: ContractLog) throws -> AuctionEvent.Change? {
        (try decoded(log).saleEvent as? AuctionEvent)?.change
    }
}
