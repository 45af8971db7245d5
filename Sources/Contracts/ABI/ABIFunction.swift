/// A function of a contract's interface.
package struct ABIFunction: Hashable, Sendable {
    /// What a call may do to state and money.
    package enum Mutability: String, Hashable, Sendable {
        case pure, view, nonpayable, payable
    }

    package let name: String
    package let inputs: [ABIParameter]
    package let outputs: [ABIParameter]
    package let mutability: Mutability
    package let selector: FunctionSelector

    private let inputTypes: [ABIType]
    private let outputTypes: [ABIType]

    package init(
        name: String,
        inputs: [ABIParameter],
        outputs: [ABIParameter],
        mutability: Mutability
    ) {
        (self.name, self.inputs, self.outputs) = (name, inputs, outputs)
        self.mutability = mutability
        selector = FunctionSelector(signature: Contracts.signature(name, inputs))
        (inputTypes, outputTypes) = (inputs.map(\.type), outputs.map(\.type))
    }

    package var signature: String { Contracts.signature(name, inputs) }

    /// Writes call data: selector, then arguments.
    package func encodeCall(_ arguments: [ABIValue] = []) throws(ABIError) -> [UInt8] {
        try ABI.encode(arguments, as: inputTypes, after: selector.bytes)
    }

    /// Reads the arguments of call data; another function's is ``ABIError/selector``.
    package func decodeCall(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        guard FunctionSelector(startOf: data) == selector else { throw .selector }
        return try ABI.decode(data, from: 4, as: inputTypes)
    }

    /// Writes what a call answers, for those who play the contract.
    package func encodeResult(_ results: [ABIValue]) throws(ABIError) -> [UInt8] {
        try ABI.encode(results, as: outputTypes)
    }

    /// Reads what a call answered.
    package func decodeResult(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        try ABI.decode(data, as: outputTypes)
    }
}
