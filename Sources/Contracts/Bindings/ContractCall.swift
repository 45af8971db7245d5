package import Keys
package import Market

/// One message to a contract: what a transaction or an `eth_call` carries.
package struct ContractCall: Hashable, Sendable {
    package let to: Address
    /// In wei.
    package let value: Amount
    package let data: [UInt8]

    package init(to: Address, value: Amount = .zero, data: [UInt8]) {
        (self.to, self.value, self.data) = (to, value, data)
    }

    /// For bindings, whose arguments have the function's types by construction.
    init(
        to: Address,
        _ function: ABIFunction,
        _ arguments: [ABIValue] = [],
        value: Amount = .zero
    ) {
        self.init(to: to, value: value, data: written { try function.encodeCall(arguments) })
    }
}

/// A question to a contract, which `eth_call` answers, and how to read the answer.
package struct ContractQuery<Answer: Sendable>: Sendable {
    package let call: ContractCall

    private let function: ABIFunction
    private let read: @Sendable (inout ABIValueReader) throws -> Answer

    init(
        to: Address,
        _ function: ABIFunction,
        _ arguments: [ABIValue] = [],
        read: @escaping @Sendable (inout ABIValueReader) throws -> Answer
    ) {
        call = ContractCall(to: to, function, arguments)
        (self.function, self.read) = (function, read)
    }

    /// Reads what the call answered.
    ///
    /// An account without code answers every call with nothing, which is
    /// ``ABIError/truncated(offset:)`` wherever a result is expected.
    ///
    /// - Throws: ``ABIError``.
    package func decode(_ data: [UInt8]) throws -> Answer {
        var reader = ABIValueReader(try function.decodeResult(data))
        return try read(&reader)
    }
}

/// What bindings write: their values have the right types, or the binding itself is wrong, which
/// its tests find.
func written(_ encode: () throws -> [UInt8]) -> [UInt8] {
    do {
        return try encode()
    } catch {
        preconditionFailure("a binding does not fit its contract: \(error)")
    }
}

extension ContractInterface {
    /// A function that the binding knows to be there.
    func known(_ name: String) -> ABIFunction {
        do {
            return try function(name)
        } catch {
            preconditionFailure("a binding does not fit its contract: \(error)")
        }
    }
}
