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
        selector = FunctionSelector(signature: Contracts.signature(name, inputs))
        types = inputs.map(\.type)
    }

    package var signature: String { Contracts.signature(name, inputs) }

    /// Reads the arguments of a failed call's data; another error's is ``ABIError/selector``.
    package func decode(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        guard FunctionSelector(startOf: data) == selector else { throw .selector }
        return try ABI.decode(data, from: 4, as: types)
    }

    /// Writes the data of a failed call, for those who play the contract.
    package func encode(_ arguments: [ABIValue]) throws(ABIError) -> [UInt8] {
        try ABI.encode(arguments, as: types, after: selector.bytes)
    }

    /// The arguments, or `nil` for data that is not of this error.
    func arguments(of data: [UInt8]) -> [ABIValue]? {
        try? decode(data)  // what is not this error's is for the next to explain
    }
}
