// A program that reads the API's types needs the type of their sentences.
@_exported public import Texts

extension Sentence: DescribedType {
    package static let fields: [String: FieldFacts] = [
        "code": FieldFacts("unit.day").oneOf(.sentences)
            .about("The key of its pattern in the files of 'Texts'."),
        "values": .about("What stands in the pattern, by name, as text (1.5)."),
        "detail": .about("The English text, made of both."),
    ]
}
