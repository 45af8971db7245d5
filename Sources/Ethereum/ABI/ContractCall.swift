package import Keys
package import Market

/// A call to a contract, for a transaction or an `eth_call`.
package struct ContractCall: Hashable, Sendable {
    package let to: Address
    /// The value, in wei.
    package let value: Amount
    package let data: [UInt8]

    package init(to: Address, value: Amount = .zero, data: [UInt8]) {
        (self.to, self.value, self.data) = (to, value, data)
    }

    /// Creates the call of a binding; its arguments must match the function.
    package init(
        to: Address,
        _ function: ABIFunction,
        _ arguments: [ABIValue] = [],
        value: Amount = .zero
    ) {
        self.init(to: to, value: value, data: written { try function.encodeCall(arguments) })
    }
}

/// A read-only call to a contract through `eth_call`, and the decoding of its answer.
package struct ContractQuery<Answer: Sendable>: Sendable {
    package let call: ContractCall

    private let function: ABIFunction
    private let read: @Sendable (inout ABIValueReader) throws -> Answer

    package init(
        to: Address,
        _ function: ABIFunction,
        _ arguments: [ABIValue] = [],
        read: @escaping @Sendable (inout ABIValueReader) throws -> Answer
    ) {
        call = ContractCall(to: to, function, arguments)
        (self.function, self.read) = (function, read)
    }

    private init(
        _ query: ContractCall,
        _ function: ABIFunction,
        _ read: @escaping @Sendable (inout ABIValueReader) throws -> Answer
    ) {
        (call, self.function, self.read) = (query, function, read)
    }

    /// Returns the same query with its answer converted.
    package func map<Other>(
        _ convert: @escaping @Sendable (Answer) -> Other
    ) -> ContractQuery<Other> {
        ContractQuery<Other>(call, function) { [read] in convert(try read(&$0)) }
    }

    /// Decodes the call's answer.
    ///
    /// An account without code returns no data for every call; if a result is expected, that throws
    /// ``ABIError/truncated(offset:)``.
    ///
    /// - Throws: ``ABIError``.
    package func decode(_ data: [UInt8]) throws -> Answer {
        var reader = ABIValueReader(try function.decodeResult(data))
        return try read(&reader)
    }
}

/// Returns the result of an encoding whose values are known to match their types.
///
/// If they do not, the binding is wrong, which its tests find.
package func written(_ encode: () throws -> [UInt8]) -> [UInt8] {
    do {
        return try encode()
    } catch {
        preconditionFailure("a binding does not fit its contract: \(error)")
    }
}

extension ContractInterface {
    /// Returns a function that the contract is known to have.
    package func known(_ name: String) -> ABIFunction {
        do {
            return try function(name)
        } catch {
            preconditionFailure("a binding does not fit its contract: \(error)")
        }
    }
}
