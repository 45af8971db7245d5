import Client
import Foundation

extension APISchemas {
    /// Returns the schema of a type, derived from an example with all fields.
    ///
    /// A field is required if the type cannot be decoded without it; the others may be `null`.
    static func schema(of example: any Codable) throws -> [String: Any] {
        let data = try WireCoding.encoder().encode(example)
        let whole = try JSONSerialization.jsonObject(with: data)
        let name = "\(type(of: example))"
        var schema = describe(whole, at: [name]) { place in
            let changed = removing(place[...], from: whole)
            guard let data = try? JSONSerialization.data(withJSONObject: changed) else {
                return false
            }
            return !decodes(type(of: example), data)
        }
        if API.all.contains(where: { "\($0.input)" == name }) { close(&schema) }
        schema["example"] = whole
        return schema
    }

    /// Says of an object, and of those in it, that they have no other fields, as a body's have none.
    private static func close(_ schema: inout [String: Any]) {
        if var properties = schema["properties"] as? [String: [String: Any]] {
            for name in properties.keys { close(&properties[name, default: [:]]) }
            schema["properties"] = properties
            schema["additionalProperties"] = false
        }
        if var items = schema["items"] as? [String: Any] {
            close(&items)
            schema["items"] = items
        }
    }

    private static func decodes(_ type: any Decodable.Type, _ data: Data) -> Bool {
        (try? WireCoding.decoder().decode(type, from: data)) != nil
    }

    /// Returns the schema of a part of an example.
    ///
    /// `path` is the type's name and the fields down to the part, `[]` for an element of a list;
    /// `isRequired` says whether a field is required, given its path below the type.
    private static func describe(
        _ value: Any,
        at path: [String],
        _ isRequired: ([String]) -> Bool
    ) -> [String: Any] {
        let rule = APIFieldRule.find(ruleName(path))
        var schema: [String: Any]
        switch value {
        case is [String: Any] where rule?.isMap == true:
            schema = ["type": "object", "additionalProperties": ["type": "string"]]
        case let object as [String: Any]:
            var properties: [String: Any] = [:]
            var required: [String] = []
            for (name, part) in object {
                let place = path + [name]
                var described = describe(part, at: place, isRequired)
                if isRequired(Array(place.dropFirst())) {
                    required.append(name)
                } else {
                    allowNull(&described)
                }
                properties[name] = described
            }
            schema = ["type": "object", "properties": properties, "required": required.sorted()]
        case let list as [Any]:
            schema = [
                "type": "array",
                "items": list.first.map { describe($0, at: path + ["[]"], isRequired) } ?? [:],
            ]
        case let number as NSNumber where isBoolean(number): schema = ["type": "boolean"]
        case let number as NSNumber where !isWhole(number): schema = ["type": "number"]
        // An example below zero says that the number can be.
        case let number as NSNumber where number.int64Value < 0: schema = ["type": "integer"]
        case is NSNumber: schema = ["type": "integer", "minimum": 0]
        default: schema = describe("\(value)")
        }
        if rule?.isFree == true { schema["pattern"] = nil }
        schema.merge(rule?.keywords ?? [:]) { $1 }
        // An element of a list is described with the list.
        if path.count > 1, path.last != "[]", let text = APIFieldTexts.find(ruleName(path)) {
            schema["description"] = text
        }
        return schema
    }

    /// Returns the schema of texts with the form of an example's text.
    private static func describe(_ text: String) -> [String: Any] {
        switch text {
        case address: ["type": "string", "pattern": "^0x[0-9a-fA-F]{40}$"]
        case listing: ["type": "string", "pattern": "^0x[0-9a-fA-F]{40}\\.[0-9a-f]{64}$"]
        case hash: ["type": "string", "pattern": "^0x[0-9a-f]{64}$"]
        default:
            (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
                == nil ? ["type": "string"] : ["type": "string", "format": "date-time"]
        }
    }

    private static func allowNull(_ schema: inout [String: Any]) {
        schema["type"] = [schema["type"] ?? "string", "null"]
        if let values = schema["enum"] as? [String] {
            schema["enum"] = values.map { $0 as Any } + [NSNull()]
        }
    }

    /// Returns the path as rules name it: an element of a list of objects has the list's path.
    private static func ruleName(_ path: [String]) -> [String] {
        var names: [String] = []
        for (index, name) in path.enumerated() {
            guard name == "[]" else {
                names.append(name)
                continue
            }
            if index == path.count - 1, let last = names.popLast() { names.append(last + "[]") }
        }
        return names
    }

    private static func removing(_ place: ArraySlice<String>, from value: Any) -> Any {
        guard let name = place.first else { return value }
        if name == "[]", let list = value as? [Any] {
            return list.map { removing(place.dropFirst(), from: $0) }
        }
        guard var object = value as? [String: Any] else { return value }
        if place.count == 1 {
            object[name] = nil
        } else if let part = object[name] {
            object[name] = removing(place.dropFirst(), from: part)
        }
        return object
    }

    /// Returns whether a number is JSON's `true` or `false`; Foundation reads both `true` and `1`
    /// as an `NSNumber`.
    static func isBoolean(_ number: NSNumber) -> Bool {
        unsafe String(cString: number.objCType) == "c"
    }

    /// Returns whether it is a number without a fraction.
    static func isWhole(_ number: NSNumber) -> Bool {
        !isBoolean(number) && number.doubleValue == number.doubleValue.rounded()
    }
}
