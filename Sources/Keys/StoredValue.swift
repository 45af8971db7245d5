/// A value with exactly one encoding, in which it is stored.
///
/// Numbers are big-endian with a fixed width; values of varying length have their length before
/// them.
package protocol StoredValue {
    func write(to writer: inout StoredWriter)
    init(from reader: inout StoredReader) throws(StoredValueError)
}

extension StoredValue {
    package var storedBytes: [UInt8] {
        var writer = StoredWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Decodes the value that takes all of `bytes`.
    ///
    /// - Throws: ``StoredValueError`` if they are truncated, too long or of another form.
    package init(storedBytes bytes: [UInt8]) throws(StoredValueError) {
        var reader = StoredReader(bytes)
        self = try Self(from: &reader)
        guard reader.isAtEnd else { throw .trailingBytes }
    }
}

/// Why stored bytes cannot be decoded: the store is damaged or of a later version.
package enum StoredValueError: Error, Equatable, Sendable {
    case truncated
    case trailingBytes
    /// A tag, version or text that this version does not know.
    case unknownForm(UInt8)
}

/// Encodes stored values.
package struct StoredWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ byte: UInt8) { bytes.append(byte) }

    package mutating func write(_ number: UInt64) {
        for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }
    package mutating func write(_ hash: Bytes32) { bytes += hash.bytes }
    package mutating func write(_ address: Address) { bytes += address.bytes }
    package mutating func write(_ text: String) { write([UInt8](text.utf8)) }

    package mutating func write(_ content: [UInt8]) {
        write(UInt64(content.count))
        bytes += content
    }

    package mutating func write(_ value: some StoredValue) { value.write(to: &self) }

    package mutating func write(_ values: [some StoredValue]) {
        write(UInt64(values.count))
        for value in values { value.write(to: &self) }
    }

    package mutating func write<Value>(
        optional value: Value?,
        _ body: (inout StoredWriter, Value) -> Void
    ) {
        write(value != nil)
        if let value { body(&self, value) }
    }
}

/// Decodes stored values, and never reads beyond the end of the bytes.
package struct StoredReader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    private mutating func take(_ count: UInt64) throws(StoredValueError) -> ArraySlice<UInt8> {
        guard count <= UInt64(bytes.count - position) else { throw .truncated }
        defer { position += Int(count) }
        return bytes[position..<position + Int(count)]
    }

    package mutating func byte() throws(StoredValueError) -> UInt8 {
        let taken = try take(1)
        return taken[taken.startIndex]
    }

    package mutating func number() throws(StoredValueError) -> UInt64 {
        try take(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package mutating func flag() throws(StoredValueError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        case let other: throw .unknownForm(other)
        }
    }

    package mutating func hash() throws(StoredValueError) -> Bytes32 {
        guard let hash = Bytes32(try take(32)) else { throw .truncated }
        return hash
    }

    package mutating func address() throws(StoredValueError) -> Address {
        guard let address = Address(try take(20)) else { throw .truncated }
        return address
    }

    package mutating func content() throws(StoredValueError) -> [UInt8] {
        [UInt8](try take(try number()))
    }

    package mutating func text() throws(StoredValueError) -> String {
        guard let text = String(validating: try content(), as: UTF8.self) else {
            throw .unknownForm(0xFF)
        }
        return text
    }

    package mutating func optional<Value>(
        _ body: (inout StoredReader) throws(StoredValueError) -> Value
    ) throws(StoredValueError) -> Value? {
        try flag() ? try body(&self) : nil
    }

    package mutating func values<Value: StoredValue>(
        of type: Value.Type
    ) throws(StoredValueError) -> [Value] {
        let count = try number()
        guard count <= UInt64(bytes.count - position) else { throw .truncated }
        var values: [Value] = []
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }
}
