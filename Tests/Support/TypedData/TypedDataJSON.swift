import BigInt
import FoundationEssentials
import Keys

extension TypedData {
    /// Reads the JSON that wallets sign with `eth_signTypedData_v4`.
    ///
    /// It is strict, because a misread value would be signed: each member of the types must have a
    /// value of its type, members without a type are refused, and so are numbers that JSON rounds.
    /// A struct may be `null`. The domain's type must be given, with members that EIP-712 defines.
    ///
    /// Source: EIP-712, "Specification of the eth_signTypedData JSON RPC".
    ///
    /// - Throws: ``TypedDataError`` with the part that does not fit.
    package init(json: some Collection<UInt8>) throws(TypedDataError) {
        let form: TypedDataForm
        do {
            form = try JSONDecoder().decode(TypedDataForm.self, from: Data(json))
        } catch DecodingError.keyNotFound(let key, _) {
            throw .malformed(part: key.stringValue)
        } catch DecodingError.typeMismatch(_, let context) {
            throw .malformed(part: context.codingPath.first?.stringValue ?? "text")
        } catch DecodingError.valueNotFound(_, let context) {
            throw .malformed(part: context.codingPath.first?.stringValue ?? "text")
        } catch {
            throw .malformed(part: "text")
        }
        let reader = TypedDataReader(schema: try TypedDataSchema(form.fields))
        for field in form.fields[TypedDataDomain.typeName] ?? []
        where !TypedDataDomain.knownFields.contains(field) {
            throw .invalidDomainField(field.name)
        }
        self.init(
            domainSeparator: try reader.hash(form.domain, TypedDataDomain.typeName, "domain"),
            messageHash: try reader.hash(form.message, form.primaryType, "message")
        )
    }
}

/// The four parts of the JSON, before the types are known.
private struct TypedDataForm: Decodable {
    struct Field: Decodable {
        let name: String
        let type: String
    }

    let types: [String: [Field]]
    let primaryType: String
    let domain: TypedDataNode
    let message: TypedDataNode

    var fields: [String: [TypedField]] {
        types.mapValues { $0.map { TypedField($0.name, $0.type) } }
    }
}

/// Any JSON value; numbers are kept only if they are exact.
private indirect enum TypedDataNode: Decodable {
    case null
    case bool(Bool)
    case integer(BigInt)
    /// A fraction, or an integer that does not fit into 64 bits.
    case inexact
    case text(String)
    case list([TypedDataNode])
    case object([String: TypedDataNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A value of another type throws; then try the next type.
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(BigInt(number))
        } else if let number = try? container.decode(UInt64.self) {
            self = .integer(BigInt(number))
        } else if (try? container.decode(Double.self)) != nil {
            self = .inexact
        } else if let list = try? container.decode([TypedDataNode].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: TypedDataNode].self))
        }
    }
}

/// Converts JSON to values by the types of the message.
private struct TypedDataReader {
    let schema: TypedDataSchema

    func hash(
        _ node: TypedDataNode,
        _ type: String,
        _ path: String
    ) throws(TypedDataError) -> Bytes32 {
        try schema.hash(try structure(node, type, path), as: type, path: path)
    }

    private func structure(
        _ node: TypedDataNode,
        _ type: String,
        _ path: String
    ) throws(TypedDataError) -> TypedValue {
        let kinds = try schema.kinds(of: type)
        guard case .object(let nodes) = node else { throw .mismatch(path: path, type: type) }
        try schema.refuseUnknown(nodes.keys, of: type, path: path)
        var values: [String: TypedValue] = [:]
        for (field, kind) in kinds {
            let memberPath = path + "." + field.name
            guard let node = nodes[field.name] else { throw .missingField(path: memberPath) }
            values[field.name] = try value(node, kind, field.type, memberPath)
        }
        return .structure(values)
    }

    private func value(
        _ node: TypedDataNode,
        _ kind: TypedKind,
        _ type: String,
        _ path: String
    ) throws(TypedDataError) -> TypedValue {
        switch (kind, node) {
        case (.structure, .null): return .none
        case (.structure(let name), _): return try structure(node, name, path)
        case (.array(let element, _), .list(let nodes)):
            let elementType = String(type[..<(type.lastIndex(of: "[") ?? type.endIndex)])
            var values: [TypedValue] = []
            for (index, node) in nodes.enumerated() {
                values.append(try value(node, element, elementType, "\(path)[\(index)]"))
            }
            return .array(values)
        case (.bool, .bool(let flag)): return .bool(flag)
        case (.string, .text(let text)): return .string(text)
        case (.unsigned, .integer(let number)), (.signed, .integer(let number)):
            return .integer(number)
        case (.unsigned, .inexact), (.signed, .inexact):
            throw .outOfRange(path: path, type: type)
        default:
            guard case .text(let text) = node, let value = Self.read(text, as: kind) else {
                throw .mismatch(path: path, type: type)
            }
            return value
        }
    }

    /// Reads values that JSON carries as text: addresses, bytes, and decimal or `0x` numbers.
    private static func read(_ text: String, as kind: TypedKind) -> TypedValue? {
        switch kind {
        case .address:
            // Its errors add nothing to the path and type that the caller reports.
            return (try? Address(text: text)).map(TypedValue.address)
        case .bytes, .fixedBytes:
            return text.hasPrefix("0x") ? Hex.decode(text).map(TypedValue.bytes) : nil
        case .unsigned, .signed:
            // 78 decimal digits hold 256 bits; a longer text is certainly out of range.
            guard text.utf8.count <= 80 else { return nil }
            if text.hasPrefix("0x") {
                let digits = text.dropFirst(2)
                return digits.first?.isHexDigit == true
                    ? BigInt(digits, radix: 16).map(TypedValue.integer) : nil
            }
            let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return BigInt(text, radix: 10).map(TypedValue.integer)
        default: return nil
        }
    }
}
