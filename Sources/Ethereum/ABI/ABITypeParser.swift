/// Parses the text of a type, byte by byte.
struct ABITypeParser {
    private let text: String
    private let bytes: [UInt8]
    private var index = 0

    init(text: some StringProtocol) {
        self.text = String(text)
        bytes = [UInt8](text.utf8)
    }

    mutating func parseAll() throws(ABITypeError) -> ABIType {
        let type = try type(depth: 0)
        guard index == bytes.count else { throw .malformed(text) }
        return type
    }

    private mutating func type(depth: Int) throws(ABITypeError) -> ABIType {
        guard depth <= ABILimits.depthMax else { throw .tooLarge }
        let word = word()
        var type =
            if peek == UInt8(ascii: "("), word.isEmpty || word == "tuple" {
                try tuple(depth: depth)
            } else {
                try Self.elementary(word, in: text)
            }
        var suffixes = 0
        while peek == UInt8(ascii: "[") {
            suffixes += 1
            guard depth + suffixes <= ABILimits.depthMax else { throw .tooLarge }
            type = try array(of: type)
        }
        return type
    }

    private mutating func tuple(depth: Int) throws(ABITypeError) -> ABIType {
        var parts: [ABIType] = []
        repeat {
            index += 1
            parts.append(try type(depth: depth + 1))
        } while peek == UInt8(ascii: ",")
        guard peek == UInt8(ascii: ")") else { throw .malformed(text) }
        index += 1
        return .tuple(parts)
    }

    private mutating func array(of element: ABIType) throws(ABITypeError) -> ABIType {
        index += 1
        let count = word()
        guard peek == UInt8(ascii: "]") else { throw .malformed(text) }
        index += 1
        if count.isEmpty { return .array(of: element) }
        guard let count = Self.number(count), count > 0 else { throw .size(text) }
        return .fixedArray(of: element, count: count)
    }

    private mutating func word() -> String {
        let start = index
        while let byte = peek, Self.isWordByte(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func elementary(
        _ word: String,
        in text: String
    ) throws(ABITypeError) -> ABIType {
        switch word {
        case "address": return .address
        case "bool": return .bool
        case "string": return .string
        case "bytes": return .bytes
        case "function": return .function
        case "uint": return .uint256
        case "int": return .int(bits: 256)
        case "": throw .malformed(text)
        default: break
        }
        if word.hasPrefix("uint") { return .uint(bits: try bits(word.dropFirst(4), in: text)) }
        if word.hasPrefix("int") { return .int(bits: try bits(word.dropFirst(3), in: text)) }
        if word.hasPrefix("bytes") {
            guard let count = number(word.dropFirst(5)), (1...32).contains(count)
            else { throw .size(text) }
            return .fixedBytes(count: count)
        }
        if word.hasPrefix("fixed") || word.hasPrefix("ufixed") { throw .fixedPoint(text) }
        throw .unknown(word)
    }

    private static func bits(
        _ digits: Substring,
        in text: String
    ) throws(ABITypeError) -> Int {
        guard let bits = number(digits), (8...256).contains(bits), bits.isMultiple(of: 8)
        else { throw .size(text) }
        return bits
    }

    /// Parses a number without sign or leading zero.
    private static func number(_ digits: some StringProtocol) -> Int? {
        guard digits.utf8.count <= 9, digits.utf8.first != UInt8(ascii: "0"),
            digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(digits)
    }
}
