import Client
import Foundation

/// The JSON Schemas of the API's types, derived from their fields and the facts about these.
///
/// Source: JSON Schema 2020-12.
struct APISchemas {
    /// Where a value is: an object of a request has no other fields, one of an answer can have
    /// more.
    enum Side {
        case request, answer
    }

    /// The schemas of objects, by the names of their types.
    private(set) var named: [String: [String: Any]] = [:]
    /// The names of the types that answers have.
    private var answered: Set<String> = []

    init() {
        _ = reference(to: Problem.self, .answer)
        for call in API.all { _ = body(call.output, .answer) }
        answered = Set(named.keys)
    }

    /// Returns the schema of the body of a request or an answer.
    mutating func body(_ type: any Decodable.Type, _ side: Side) -> [String: Any] {
        switch type {
        case is NoBody.Type, is FileBody.Type: [:]
        case is JSONObject.Type: ["type": "object"]
        case let page as any PageType.Type:
            object(
                TypeField.all(of: type).filter {
                    page.isOfListings || ["items", "next", "isLast"].contains($0.name)
                },
                side
            )
        default: value(type, FieldFacts(), side)
        }
    }

    /// Returns a reference to the schema of an object, and adds the schema if it is new.
    ///
    /// A type used in both requests and answers appears twice, once with the name `…Input`.
    mutating func reference(to type: any Decodable.Type, _ side: Side) -> [String: Any] {
        var name = String(reflecting: type).split(separator: ".").dropFirst().joined()
        if side == .request, answered.contains(name) { name += "Input" }
        if named[name] == nil {
            let fields = TypeField.all(of: type)
            var schema = object(fields, side)
            let shown = fields.filter { side == .answer || !$0.facts.isNotInExample }
            schema["example"] = [String: Any](of: shown)
            named[name] = schema
        }
        return ["$ref": "#/components/schemas/\(name)"]
    }

    private mutating func object(_ fields: [TypeField], _ side: Side) -> [String: Any] {
        var properties: [String: Any] = [:]
        for field in fields {
            var schema = value(field.type, field.facts, side)
            if field.isOptional { schema = Self.orNull(schema) }
            schema["description"] = field.facts.meaning
            properties[field.name] = schema
        }
        var schema: [String: Any] = [
            "type": "object", "properties": properties,
            "required": fields.filter { !$0.isOptional }.map(\.name).sorted(),
        ]
        if side == .request { schema["additionalProperties"] = false }
        return schema
    }

    private mutating func value(
        _ type: any Decodable.Type,
        _ facts: FieldFacts,
        _ side: Side
    ) -> [String: Any] {
        var schema: [String: Any]
        switch WireType(type) {
        case .list(let element):
            schema = ["type": "array", "items": value(element, facts, side)]
            if let counts = facts.elementCounts, !facts.isUnchecked {
                (schema["minItems"], schema["maxItems"]) = (counts.lowerBound, counts.upperBound)
            }
            return schema
        case .object where facts.isUnchecked:
            var fields = TypeField.all(of: type)
            for index in fields.indices { fields[index].facts = fields[index].facts.unchecked }
            return object(fields, side)
        case .object: return reference(to: type, side)
        case .map: return ["type": "object", "additionalProperties": ["type": "string"]]
        case .text: schema = ["type": "string"]
        case .time: schema = ["type": "string", "format": "date-time"]
        case .flag: schema = ["type": "boolean"]
        case .decimal: schema = ["type": "number"]
        case .texts(let known): schema = ["type": "string", "enum": known]
        case .integer:
            schema = ["type": "integer"]
            // An example below zero says that the number can be.
            if (facts.sample as? Int ?? 0) >= 0 { schema["minimum"] = 0 }
        }
        if !facts.isUnchecked, let form = facts.form {
            schema.merge(form.schema.filter { $0.key != "type" }) { $1 }
        }
        return schema
    }

    private static func orNull(_ schema: [String: Any]) -> [String: Any] {
        guard let type = schema["type"] else { return ["anyOf": [schema, ["type": "null"]]] }
        var schema = schema
        schema["type"] = [type, "null"]
        if let values = schema["enum"] as? [Any] { schema["enum"] = values + [NSNull()] }
        return schema
    }
}

/// A page of a list; that of a search for listings has more fields than the others.
private protocol PageType {
    static var isOfListings: Bool { get }
}

extension Page: PageType {
    fileprivate static var isOfListings: Bool {
        Element.self == Listing.self || Element.self == ListingRow.self
    }
}
