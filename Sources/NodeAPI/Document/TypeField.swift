import Client
import Foundation

/// The JSON form of a value of the API, by its type.
enum WireType {
    case text
    case time
    case flag
    case integer
    case decimal
    /// One of the texts that this version knows.
    case texts([String])
    /// An object with any names, and texts as values.
    case map
    case list(of: any Decodable.Type)
    case object

    init(_ type: any Decodable.Type) {
        self =
            switch type {
            case is String.Type: .text
            case is Date.Type: .time
            case is Bool.Type: .flag
            case is Double.Type: .decimal
            case is any FixedWidthInteger.Type: .integer
            case is [String: String].Type: .map
            case let list as any ListType.Type: .list(of: list.element)
            case let texts as any ExtensibleEnumeration.Type: .texts(Self.known(texts))
            default: .object
            }
    }

    private static func known<Value: ExtensibleEnumeration>(_ type: Value.Type) -> [String] {
        type.known.map(\.rawValue)
    }
}

/// A list, by the type of its elements.
private protocol ListType {
    static var element: any Decodable.Type { get }
}

extension Array: ListType where Element: Decodable {
    fileprivate static var element: any Decodable.Type { Element.self }
}

/// A field of a type of the API, as the type's decoder asks for it.
struct TypeField {
    let name: String
    let type: any Decodable.Type
    /// Whether JSON can leave it out.
    let isOptional: Bool
    var facts: FieldFacts
    /// Its JSON in an example of the type that has all fields.
    let example: Any

    /// Returns the fields of a type, found by decoding one from examples.
    static func all(of type: any Decodable.Type) -> [TypeField] {
        let facts = (type as? any DescribedType.Type)?.fields ?? [:]
        let found = FoundFields(facts: facts)
        do { _ = try type.init(from: ExampleDecoder(found: found)) } catch {
            preconditionFailure("\(type) has no example: \(error)")
        }
        let names = found.fields.map(\.name)
        precondition(facts.keys.allSatisfy(names.contains), "\(type) has other fields: \(names)")
        return found.fields
    }

    /// Returns the JSON of an example of a type with all fields.
    fileprivate static func example(
        of type: any Decodable.Type,
        _ facts: FieldFacts
    ) throws -> Any {
        let wire = WireType(type)
        if case .list(let element) = wire { return [try example(of: element, facts)] }
        if let sample = facts.sample {
            let data = try WireCoding.encoder().encode(sample)
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        }
        return switch wire {
        case .text: "…"
        case .time: "2026-01-01T00:00:00.000Z"
        case .flag: false
        case .integer, .decimal: 1
        case .texts(let known): known[0]
        case .map, .list: [String: Any]()
        case .object: [String: Any](of: all(of: type))
        }
    }
}

extension [String: Any] {
    /// An example of an object with these fields.
    init(of fields: [TypeField]) {
        self = fields.reduce(into: [:]) { $0[$1.name] = $1.example }
    }
}

/// The fields that a decoder has asked for.
private final class FoundFields {
    let facts: [String: FieldFacts]
    var fields: [TypeField] = []
    var optional: Set<String> = []

    init(facts: [String: FieldFacts]) { self.facts = facts }
}

/// Decodes an object with an example of each field that is asked for.
private struct ExampleDecoder: Decoder {
    let found: FoundFields

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ExampleObject(found: found))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoObject() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoObject() }
}

/// The object of an ``ExampleDecoder``.
private struct ExampleObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let found: FoundFields

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    /// Called for optional fields alone, before they are decoded.
    func contains(_ key: Key) -> Bool {
        found.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let name = key.stringValue
        let facts = found.facts[name] ?? FieldFacts()
        let example = try TypeField.example(of: type, facts)
        found.fields.append(
            TypeField(
                name: name,
                type: type,
                isOptional: found.optional.contains(name),
                facts: facts,
                example: example
            )
        )
        let data = try JSONSerialization.data(withJSONObject: example, options: .fragmentsAllowed)
        return try WireCoding.decoder().decode(type, from: data)
    }

    func nestedContainer<Other>(
        keyedBy type: Other.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Other> { throw NoObject() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw NoObject()
    }

    func superDecoder() throws -> any Decoder { throw NoObject() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoObject() }
}

/// A type of the API is decoded otherwise than as an object with fields.
private struct NoObject: Error {}
