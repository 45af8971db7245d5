import Client
package import Foundation
import Hummingbird
import Market
import MediaFiles
import NIOCore
import Setup

/// The API's OpenAPI document, generated from the list of its calls and an example of each type.
///
/// Source: OpenAPI Specification 3.1.
package enum APIDocument {
    /// The document's JSON, generated at its first use because that takes longer than most calls.
    static let bytes = Result { ByteBuffer(bytes: try json()) }

    /// Writes the document.
    package static func json() throws -> Data {
        var paths: [String: [String: Any]] = [:]
        for (name, call) in API.named {
            var text = describe(call)
            text["operationId"] = name
            paths["/v1/" + call.path, default: [:]][call.method.rawValue] = text
        }
        let document: [String: Any] = [
            "openapi": "3.1.0",
            "info": ["title": "Stoa", "version": Version.text],
            "paths": paths,
            "components": [
                "schemas": try APISchemas.all(),
                "securitySchemes": ["session": ["type": "http", "scheme": "bearer"]],
            ],
        ]
        return try JSONSerialization.data(
            withJSONObject: document,
            options: [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        )
    }

    private static func describe(_ call: CallFacts) -> [String: Any] {
        var text: [String: Any] = [
            "summary": call.summary,
            "description": call.access.about,
            "x-stoa-access": call.access.rawValue,
        ]
        let parameters = call.parameters
        if !parameters.isEmpty { text["parameters"] = parameters }
        if [.operator, .reader, .account].contains(call.access) {
            text["security"] = [["session": [String]()]]
        }
        if call.takesJSON {
            text["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": schema(call.input)]],
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
            answer["content"] = ["application/json": ["schema": schema(call.output)]]
        }
        var responses: [String: Any] = [String(call.status): answer]
        if call.givesFile, call.path.hasPrefix("media") {
            responses["206"] = ["description": "The part that 'Range' asks for.", "content": files]
            responses["304"] = ["description": "The file that 'If-None-Match' names."]
        }
        let problems = Dictionary(grouping: call.problems.sorted { $0.rawValue < $1.rawValue }) {
            $0.status
        }
        for (status, codes) in problems { responses[String(status)] = problem(codes) }
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
    private static func problem(_ codes: [ProblemCode]) -> [String: Any] {
        let names = codes.map(\.rawValue)
        let form: [String: Any] = [
            "allOf": [reference("Problem"), ["properties": ["code": ["enum": names]]]]
        ]
        return [
            "description": codes.map(\.title).joined(separator: "; ") + ".",
            "content": ["application/problem+json": ["schema": form]],
        ]
    }

    private static func schema(_ type: any Any.Type) -> [String: Any] {
        switch type {
        case let list as any ListType.Type:
            ["type": "array", "items": schema(list.element)]
        case let page as any PageType.Type: self.page(of: "\(page.element)")
        case is JSONObject.Type: ["type": "object"]
        default: reference("\(type)")
        }
    }

    private static func reference(_ name: String) -> [String: Any] {
        ["$ref": "#/components/schemas/\(name)"]
    }

    private static func page(of name: String) -> [String: Any] {
        var properties: [String: Any] = [
            "items": ["type": "array", "items": reference(name)],
            "next": ["type": ["string", "null"], "minLength": 1],
            "isLast": ["type": "boolean"],
        ]
        if name == "Listing" {
            properties["total"] = [
                "type": ["integer", "null"], "minimum": 0,
                "description": "How many match, if it was asked for by 'count=true'.",
            ]
            properties["totalIsLowerBound"] = [
                "type": ["boolean", "null"], "description": "Whether more than 'total' can match.",
            ]
            properties["facets"] = [
                "anyOf": [reference("ListingFacets"), ["type": "null"]],
                "description": "The matches by their properties, if 'facets=true' asked for them.",
            ]
            properties["corrected"] = [
                "type": ["string", "null"],
                "description":
                    "The text that was looked for, because no listing has a word of 'search'.",
            ]
            properties["isPartial"] = [
                "type": ["boolean", "null"],
                "description": "Whether listings are missing while the index is rebuilt.",
            ]
        }
        return ["type": "object", "required": ["items", "isLast"], "properties": properties]
    }
}

/// A list, by the type of its elements.
private protocol ListType {
    static var element: any Any.Type { get }
}

extension Array: ListType {
    fileprivate static var element: any Any.Type { Element.self }
}

/// A page of a list, by the type of its elements.
private protocol PageType {
    static var element: any Any.Type { get }
}

extension Page: PageType {
    fileprivate static var element: any Any.Type { Element.self }
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
