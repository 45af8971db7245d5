/// A named argument or result of a contract's interface.
package struct ABIParameter: Hashable, Sendable {
    /// Empty where the contract gives none.
    package let name: String
    package let type: ABIType
    /// The named parts of a tuple, or of the tuples in an array; else none.
    package let components: [ABIParameter]
    /// Whether an event has it as a topic.
    package let isIndexed: Bool

    package init(
        name: String = "",
        type: ABIType,
        components: [ABIParameter] = [],
        isIndexed: Bool = false
    ) {
        (self.name, self.type) = (name, type)
        (self.components, self.isIndexed) = (components, isIndexed)
    }
}

/// `name(type,type)`: what selectors and topics are hashes of.
func signature(_ name: String, _ inputs: [ABIParameter]) -> String {
    name + "(" + inputs.map(\.type.canonicalName).joined(separator: ",") + ")"
}
