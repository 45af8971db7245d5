/// The fields of a protobuf message that was read in its canonical form.
///
/// Fields are asked for by their numbers; absent ones have their default value.
package struct WireFields: Sendable {
    enum Value: Sendable {
        case number(UInt64)
        case numbers([UInt64])
        case bytes(ArraySlice<UInt8>)
        case text(String)
        case message(WireFields)
    }

    /// A field that this version does not know.
    struct Unknown: Sendable {
        let number: UInt64
        /// The bytes that it takes, tag and length counted.
        let byteCount: Int
        /// The content of a field of bytes, text or a message; `nil` for numbers.
        let content: ArraySlice<UInt8>?
    }

    /// By rising numbers; repeated fields have an entry for each element.
    private(set) var entries: [(number: Int, value: Value)] = []
    private(set) var unknown: [Unknown] = []

    /// - Parameter capacity: For how many entries to make room at once.
    init(capacity: Int = 0) { entries.reserveCapacity(capacity) }

    mutating func add(_ number: UInt64, _ value: Value) {
        entries.append((Int(number), value))
    }

    mutating func add(_ field: Unknown) { unknown.append(field) }

    /// Whether this message itself has fields that this version does not know.
    package var hasUnknownItself: Bool { !unknown.isEmpty }

    /// Whether this message, or one in it, has fields that this version does not know.
    package var hasUnknown: Bool {
        !unknown.isEmpty
            || entries.contains {
                if case .message(let fields) = $0.value { fields.hasUnknown } else { false }
            }
    }

    /// Whether all that it has are fields that this version does not know.
    var isUnknown: Bool { entries.isEmpty && !unknown.isEmpty }

    /// The number of the only field; `nil` if there are none or several.
    package var only: Int? { entries.count == 1 ? entries.first?.number : nil }

    package func has(_ number: Int) -> Bool { value(number) != nil }

    package func number(_ number: Int) -> UInt64 {
        if case .number(let value)? = value(number) { value } else { 0 }
    }

    package func uint32(_ number: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: self.number(number))
    }

    /// The number that `sint32` wrote with its sign in the lowest bit.
    package func sint32(_ number: Int) -> Int32 {
        let value = uint32(number)
        return Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }

    package func flag(_ number: Int) -> Bool { self.number(number) != 0 }

    package func numbers(_ number: Int) -> [UInt64] {
        if case .numbers(let values)? = value(number) { values } else { [] }
    }

    package func bytes(_ number: Int) -> ArraySlice<UInt8> {
        if case .bytes(let value)? = value(number) { value } else { [] }
    }

    package func text(_ number: Int) -> String {
        if case .text(let value)? = value(number) { value } else { "" }
    }

    package func message(_ number: Int) -> WireFields {
        if case .message(let value)? = value(number) { value } else { WireFields() }
    }

    package func allBytes(_ number: Int) -> [ArraySlice<UInt8>] {
        all(number) { if case .bytes(let value) = $0 { value } else { nil } }
    }

    package func texts(_ number: Int) -> [String] {
        all(number) { if case .text(let value) = $0 { value } else { nil } }
    }

    package func messages(_ number: Int) -> [WireFields] {
        all(number) { if case .message(let value) = $0 { value } else { nil } }
    }

    // By indices, because an entry that is looked at as a whole is copied with its references.

    private func value(_ number: Int) -> Value? {
        for index in entries.indices where entries[index].number == number {
            return entries[index].value
        }
        return nil
    }

    private func all<Element>(_ number: Int, _ element: (Value) -> Element?) -> [Element] {
        var elements: [Element] = []
        for index in entries.indices where entries[index].number == number {
            if let found = element(entries[index].value) { elements.append(found) }
        }
        return elements
    }
}

extension WireFields {
    /// Reads a message of this schema; `nil` if it is not in canonical form.
    package init?(_ bytes: some Collection<UInt8>, _ schema: WireSchema) {
        // The callers need not know which rule was broken: they refuse them all.
        guard let fields = try? WireReader.read(ArraySlice(bytes), schema) else { return nil }
        self = fields
    }
}
