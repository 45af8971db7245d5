/// A text that has no code of its own yet.
extension Sentence: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init("text.plain", ["text": text]) }

    package static func + (first: Sentence, second: Sentence) -> Sentence {
        Sentence(stringLiteral: first.detail + second.detail)
    }
}
