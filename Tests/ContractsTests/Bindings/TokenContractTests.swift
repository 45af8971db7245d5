import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

struct TokenContractTests {
    private let token = TokenContract(address: .zero)
    private let one = Amount(small: 1)

    @Test func `every function of the binding exists in the test token`() throws {
        let interface = Artifact.testToken.interface
        let calls = [
            token.approve(.zero, amount: one), token.transfer(one, to: .zero),
            token.transfer(one, from: .zero, to: .zero), token.balance(of: .zero).call,
            token.allowance(of: .zero, from: .zero).call, token.supply.call, token.decimals.call,
            token.symbol, token.name,
        ]
        for call in calls {
            let selector = try #require(FunctionSelector(startOf: call.data))
            let function = try #require(interface.function(selector))
            #expect(throws: Never.self) { try function.decodeCall(call.data) }
            #expect(call.value == .zero)
        }
    }

    /// - From endpoints: a token that answers false to a transfer → the transfer has failed; an
    ///   empty answer counts as success
    @Test func `a token's empty answer means success, and false means failure`() {
        let yes = [UInt8](repeating: 0, count: 31) + [1]
        #expect(TokenContract.isSuccess([]))
        #expect(TokenContract.isSuccess(yes))
        #expect(!TokenContract.isSuccess([UInt8](repeating: 0, count: 32)))
        #expect(!TokenContract.isSuccess([1]))
        #expect(!TokenContract.isSuccess(yes + yes))
    }

    @Test func `relies on an allowance only if nothing else can use it up`() {
        func steps(_ allowance: Amount, isShared: Bool = false) -> [Intent.Step] {
            Spending.steps(
                for: token.transfer(one, from: .zero, to: .zero),
                drawing: one,
                in: .token(.zero),
                allowance: allowance,
                isShared: isShared
            )
        }
        #expect(steps(one).count == 1)
        let amounts = steps(one, isShared: true).dropLast().map {
            TokenContract.change(in: $0.data)?.amount
        }
        #expect(amounts == [.zero, one])
        #expect(steps(.zero, isShared: true) == steps(.zero))
    }

    @Test func `reads both encodings of a token's name`() throws {
        let old = [UInt8]("MKR".utf8) + [UInt8](repeating: 0, count: 29)
        #expect(try TokenContract.text(of: old) == "MKR")
        let usual = try ABI.encode([.string("Coin")], as: [.string])
        #expect(try TokenContract.text(of: usual) == "Coin")
        #expect(throws: ABIError.self) { try TokenContract.text(of: []) }
        #expect(throws: ABIError.text(offset: 0)) {
            try TokenContract.text(of: [0x41, 0, 0x42] + [UInt8](repeating: 0, count: 29))
        }
    }

    @Test func `reads transfers and approvals, but not those of other standards`() throws {
        let topics = [TokenEvent.transferTopic, .zero, .zero]
        let data = try ABI.encode([.uint(5)], as: [.uint256])
        let log = ContractLog(address: .zero, topics: topics, data: data)
        #expect(
            try TokenEvent(log) == .transferred(from: .zero, to: .zero, amount: Amount(small: 5))
        )
        let approval = Artifact.testToken.interface
        let approved = ContractLog(
            address: .zero,
            topics: [try approval.event("Approval").topic, .zero, .zero],
            data: data
        )
        #expect(
            try TokenEvent(approved)
                == .approved(owner: .zero, spender: .zero, amount: Amount(small: 5))
        )
        let item = ContractLog(address: .zero, topics: topics + [.zero], data: [])
        #expect(throws: ABIError.count(expected: 2, found: 3)) { try TokenEvent(item) }
    }

    /// - From endpoints: an address without code, asked as a token → its empty answer is an error
    ///   and counts as no amount
    @Test func `an account without code gives no answer`() {
        #expect(throws: ABIError.truncated(offset: 0)) { try token.supply.decode([]) }
    }
}
