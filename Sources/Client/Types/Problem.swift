public import Texts

/// An error of the API in its wire form.
///
/// Source: RFC 9457, "Problem Details for HTTP APIs".
public struct Problem: Error, Codable, Hashable, Sendable, DescribedType {
    /// The URI that names the kind of problem.
    public var type: String
    public var title: String
    public var status: Int
    /// The fault and the next step, in words.
    public var detail: String
    /// The same in sentences; `nil` if only the author of a program can do something about it.
    public var reason: [Sentence]?
    /// Stable and in snake_case, for programs.
    public var code: String
    /// The field of the request at fault, if there is one.
    public var field: String?

    package static let fields: [String: FieldFacts] = [
        "type": "urn:stoa:problem:not_found", "title": "Not found",
        "status": FieldFacts(404).numbers(400...599),
        "detail": .detail.example("There is nothing here."),
        "reason": .about("The same in sentences, if a person can do something about it."),
        "code": FieldFacts("not_found").form(.oneOf(ProblemCode.allCases.map(\.rawValue))),
        "field": FieldFacts("listing").about("The field of the request at fault."),
    ]

    public init(
        type: String,
        title: String,
        status: Int,
        detail: String,
        reason: [Sentence]? = nil,
        code: String,
        field: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.reason = reason
        self.code = code
        self.field = field
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decode(String.self, forKey: .type)
        title = try container.decode(String.self, forKey: .title)
        status = try container.decode(Int.self, forKey: .status)
        detail = try container.decode(String.self, forKey: .detail)
        reason = try container.decodeIfPresent([Sentence].self, forKey: .reason)
        code = try container.decode(String.self, forKey: .code)
        field = try container.decodeIfPresent(String.self, forKey: .field)
        // The sentences were written again as they were read.
        if Sentence.unitsRead != nil, let reason, !reason.isEmpty { detail = reason.detail }
    }
}
