import BigInt
package import Keys
package import Market

/// Any ERC-20 token, including those that break the standard in two known ways.
///
/// Some return no data where the standard says `true`; some have names of 32 bytes.
///
/// Source: EIP-20.
package struct TokenContract: Hashable, Sendable {
    package let address: Address

    package init(address: Address) {
        self.address = address
    }

    private static let approve = change("approve", .address, .uint256)
    private static let transfer = change("transfer", .address, .uint256)
    private static let transferFrom = change("transferFrom", .address, .address, .uint256)
    private static let allowance = question("allowance", .address, .address, answer: .uint256)
    private static let balanceOf = question("balanceOf", .address, answer: .uint256)
    private static let totalSupply = question("totalSupply", answer: .uint256)
    private static let decimals = question("decimals", answer: .uint(bits: 8))
    private static let symbol = question("symbol", answer: .string)
    private static let name = question("name", answer: .string)

    /// Sets the allowance of `spender` to `amount`, whatever it was before.
    package func approve(_ spender: Address, amount: Amount) -> ContractCall {
        ContractCall(to: address, Self.approve, [.address(spender), .amount(amount)])
    }

    package func transfer(_ amount: Amount, to receiver: Address) -> ContractCall {
        ContractCall(to: address, Self.transfer, [.address(receiver), .amount(amount)])
    }

    package func transfer(_ amount: Amount, from: Address, to: Address) -> ContractCall {
        ContractCall(
            to: address,
            Self.transferFrom,
            [.address(from), .address(to), .amount(amount)]
        )
    }

    /// A change that its owner's transaction makes: what, to whom, and how much.
    package struct Change: Hashable, Sendable {
        package enum Kind: Hashable, Sendable { case approve, transfer }

        package let change: Kind
        package let receiver: Address
        package let amount: Amount
    }

    /// Returns the change in call data; `nil` for other calls.
    package static func change(in data: [UInt8]) -> Change? {
        for (function, kind) in [(approve, Change.Kind.approve), (transfer, .transfer)] {
            guard let arguments = try? function.decodeCall(data),  // another call
                case .address(let receiver)? = arguments.first,
                case .uint(let number)? = arguments.last,
                let amount = Amount(number)
            else { continue }
            return Change(change: kind, receiver: receiver, amount: amount)
        }
        return nil
    }

    /// Returns whether a token's answer to a change means success: `true`, or no data.
    package static func isSuccess(_ answer: [UInt8]) -> Bool {
        guard !answer.isEmpty else { return true }
        let values = try? ABI.decode(answer, as: [.bool])  // any other data means failure
        return values == [.bool(true)]
    }

    package func allowance(of spender: Address, from owner: Address) -> ContractQuery<Amount> {
        ContractQuery(to: address, Self.allowance, [.address(owner), .address(spender)]) {
            try $0.amount()
        }
    }

    package func balance(of account: Address) -> ContractQuery<Amount> {
        ContractQuery(to: address, Self.balanceOf, [.address(account)]) { try $0.amount() }
    }

    package var supply: ContractQuery<Amount> {
        ContractQuery(to: address, Self.totalSupply) { try $0.amount() }
    }

    /// The number of decimals in which amounts are shown.
    package var decimals: ContractQuery<UInt64> {
        ContractQuery(to: address, Self.decimals) { try $0.small("decimals") }
    }

    /// The call for the token's symbol; decode the answer with ``text(of:)``.
    package var symbol: ContractCall { ContractCall(to: address, Self.symbol) }

    /// The call for the token's name; decode the answer with ``text(of:)``.
    package var name: ContractCall { ContractCall(to: address, Self.name) }

    /// Decodes a symbol or name, from a string or from 32 bytes that end in zeros.
    package static func text(of answer: [UInt8]) throws(ABIError) -> String {
        guard answer.count == 32 else {
            var reader = ABIValueReader(try ABI.decode(answer, as: [.string]))
            return try reader.string()
        }
        let bytes = answer.prefix { $0 != 0 }
        guard answer[bytes.count...].allSatisfy({ $0 == 0 }),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .text(offset: 0) }
        return text
    }

    private static func change(_ name: String, _ inputs: ABIType...) -> ABIFunction {
        ABIFunction(
            name: name,
            inputs: inputs.map { ABIParameter(type: $0) },
            outputs: [ABIParameter(type: .bool)],
            mutability: .nonpayable
        )
    }

    private static func question(
        _ name: String,
        _ inputs: ABIType...,
        answer: ABIType
    ) -> ABIFunction {
        ABIFunction(
            name: name,
            inputs: inputs.map { ABIParameter(type: $0) },
            outputs: [ABIParameter(type: answer)],
            mutability: .view
        )
    }
}
