package import Keys

/// An event of a contract's interface.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification", "Events".
package struct ABIEvent: Hashable, Sendable {
    /// An argument as it is in a log.
    package enum Argument: Hashable, Sendable {
        case value(ABIValue)
        /// The hash of an indexed argument longer than one word; see ``ABI/topic(of:as:)``.
        case hash(Bytes32)
    }

    package let name: String
    package let inputs: [ABIParameter]
    package let isAnonymous: Bool
    /// The first topic of the event's logs, unless it is anonymous.
    package let topic: Bytes32

    private let plainTypes: [ABIType]

    package init(name: String, inputs: [ABIParameter], isAnonymous: Bool = false) {
        (self.name, self.inputs, self.isAnonymous) = (name, inputs, isAnonymous)
        topic = Keccak256.hash(Ethereum.signature(name, inputs).utf8)
        plainTypes = inputs.filter { !$0.isIndexed }.map(\.type)
    }

    package var signature: String { Ethereum.signature(name, inputs) }

    /// Decodes a log's arguments, in the order in which the event declares them.
    ///
    /// - Throws: ``ABIError/topic`` for a log of another event; other errors for a log of this
    ///   event with arguments that cannot be decoded.
    package func decode(_ log: ContractLog) throws(ABIError) -> [Argument] {
        var topics = log.topics[...]
        if !isAnonymous {
            guard topics.popFirst() == topic else { throw .topic }
        }
        guard topics.count == inputs.count - plainTypes.count else {
            throw .count(expected: inputs.count - plainTypes.count, found: topics.count)
        }
        var plain = try ABI.decode(log.data, as: plainTypes)[...]
        var arguments: [Argument] = []
        arguments.reserveCapacity(inputs.count)
        for input in inputs {
            if input.isIndexed, let topic = topics.popFirst() {
                arguments.append(try indexed(topic, as: input.type))
            } else if let value = plain.popFirst() {
                arguments.append(.value(value))
            }
        }
        return arguments
    }

    private func indexed(_ topic: Bytes32, as type: ABIType) throws(ABIError) -> Argument {
        guard type.isElementary else { return .hash(topic) }
        guard let value = ABIWord(topic).value(of: type) else {
            throw .word(offset: 0, type: type)
        }
        return .value(value)
    }
}
