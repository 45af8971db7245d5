import Foundation
import NodeAPI
import Support

/// Answers each call with the example of its answer in the API's own document.
///
/// Operations are done and previews name no obstacle, so that each command comes to its end. The
/// listings `auction` and `enrolment` are sold in these ways, also by their whole ids, and the sale
/// `over` has ended.
struct DocumentAnswers: Sendable {
    /// The account of all examples.
    static let account = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    /// The id of operations, sales, messages and files in the examples.
    static let id = "0x" + hexDigits
    /// The id of listings and lists in the examples.
    static let listing = account + "." + hexDigits
    /// The id of a listing that is an auction.
    static let auction = account + "." + String(repeating: "a0", count: 32)
    /// The id of a listing that is a course.
    static let course = account + "." + String(repeating: "c0", count: 32)
    static let hexDigits = String(repeating: "0f", count: 32)
    /// A file that the node says it got, whatever came.
    static let file: [UInt8] = [1, 2, 3]
    private static let fileHash =
        "0x039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"

    private typealias Object = [String: Any]

    /// A call of the document.
    private struct Call: Sendable {
        let method: String
        let parts: [String]
        let status: Int
        /// The answer's JSON; `nil` for an answer that is a file.
        let body: String?

        /// How many parts are the path's own; `nil` if it is another path.
        func fit(_ parts: [Substring]) -> Int? {
            guard parts.count == self.parts.count else { return nil }
            let pairs = zip(self.parts, parts)
            guard pairs.allSatisfy({ $0 == $1 || $0.hasPrefix("{") }) else { return nil }
            return pairs.count { $0 == $1 }
        }
    }

    private var calls: [Call]

    init() throws {
        let document = try JSONSerialization.jsonObject(with: APIDocument.json()) as? Object ?? [:]
        let components = document["components"] as? Object
        let schemas = components?["schemas"] as? [String: Object] ?? [:]
        let paths = document["paths"] as? [String: [String: Object]] ?? [:]
        calls = try paths.flatMap { path, methods in
            try methods.map { try Self.call($0.uppercased(), path, $1, schemas) }
        }
        calls += try others()
    }

    /// Returns the answer to a request; `nil` if the document has no such call, or if the answer is
    /// a file.
    func answer(to request: ScriptedServer.Request) -> ScriptedServer.Answer? {
        let call = call(request.method, String(request.uri.prefix { $0 != "?" }))
        return call.flatMap { call in call.body.map { .json(call.status, $0) } }
    }

    /// Returns the JSON with which a call is answered, such as `GET cart`.
    func body(of text: String) -> String? {
        let words = text.split(separator: " ")
        return call(String(words[0]), "/v1/" + words[1])?.body
    }

    private func call(_ method: String, _ path: String) -> Call? {
        let parts = path.split(separator: "/")
        return calls.filter { $0.method == method && $0.fit(parts) != nil }
            .max { ($0.fit(parts) ?? 0) < ($1.fit(parts) ?? 0) }
    }

    private static func call(
        _ method: String,
        _ path: String,
        _ text: Object,
        _ schemas: [String: Object]
    ) throws -> Call {
        let responses = text["responses"] as? [String: Object] ?? [:]
        let status = responses.keys.filter { $0.hasPrefix("2") }.min() ?? "101"
        let content = responses[status]?["content"] as? [String: Object]
        let parts = path.split(separator: "/").map(String.init)
        var body: String? = ""
        if let content {
            let schema = content["application/json"]?["schema"] as? Object
            body = try schema.map { try json(example(of: $0, schemas)) }
        }
        return Call(method: method, parts: parts, status: Int(status) ?? 0, body: body)
    }

    /// Returns a value that a schema describes.
    private static func example(of schema: Object, _ schemas: [String: Object]) -> Any {
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init) {
            return good(schemas[name]?["example"] as? Object ?? [:], name)
        }
        if let items = schema["items"] as? Object { return [example(of: items, schemas)] }
        guard let properties = schema["properties"] as? [String: Object],
            let items = properties["items"]
        else { return Object() }
        return ["items": example(of: items, schemas), "isLast": true] as Object
    }

    /// Returns the example as it is if all goes well.
    private static func good(_ example: Object, _ name: String) -> Object {
        var example = example
        switch name {
        case "Operation": (example["state"], example["problem"]) = ("done", nil)
        case "ActionPreview": example["problems"] = [Any]()
        case "MediaFile": example["received"] = fileHash
        default: break
        }
        return example
    }

    /// The calls about what differs from the example.
    private func others() throws -> [Call] {
        try [
            ("auction", "auction"), (Self.auction, "auction"), ("enrolment", "enrolment"),
            (Self.course, "enrolment"),
        ].map {
            name,
            payment in
            try other("listings/" + name) { listing in
                var content = listing["content"] as? Object ?? [:]
                content["payment"] = payment
                listing["content"] = content
            }
        } + [
            try other("sales/over") { sale in
                (sale["stage"], sale["confirmations"]) = ("over", sale["confirmationsNeeded"])
            }
        ]
    }

    private func other(_ path: String, _ change: (inout Object) -> Void) throws -> Call {
        let data = Data((body(of: "GET " + path) ?? "").utf8)
        var answer = try JSONSerialization.jsonObject(with: data) as? Object ?? [:]
        change(&answer)
        let parts = ("v1/" + path).split(separator: "/").map(String.init)
        return Call(method: "GET", parts: parts, status: 200, body: try Self.json(answer))
    }

    private static func json(_ value: Any) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: value,
            options: [.withoutEscapingSlashes, .sortedKeys]
        )
        return String(decoding: data, as: UTF8.self)
    }
}
