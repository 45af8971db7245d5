/// The parsed type of a member.
///
/// Source: EIP-712, "Definition of typed structured data".
indirect enum TypedKind: Equatable, Sendable {
    /// Limits the levels of nested arrays, so that a type's text cannot exhaust the stack.
    private static let levelsMax = 16

    case address
    case bool
    case string
    case bytes
    case fixedBytes(count: Int)
    case unsigned(bits: Int)
    case signed(bits: Int)
    case structure(String)
    case array(of: TypedKind, count: Int?)

    /// Parses a type's text; `structs` are the names that the message defines.
    ///
    /// - Throws: ``TypedDataError/unknownType(_:)`` for any other name.
    init(_ text: String, structs: Set<String>) throws(TypedDataError) {
        self = try Self.read(text[...], structs: structs, level: 0)
    }

    private static func read(
        _ text: Substring,
        structs: Set<String>,
        level: Int
    ) throws(TypedDataError) -> TypedKind {
        guard text.last == "]" else {
            if let simple = simple(text) { return simple }
            guard structs.contains(String(text)) else { throw .unknownType(String(text)) }
            return .structure(String(text))
        }
        guard level < levelsMax, let open = text.lastIndex(of: "[") else {
            throw .unknownType(String(text))
        }
        let digits = text[text.index(after: open)...].dropLast()
        let count = number(digits)
        guard digits.isEmpty || count != nil else { throw .unknownType(String(text)) }
        let element = try read(text[..<open], structs: structs, level: level + 1)
        return .array(of: element, count: count)
    }

    /// Parses a type that needs no definition; `nil` for any other.
    static func simple(_ text: Substring) -> TypedKind? {
        switch text {
        case "address": return .address
        case "bool": return .bool
        case "string": return .string
        case "bytes": return .bytes
        default: break
        }
        if text.hasPrefix("bytes") {
            return number(text.dropFirst(5)).flatMap { $0 <= 32 ? .fixedBytes(count: $0) : nil }
        }
        if text.hasPrefix("uint") {
            return bits(text.dropFirst(4)).map { .unsigned(bits: $0) }
        }
        return text.hasPrefix("int") ? bits(text.dropFirst(3)).map { .signed(bits: $0) } : nil
    }

    private static func bits(_ digits: Substring) -> Int? {
        number(digits).flatMap { $0 <= 256 && $0.isMultiple(of: 8) ? $0 : nil }
    }

    /// Reads a positive number without sign or leading zero, the form of Solidity's sizes.
    private static func number(_ digits: Substring) -> Int? {
        guard let first = digits.utf8.first, first != UInt8(ascii: "0"),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }
}
