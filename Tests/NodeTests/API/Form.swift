import Foundation

/// What a schema of the API's document says of a value, as far as its keywords go.
struct Form {
    private let schema: [String: Any]
    private let schemas: [String: [String: Any]]

    init(_ schema: [String: Any], schemas: [String: [String: Any]]) {
        (self.schema, self.schemas) = (schema, schemas)
    }

    /// That of a response's body.
    init(_ status: String, of responses: [String: Any], schemas: [String: [String: Any]]) {
        let response = responses[status] as? [String: Any]
        let content = response?["content"] as? [String: [String: Any]]
        self.init(content?.values.first?["schema"] as? [String: Any] ?? [:], schemas: schemas)
    }

    /// Where a value is not of this form.
    func faults(in value: Any, at place: String = "") -> [String] {
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
            guard let named = schemas[String(name)] else { return ["\(place): no schema \(name)"] }
            return Form(named, schemas: schemas).faults(in: value, at: place)
        }
        // An optional object is it or null; a problem has one of some codes besides its form.
        let several = schema["anyOf"] ?? schema["allOf"]
        if let first = (several as? [[String: Any]])?.first {
            return Form(first, schemas: schemas).faults(in: value, at: place)
        }
        if let list = value as? [Any] {
            guard let items = schema["items"] as? [String: Any] else { return ["\(place): a list"] }
            return list.flatMap { Form(items, schemas: schemas).faults(in: $0, at: place + "[]") }
        }
        guard let object = value as? [String: Any] else {
            return simpleFaults(in: value, at: place)
        }
        if schema["additionalProperties"] != nil { return [] }
        guard let properties = schema["properties"] as? [String: [String: Any]] else {
            return ["\(place): an object"]
        }
        let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
        return missing.map { "\(place).\($0): missing" }
            + object.flatMap { name, part in
                guard let form = properties[name] else {
                    return ["\(place).\(name): not described"]
                }
                return Form(form, schemas: schemas).faults(in: part, at: "\(place).\(name)")
            }
    }

    private func simpleFaults(in value: Any, at place: String) -> [String] {
        guard schema["type"] != nil else { return ["\(place): not described"] }
        guard let text = value as? String else { return [] }
        if let values = schema["enum"] as? [Any], !values.contains(where: { $0 as? String == text })
        {
            return ["\(place): \(text) is none of the values"]
        }
        if let pattern = schema["pattern"] as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            return ["\(place): \(text) is not \(pattern)"]
        }
        return []
    }
}
