import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

struct ItemContractTests {
    private let item = ItemContract(address: .zero)
    private let token = Amount(small: 7)
    private let account = Address([UInt8](repeating: 9, count: 20)) ?? .zero

    @Test func `encodes calls that the contract's interface decodes`() throws {
        let interface = Artifact.item.interface
        #expect(
            try interface.function("transferFrom").decodeCall(
                item.transfer(token: token, from: .zero, to: account).data
            ) == [.address(.zero), .address(account), .uint(7)]
        )
        let allow = try interface.function("allow_minter")
        #expect(
            try allow.decodeCall(item.allowMinter(account).data) == [
                .address(account), .bool(true),
            ]
        )
        #expect(
            try allow.decodeCall(item.allowMinter(account, false).data)
                == [.address(account), .bool(false)]
        )
        #expect(
            try interface.function("mint").decodeCall(
                item.mint(maker: account, contentHash: Bytes32(repeating: 1)).data
            ) == [.address(account), .bytes32(Bytes32(repeating: 1))]
        )
        #expect(
            try interface.function("is_minter").decodeCall(
                item.isMinter(account, for: .zero).call.data
            ) == [.address(.zero), .address(account)]
        )
        #expect(
            try interface.function("approve").decodeCall(item.approve(account, token: token).data)
                == [.address(account), .uint(7)]
        )
        #expect(ItemContract.arguments(makerBasisPoints: 200) == word(200).bytes)
    }

    @Test func `decodes answers`() throws {
        let word = { (value: ABIValue, type: ABIType) in try ABI.encode([value], as: [type]) }
        #expect(
            try item.contentHash(of: token).decode(word(.bytes32(.zero), .bytes32)) == .zero
        )
        #expect(try item.maker(of: token).decode(word(.address(account), .address)) == account)
        #expect(try item.owner(of: token).decode(word(.address(account), .address)) == account)
        #expect(try item.approved(for: token).decode(word(.address(.zero), .address)) == .zero)
        #expect(try item.isMinter(account, for: .zero).decode(word(.bool(true), .bool)))
        #expect(try item.makerBasisPoints.decode(word(.uint(200), .uint256)) == 200)
        #expect(try item.balance(of: account).decode(word(.uint(7), .uint256)) == token)
        #expect(try item.supply.decode(word(.uint(7), .uint256)) == token)
        #expect(throws: ABIError.meaningless("a fee")) {
            try item.makerBasisPoints.decode(word(.uint(BigUInt(1) << 64), .uint256))
        }
    }

    @Test func `reads every event of the interface`() throws {
        #expect(
            try item.decode(log("Minted", [word(7), word(9), word(1)], Bytes32.zero.bytes))
                == .minted(
                    token: token,
                    maker: address(9),
                    minter: address(1),
                    contentHash: .zero
                )
        )
        #expect(
            try item.decode(log("Transfer", [word(1), word(2), word(7)], []))
                == .transferred(token: token, from: address(1), to: address(2))
        )
        #expect(
            try item.decode(log("Approval", [word(1), word(2), word(7)], []))
                == .approved(token: token, owner: address(1), approved: address(2))
        )
        #expect(
            try item.decode(log("MinterAllowed", [word(9), word(1)], word(1).bytes))
                == .minterAllowed(maker: address(9), minter: address(1), isAllowed: true)
        )
        for name in ["Deployed", "ApprovalForAll"] {
            let event = try Artifact.item.interface.event(name)
            let topics = event.inputs.filter(\.isIndexed).map { _ in word(1) }
            #expect(
                try item.decode(log(name, topics, word(1).bytes)) == .other(name: name)
            )
        }
    }

    @Test func `refuses logs of another contract`() throws {
        let data = word(1).bytes
        let other = ContractLog(address: account, topics: [], data: [])
        #expect(throws: ABIError.topic) { try item.decode(other) }
        let unknown = ContractLog(address: .zero, topics: [.zero], data: data)
        #expect(throws: ABIError.topic) { try item.decode(unknown) }
        let anonymous = ContractLog(address: .zero, topics: [], data: data)
        #expect(throws: ABIError.topic) { try item.decode(anonymous) }
    }

    private func log(
        _ name: String,
        _ topics: [Bytes32],
        _ data: [UInt8]
    ) throws -> ContractLog {
        let topic = try Artifact.item.interface.event(name).topic
        return ContractLog(address: .zero, topics: [topic] + topics, data: data)
    }

    private func word(_ number: UInt64) -> Bytes32 { Bytes32(words: 0, 0, 0, number) }

    private func address(_ number: UInt64) -> Address {
        Address(word(number).bytes.suffix(20)) ?? .zero
    }
}
