/// An error of a contract's interface.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification", "Errors".
package struct ABICustomError: Hashable, Sendable {
    package let name: String
    package let inputs: [ABIParameter]
    package let selector: FunctionSelector

    private let types: [ABIType]

    package init(name: String, inputs: [ABIParameter]) {
        (self.name, self.inputs) = (name, inputs)
        selector = FunctionSelector(signature: Ethereum.signature(name, inputs))
        types = inputs.map(\.type)
    }

    package var signature: String { Ethereum.signature(name, inputs) }

    /// Decodes the arguments from a failed call's data; throws ``ABIError/selector`` for the data
    /// of another error.
    package func decode(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        guard FunctionSelector(startOf: data) == selector else { throw .selector }
        return try ABI.decode(data, from: 4, as: types)
    }

    /// Encodes the data of a failed call, for tests that play the contract.
    package func encode(_ arguments: [ABIValue]) throws(ABIError) -> [UInt8] {
        try ABI.encode(arguments, as: types, after: selector.bytes)
    }

    /// Returns the arguments, or `nil` if the data is not of this error.
    func arguments(of data: [UInt8]) -> [ABIValue]? {
        try? decode(data)  // the caller tries the next declared error
    }
}
