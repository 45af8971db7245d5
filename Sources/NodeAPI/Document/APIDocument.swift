import Client
package import Foundation
import Hummingbird
import Market
import MediaFiles
import NIOCore
import Setup

/// The API's OpenAPI document, generated from the list of its calls and the fields of their types.
///
/// Source: OpenAPI Specification 3.1.
package enum APIDocument {
    /// The document's JSON, generated at its first use because that takes longer than most calls.
    static let bytes = Result { ByteBuffer(bytes: try json()) }

    /// Writes the document.
    package static func json() throws -> Data {
        var schemas = APISchemas()
        var paths: [String: [String: Any]] = [:]
        for (name, call) in API.named {
            var text = describe(call, &schemas)
            text["operationId"] = name
            paths["/v1/" + call.path, default: [:]][call.method.rawValue] = text
        }
        let document: [String: Any] = [
            "openapi": "3.1.0",
            "info": ["title": "Stoa", "version": Version.text],
            "paths": paths,
            "components": [
                "schemas": schemas.named,
                "securitySchemes": ["session": ["type": "http", "scheme": "bearer"]],
            ],
        ]
        return try JSONSerialization.data(
            withJSONObject: document,
            options: [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        )
    }

    /// Whether the document has a field or parameter of this name, such as `price.amount`.
    package static func describes(_ field: String) -> Bool {
        field.split(separator: ".").allSatisfy { names.contains(String($0)) }
    }

    private static let names: Set<String> = {
        var schemas = APISchemas()
        for call in API.all { _ = schemas.body(call.input, .request) }
        let parameters = API.all.flatMap { $0.parameters.compactMap { $0["name"] as? String } }
        return propertyNames(in: schemas.named).union(parameters)
    }()

    /// Returns the names of all properties in a schema, at any depth.
    private static func propertyNames(in schema: Any) -> Set<String> {
        guard let object = schema as? [String: Any] else {
            return (schema as? [Any] ?? []).reduce(into: []) { $0.formUnion(propertyNames(in: $1)) }
        }
        let own = Set((object["properties"] as? [String: Any] ?? [:]).keys)
        return object.values.reduce(into: own) { $0.formUnion(propertyNames(in: $1)) }
    }

    private static func describe(
        _ call: CallFacts,
        _ schemas: inout APISchemas
    ) -> [String: Any] {
        var text: [String: Any] = [
            "summary": call.summary,
            "description": call.access.about,
            "x-stoa-access": call.access.rawValue,
        ]
        let parameters = call.parameters
        if !parameters.isEmpty { text["parameters"] = parameters }
        if [.operator, .reader, .account, .session].contains(call.access) {
            text["security"] = [["session": [String]()]]
        }
        if call.takesJSON {
            let form = schemas.body(call.input, .request)
            text["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": form]],
            ]
        }
        if call.takesFile {
            let file = ["type": "string", "format": "binary"]
            text["requestBody"] = [
                "required": true, "content": ["application/octet-stream": ["schema": file]],
            ]
        }
        var answer: [String: Any] = ["description": call.summary]
        if call.givesFile {
            answer["content"] = files
        } else if call.output != NoBody.self {
            let form = schemas.body(call.output, .answer)
            answer["content"] = ["application/json": ["schema": form]]
        }
        var responses: [String: Any] = [String(call.status): answer]
        if call.givesFile, call.path.hasPrefix("media") {
            responses["206"] = ["description": "The part that 'Range' asks for.", "content": files]
            responses["304"] = ["description": "The file that 'If-None-Match' names."]
        }
        let problems = Dictionary(grouping: call.problems.sorted { $0.rawValue < $1.rawValue }) {
            $0.status
        }
        let form = schemas.reference(to: Problem.self, .answer)
        for (status, codes) in problems { responses[String(status)] = problem(codes, form) }
        text["responses"] = responses
        return text
    }

    /// The content of an answer that is a file.
    private static var files: [String: Any] {
        let file: [String: Any] = ["schema": ["type": "string", "format": "binary"]]
        let types = [Media.Form.jpeg, .png, .webp, .pdf, .sealed].map(\.mediaType)
        return types.reduce(into: [:]) { $0[$1] = file }
    }

    /// Returns the description of an answer with one of these codes.
    private static func problem(
        _ codes: [ProblemCode],
        _ problem: [String: Any]
    ) -> [String: Any] {
        let names = codes.map(\.rawValue)
        let form: [String: Any] = [
            "allOf": [problem, ["properties": ["code": ["enum": names]]]]
        ]
        return [
            "description": codes.map(\.title).joined(separator: "; ") + ".",
            "content": ["application/problem+json": ["schema": form]],
        ]
    }
}

/// Adds the route of the document, `/v1/openapi.json`.
func addDocumentRoutes(to group: RouterGroup<APIContext>) {
    group.answer(API.node.document) { _ in
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: try APIDocument.bytes.get())
        )
    }
}
