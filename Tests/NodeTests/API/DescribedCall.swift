import Client
import Foundation
import NIOHTTP1

/// A call as the API's own document describes it.
struct DescribedCall: Sendable, CustomStringConvertible {
    let method: HTTPMethod
    /// Below `/v1/`, with `{id}` for what varies.
    let path: String
    /// The names of its query.
    let query: [String]
    /// A body that is right.
    let example: JSONText?
    let needsKey: Bool
    let needsToken: Bool
    /// Who may make it.
    let access: String

    var description: String { "\(method) \(path)" }

    /// Every call of a node's document.
    static func all(of node: TestNode) async throws -> [DescribedCall] {
        let answer = try await node.call(.GET, "openapi.json")
        let document = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        let paths = document?["paths"] as? [String: [String: Any]] ?? [:]
        let components = document?["components"] as? [String: Any]
        let schemas = components?["schemas"] as? [String: [String: Any]] ?? [:]
        return paths.sorted { $0.key < $1.key }.flatMap { path, methods in
            methods.sorted { $0.key < $1.key }.map { method, call in
                DescribedCall(
                    method,
                    String(path.dropFirst("/v1/".count)),
                    call as? [String: Any] ?? [:],
                    schemas
                )
            }
        }
    }

    private init(
        _ method: String,
        _ path: String,
        _ call: [String: Any],
        _ schemas: [String: [String: Any]]
    ) {
        self.method = HTTPMethod(rawValue: method.uppercased())
        self.path = path
        let parameters = call["parameters"] as? [[String: Any]] ?? []
        query = parameters.filter { $0["in"] as? String == "query" }
            .compactMap { $0["name"] as? String }
        needsKey = parameters.contains { $0["name"] as? String == "Idempotency-Key" }
        needsToken = call["security"] != nil
        access = call["x-stoa-access"] as? String ?? ""
        let body = call["requestBody"] as? [String: Any]
        let content = body?["content"] as? [String: [String: [String: Any]]]
        let reference = content?["application/json"]?["schema"]?["$ref"] as? String
        let name = reference?.split(separator: "/").last.map(String.init)
        example = name.flatMap { schemas[$0]?["example"] }.map(JSONText.init)
    }

    /// The path with an id, written as a URL has it.
    func path(with id: String) -> String { path.replacing("{id}", with: id) }
}
