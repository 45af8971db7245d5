/// A named argument or result of a contract's interface.
package struct ABIParameter: Hashable, Sendable {
    /// The name; empty if the contract gives none.
    package let name: String
    package let type: ABIType
    /// The named parts of a tuple, or of the tuples in an array; else empty.
    package let components: [ABIParameter]
    /// Whether an event's log has it as a topic.
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

/// Returns the canonical signature `name(type,type)`, whose hash gives selectors and topics.
func signature(_ name: String, _ inputs: [ABIParameter]) -> String {
    name + "(" + inputs.map(\.type.canonicalName).joined(separator: ",") + ")"
}
