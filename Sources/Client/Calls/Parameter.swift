/// A parameter in the query of a call.
package struct Parameter<Value: Sendable>: QueryParameter {
    package let name: String
    package let about: String
    package let form: ValueForm
    /// The value of a call that leaves it out.
    package let absent: Value
    /// Reads a value; `nil` for a text that is none.
    ///
    /// A value that may be absent is an optional in this one: `nil` inside it is the absent value.
    package let read: @Sendable (String) -> Value?
    private let write: @Sendable (Value) -> String?

    init(
        _ name: String,
        _ about: String,
        _ form: ValueForm,
        absent: Value,
        read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String?
    ) {
        (self.name, self.about, self.form) = (name, about, form)
        (self.absent, self.read, self.write) = (absent, read, write)
    }

    /// Returns the parameter with a value, as a query has it; it is left out for ``absent``.
    func callAsFunction(_ value: Value) -> Call.QueryItem { (name, write(value)) }
}

/// A parameter of any type.
package protocol QueryParameter: Sendable {
    var name: String { get }
    /// Its meaning, for the API's document.
    var about: String { get }
    var form: ValueForm { get }
}

extension Parameter<String?> {
    init(_ name: String, _ about: String, _ form: ValueForm = .text) {
        self.init(name, about, form, absent: nil, read: { $0 }, write: { $0 })
    }
}

extension Parameter<Bool> {
    init(flag name: String, _ about: String) {
        self.init(
            name,
            about,
            .flag,
            absent: false,
            read: { ["true": true, "false": false][$0] },
            write: { $0 ? "true" : nil }
        )
    }
}

extension Parameter<Int?> {
    init(_ name: String, _ about: String, _ range: ClosedRange<Int>) {
        self.init(
            name,
            about,
            .numbers(range),
            absent: nil,
            // Within another optional, so that an invalid text is not mistaken for an absent one.
            read: { wholeNumber($0, in: range).map(Optional.some) },
            write: { $0.map(String.init) }
        )
    }
}

/// Returns the number in a text of digits; `nil` if it is not in the range.
func wholeNumber(_ text: String, in range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).flatMap { range.contains($0) ? $0 : nil }
}
