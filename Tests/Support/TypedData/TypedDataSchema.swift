import BigInt
package import Keys

/// The validated struct types of a message, with their hashes.
///
/// Source: EIP-712, "Definition of encodeType" and "Definition of encodeData".
package struct TypedDataSchema: Equatable, Sendable {
    private struct Member: Equatable {
        let field: TypedField
        let kind: TypedKind
    }

    private struct Structure: Equatable {
        let members: [Member]
        let typeText: String
        let typeHash: Bytes32
    }

    private let structures: [String: Structure]

    /// Validates the types and computes their hashes.
    ///
    /// - Throws: ``TypedDataError`` for a type that is not defined or an invalid name.
    package init(_ types: [String: [TypedField]]) throws(TypedDataError) {
        let names = Set(types.keys)
        var members: [String: [Member]] = [:]
        for (name, fields) in types {
            guard Self.isName(name), TypedKind.simple(name[...]) == nil else {
                throw .invalidName(name)
            }
            members[name] = try Self.members(fields, of: name, structs: names)
        }
        var structures: [String: Structure] = [:]
        for (name, own) in members {
            let text = Self.typeText(name, in: members)
            structures[name] = Structure(
                members: own,
                typeText: text,
                typeHash: Keccak256.hash(text.utf8)
            )
        }
        self.structures = structures
    }

    /// Returns the text with the type's name and members, and all types it refers to.
    package func encodeType(_ name: String) throws(TypedDataError) -> String {
        try structure(name).typeText
    }

    /// Returns the hash of ``encodeType(_:)``.
    package func typeHash(_ name: String) throws(TypedDataError) -> Bytes32 {
        try structure(name).typeHash
    }

    /// Returns the hash of a struct's value (`hashStruct`).
    ///
    /// - Throws: ``TypedDataError`` with the path of the member that does not fit its type.
    package func hash(
        _ value: TypedValue,
        as name: String,
        path: String = "message"
    ) throws(TypedDataError) -> Bytes32 {
        let structure = try structure(name)
        guard case .structure(let values) = value else { throw .mismatch(path: path, type: name) }
        try refuseUnknown(values.keys, of: name, path: path)
        var hasher = StructHasher(typeHash: structure.typeHash)
        for member in structure.members {
            let memberPath = path + "." + member.field.name
            guard let value = values[member.field.name] else {
                throw .missingField(path: memberPath)
            }
            hasher.add(try word(value, member.kind, type: member.field.type, path: memberPath))
        }
        return hasher.finalize()
    }

    /// Returns the members of a type with their parsed types, for a reader that builds values.
    func kinds(of name: String) throws(TypedDataError) -> [(field: TypedField, kind: TypedKind)] {
        try structure(name).members.map { ($0.field, $0.kind) }
    }

    /// Throws for a name that the type does not have; the first in order.
    func refuseUnknown(
        _ names: some Collection<String>,
        of type: String,
        path: String
    ) throws(TypedDataError) {
        let known = Set(try structure(type).members.map(\.field.name))
        if let extra = names.filter({ !known.contains($0) }).min() {
            throw .unknownField(path: path + "." + extra)
        }
    }

    private func structure(_ name: String) throws(TypedDataError) -> Structure {
        guard let structure = structures[name] else { throw .unknownType(name) }
        return structure
    }

    private func word(
        _ value: TypedValue,
        _ kind: TypedKind,
        type: String,
        path: String
    ) throws(TypedDataError) -> Bytes32 {
        switch (kind, value) {
        case (.address, .address(let address)): return address.word
        case (.bool, .bool(let flag)): return Bytes32(words: 0, 0, 0, flag ? 1 : 0)
        case (.string, .string(let text)): return Keccak256.hash(text.utf8)
        case (.bytes, .bytes(let bytes)): return Keccak256.hash(bytes)
        case (.fixedBytes(let count), .bytes(let bytes)):
            return try Self.padded(bytes, to: count, path: path)
        case (.unsigned(let bits), .integer(let number)):
            guard number.sign == .plus, number.bitWidthUnsigned <= bits else {
                throw .outOfRange(path: path, type: type)
            }
            return number.word
        case (.signed(let bits), .integer(let number)):
            let limit = BigInt(1) << (bits - 1)
            guard number >= -limit, number < limit else {
                throw .outOfRange(path: path, type: type)
            }
            return number.word
        case (.structure, .none): return .zero
        case (.structure(let name), _): return try hash(value, as: name, path: path)
        case (.array(let element, let count), .array(let values)):
            return try arrayHash(values, of: element, count: count, type: type, path: path)
        default: throw .mismatch(path: path, type: type)
        }
    }

    private func arrayHash(
        _ values: [TypedValue],
        of element: TypedKind,
        count: Int?,
        type: String,
        path: String
    ) throws(TypedDataError) -> Bytes32 {
        if let count, count != values.count {
            throw .wrongCount(path: path, expected: count, found: values.count)
        }
        let elementType = String(type[..<(type.lastIndex(of: "[") ?? type.endIndex)])
        var hasher = Keccak256()
        for (index, value) in values.enumerated() {
            hasher.update(try word(value, element, type: elementType, path: "\(path)[\(index)]"))
        }
        return hasher.finalize()
    }

    private static func padded(
        _ bytes: [UInt8],
        to count: Int,
        path: String
    ) throws(TypedDataError) -> Bytes32 {
        let padding = [UInt8](repeating: 0, count: max(0, Bytes32.byteCount - bytes.count))
        guard bytes.count == count, let word = Bytes32(bytes + padding) else {
            throw .wrongCount(path: path, expected: count, found: bytes.count)
        }
        return word
    }

    private static func members(
        _ fields: [TypedField],
        of name: String,
        structs: Set<String>
    ) throws(TypedDataError) -> [Member] {
        var seen: Set<String> = []
        var members: [Member] = []
        for field in fields {
            guard isName(field.name) else { throw .invalidName(field.name) }
            guard seen.insert(field.name).inserted else {
                throw .repeatedField(field.name, of: name)
            }
            members.append(Member(field: field, kind: try TypedKind(field.type, structs: structs)))
        }
        return members
    }

    /// Whether a name has no character that could make two different types read alike.
    private static func isName(_ name: String) -> Bool {
        !name.utf8.contains { "(),[]".utf8.contains($0) }
    }

    private static func typeText(_ name: String, in members: [String: [Member]]) -> String {
        var found: Set<String> = [name]
        var open = [name]
        while let next = open.popLast() {
            for member in members[next] ?? [] {
                if let other = member.kind.structName, found.insert(other).inserted {
                    open.append(other)
                }
            }
        }
        let others = found.subtracting([name]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return ([name] + others).map { type in
            let fields = (members[type] ?? []).map { "\($0.field.type) \($0.field.name)" }
            return "\(type)(\(fields.joined(separator: ",")))"
        }.joined()
    }
}

extension TypedKind {
    /// The struct that this type refers to, itself or as an array's element.
    fileprivate var structName: String? {
        switch self {
        case .structure(let name): name
        case .array(let element, _): element.structName
        default: nil
        }
    }
}

extension BigInt {
    /// The number of bits of a number that is not negative.
    fileprivate var bitWidthUnsigned: Int { magnitude.bitWidth }

    /// The number as 256 bits, in two's complement if it is negative.
    fileprivate var word: Bytes32 {
        let wrapped = sign == .minus ? self + (BigInt(1) << 256) : self
        let words = wrapped.magnitude.words.map(UInt64.init)
        func part(_ index: Int) -> UInt64 { index < words.count ? words[index] : 0 }
        return Bytes32(words: part(3), part(2), part(1), part(0))
    }
}
