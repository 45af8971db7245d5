import Answers
import Client
import Market
import Testing

/// The words of a refusal for a field that breaks its rule.
struct RuleFaultRefusalTests {
    /// The sentence for texts names spaces and line breaks, which says nothing about these.
    private static let ownWords: [PayloadField: String] = [
        .category: "refusal.categoryForm", .curriculum: "refusal.curriculumForm",
        .identifier: "refusal.identifierLetters", .media: "refusal.mediaForm",
        .stars: "refusal.starsRange", .tags: "refusal.tagForm",
    ]

    @Test(arguments: PayloadField.allCases)
    func `words a malformed field as a text unless it has its own words`(field: PayloadField) {
        let refusal = RuleFault.malformed(field).refusal(.badListing)
        #expect(refusal.reason?.map(\.code) == [Self.ownWords[field] ?? "refusal.fieldForm"])
        #expect(refusal.field == (field == .form ? "type" : field.rawValue))
    }
}
