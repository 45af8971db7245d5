import BigInt
import Contracts
import Keys
import Market
import Testing

struct EscrowContractTests {
    private let escrow = EscrowContract(address: number(0xE5).address)
    private let sale = SaleID(Bytes32(repeating: 3))
    private let native = makeTerms(.native)
    private let inToken = makeTerms(.token(number(0x70).address))

    @Test func `sends the deposits where the currency is the chain's own`() throws {
        #expect(list(native).value == native.sellerDeposit)
        #expect(list(inToken).value == .zero)
        #expect(escrow.buy(sale, terms: native).value == native.buyerSends)
        #expect(escrow.buy(sale, terms: inToken).value == .zero)
    }

    @Test func `writes a listing as the contract's interface reads it`() throws {
        let arguments = try Artifact.escrow.interface.function("list").decodeCall(
            list(native).data
        )
        #expect(
            arguments == [
                termsValue(native), .uint(0), .bytes32(Bytes32(repeating: 1)),
                .bytes32(Bytes32(repeating: 2)), .bytes32(.zero),
            ]
        )
    }

    @Test func `writes every move under the name that the moves have`() throws {
        let calls: [(EscrowMove, ContractCall)] = [
            (.abort, escrow.abort(sale)), (.buy, escrow.buy(sale, terms: inToken)),
            (.transferItem, escrow.transferItem(sale)), (.refund, escrow.refund(sale)),
            (.confirm, escrow.confirm(sale)), (.dispute, escrow.dispute(sale)),
            (.claim, escrow.claim(sale)), (.executeDefault, escrow.executeDefault(sale)),
            (.rule, escrow.rule(sale, share: .all)),
            (
                .proposeSettlement,
                escrow.settle(sale, share: .none, settleBy: ChainTime(seconds: 9))
            ),
        ]
        for (move, call) in calls {
            let function = try Artifact.escrow.interface.function(move.name)
            #expect(try function.decodeCall(call.data).first == .bytes32(sale.hash))
            #expect(call.to == escrow.address)
        }
        let settle = try Artifact.escrow.interface.function("settle")
        #expect(
            try settle.decodeCall(calls[9].1.data) == [.bytes32(sale.hash), .uint(0), .uint(9)]
        )
        let withdraw = try Artifact.escrow.interface.function("withdraw")
        #expect(
            try withdraw.decodeCall(escrow.withdraw(.native, to: number(1).address).data)
                == [.address(.zero), .address(number(1).address)]
        )
    }

    @Test func `reads a sale as the contract holds it`() throws {
        let function = try Artifact.escrow.interface.function("sale")
        let none = try function.encodeResult([saleValue(status: 0, proposedBy: 0)])
        #expect(try escrow.sale(sale).decode(none) == nil)

        let paid = try function.encodeResult([saleValue(status: 2, proposedBy: 6)])
        let read = try #require(try escrow.sale(sale).decode(paid))
        #expect(read.status == .paid)
        #expect(read.buyer == number(6).address)
        #expect(read.terms == native)
        #expect(read.since == ChainTime(seconds: 44))
        #expect(
            read.proposal
                == SettlementProposal(
                    by: number(6).address,
                    share: try #require(SellerShare(basisPoints: 5_000)),
                    settleBy: ChainTime(seconds: 99)
                )
        )
        let still = try function.encodeResult([saleValue(status: 2, proposedBy: 0)])
        #expect(try escrow.sale(sale).decode(still)?.proposal == nil)

        let odd = try function.encodeResult([saleValue(status: 3, proposedBy: 0)])
        #expect(throws: ABIError.meaningless("a status")) { try escrow.sale(sale).decode(odd) }
    }

    @Test func `asks for the id that Market reckons`() throws {
        let query = escrow.saleID(
            seller: number(5).address,
            salt: .zero,
            token: nil,
            contentHash: Bytes32(repeating: 8),
            promise: Bytes32(repeating: 9),
            terms: native
        )
        let arguments = try Artifact.escrow.interface.function("sale_id").decodeCall(
            query.call.data
        )
        let types = try ABIType.parameters(
            ofSignature: "f(uint256,address,address,bytes32,uint256,bytes32,bytes32,"
                + "(address,uint256,uint256,uint256,uint256,address,uint256,uint256,uint256,"
                + "uint256,uint256))"
        )
        let bytes = try ABI.encode(
            [.uint(31_337), .address(escrow.address)] + arguments,
            as: types
        )
        let reckoned = SaleID(
            contract: ContractReference(chain: ChainID(31_337), address: escrow.address),
            seller: number(5).address,
            salt: .zero,
            token: .zero,
            contentHash: Bytes32(repeating: 8),
            promise: Bytes32(repeating: 9),
            terms: native
        )
        #expect(reckoned.hash == Keccak256.hash(bytes))
    }

    @Test func `writes the constructor's arguments behind the code`() throws {
        let fees = try #require(
            MarketFees(
                platformBasisPoints: 200,
                makerBasisPoints: 100,
                platform: number(2).address
            )
        )
        let creation = EscrowContract.creation(
            item: number(1).address,
            fees: fees,
            tokens: [number(3).address]
        )
        let arguments = [UInt8](creation.dropFirst(Artifact.escrow.bytecode.count))
        #expect(creation.starts(with: Artifact.escrow.bytecode))
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

    private func list(_ terms: EscrowTerms) -> ContractCall {
        escrow.list(
            terms: terms,
            token: nil,
            contentHash: Bytes32(repeating: 1),
            promise: Bytes32(repeating: 2),
            salt: .zero
        )
    }

    private func saleValue(status: BigUInt, proposedBy: UInt64) -> ABIValue {
        .tuple([
            .uint(status), .address(number(5).address), .address(number(6).address), .uint(1),
            .bytes32(.zero), .uint(44), termsValue(native),
            .tuple([.address(number(proposedBy).address), .uint(5_000), .uint(99)]),
        ])
    }
}
