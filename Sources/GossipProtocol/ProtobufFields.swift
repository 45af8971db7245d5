import Market

/// The fields of a protobuf message that may have more than one encoding.
///
/// Other programs write fields in any order, and some that this version does not know; numbers have
/// their shortest form. A message with one encoding is read by ``WireReader``.
///
/// Source: protobuf.dev, "Encoding".
package struct ProtobufFields: Sendable {
    enum Value: Equatable {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    /// The fields in the order they arrived.
    let fields: [(number: UInt64, value: Value)]

    /// Reads a whole message; `nil` if it is malformed or has more than `fieldsMax` fields.
    package init?(_ bytes: [UInt8], fieldsMax: Int = 512) {
        self.init(bytes[...], fieldsMax: fieldsMax)
    }

    init?(_ bytes: ArraySlice<UInt8>, fieldsMax: Int = 512) {
        var rest = bytes
        var fields: [(number: UInt64, value: Value)] = []
        while !rest.isEmpty {
            guard fields.count < fieldsMax, let key = Varint.take(from: &rest), key >> 3 > 0,
                let value = Self.value(ofType: key & 7, from: &rest)
            else { return nil }
            fields.append((key >> 3, value))
        }
        self.fields = fields
    }

    /// Returns the last bytes of this field number, as protobuf does for a field not repeated.
    func bytes(_ number: UInt64) -> [UInt8]? {
        for field in fields.reversed() where field.number == number {
            if case .bytes(let bytes) = field.value { return Array(bytes) }
        }
        return nil
    }

    func number(_ number: UInt64) -> UInt64? {
        for field in fields.reversed() where field.number == number {
            if case .number(let value) = field.value { return value }
        }
        return nil
    }

    func text(_ number: UInt64) -> String? {
        bytes(number).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whether a field number other than `repeated` occurs more than once.
    func hasRepeats(besides repeated: UInt64? = nil) -> Bool {
        var numbers: Set<UInt64> = []
        return fields.contains { $0.number != repeated && !numbers.insert($0.number).inserted }
    }

    /// Returns all byte fields of this number, as slices.
    func parts(_ number: UInt64) -> [ArraySlice<UInt8>] {
        fields.compactMap { field in
            guard field.number == number, case .bytes(let bytes) = field.value else { return nil }
            return bytes
        }
    }

    /// Returns all byte fields of this number.
    package func repeated(_ number: UInt64) -> [[UInt8]] {
        fields.compactMap { field in
            guard field.number == number, case .bytes(let bytes) = field.value else { return nil }
            return Array(bytes)
        }
    }

    private static func value(ofType type: UInt64, from rest: inout ArraySlice<UInt8>) -> Value? {
        func take(_ byteCount: UInt64) -> Value? {
            guard byteCount <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(byteCount)) }
            return .bytes(rest.prefix(Int(byteCount)))
        }
        switch type {
        case 0:
            // Unlike a length it may need all 64 bits.
            var offset = rest.startIndex
            let number = try? CanonicalVarint.read(rest, at: &offset, end: rest.endIndex)
            rest = rest[offset...]
            return number.map(Value.number)
        case 1: return take(8)
        case 2: return Varint.take(from: &rest).flatMap(take)
        case 5: return take(4)
        default: return nil
        }
    }
}
