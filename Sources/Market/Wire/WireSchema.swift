/// The fields of one protobuf message, as far as its canonical form depends on them.
///
/// A test compares the forms with the `.proto` files, which specify the messages.
///
/// Source: Docs/protocol.md, section 4.1.
package struct WireSchema: Hashable, Sendable {
    /// The type of a field's content.
    package indirect enum Field: Hashable, Sendable {
        case uint64
        case uint32
        /// A signed number of 32 bits, as `sint32` writes it.
        case sint32
        /// A number of 32 bits with its sign, written as one of 64 bits.
        case enumeration
        case bool
        case bytes
        case text
        case message(WireSchema)
        /// Any number of successive bytes, text or message fields.
        case repeated(Field)
        /// Any number of `uint64` in one field.
        case packed
    }

    /// By field number, from 1 without gaps.
    package let fields: [Field]
    /// The numbers of the members of a `oneof`, of which at most one is present; also with its
    /// default value.
    package let oneOf: ClosedRange<Int>?

    package init(_ fields: Field..., oneOf: ClosedRange<Int>? = nil) {
        self.fields = fields
        self.oneOf = oneOf
    }

    /// Returns a field; `nil` if this version does not know the number.
    func field(_ number: UInt64) -> Field? {
        guard number >= 1, number <= UInt64(fields.count) else { return nil }
        return fields[Int(number) - 1]
    }

    func isMember(_ number: UInt64) -> Bool {
        guard let oneOf, let number = Int(exactly: number) else { return false }
        return oneOf.contains(number)
    }
}
