/// One session of what a listing teaches.
public struct CurriculumSession: Codable, Hashable, Sendable, DescribedType {
    public var title: String
    public var content: String

    package static let fields: [String: FieldFacts] = [
        "title": FieldFacts("Bowline").lengths(1...160).about("One line."),
        "content": FieldFacts("Tie it, test it, and untie it.").lengths(0...1_000),
    ]

    public init(title: String, content: String = "") {
        (self.title, self.content) = (title, content)
    }
}

extension CurriculumSession: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("content", content)
            json.field("title", title)
        }
    }
}
