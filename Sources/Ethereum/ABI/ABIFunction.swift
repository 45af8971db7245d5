/// A function of a contract's interface.
package struct ABIFunction: Hashable, Sendable {
    /// Whether a call may change state or take money.
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
        selector = FunctionSelector(signature: Ethereum.signature(name, inputs))
        (inputTypes, outputTypes) = (inputs.map(\.type), outputs.map(\.type))
    }

    package var signature: String { Ethereum.signature(name, inputs) }

    /// Encodes call data: the selector, then the arguments.
    package func encodeCall(_ arguments: [ABIValue] = []) throws(ABIError) -> [UInt8] {
        try ABI.encode(arguments, as: inputTypes, after: selector.bytes)
    }

    /// Decodes the arguments of call data; throws ``ABIError/selector`` for another function's.
    package func decodeCall(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        guard FunctionSelector(startOf: data) == selector else { throw .selector }
        return try ABI.decode(data, from: 4, as: inputTypes)
    }

    /// Encodes the result of a call, for tests that play the contract.
    package func encodeResult(_ results: [ABIValue]) throws(ABIError) -> [UInt8] {
        try ABI.encode(results, as: outputTypes)
    }

    /// Decodes the result of a call.
    package func decodeResult(_ data: [UInt8]) throws(ABIError) -> [ABIValue] {
        try ABI.decode(data, as: outputTypes)
    }
}
