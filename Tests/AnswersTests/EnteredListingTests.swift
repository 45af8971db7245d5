import Answers
import Client
import Testing

/// The rules for the texts of a listing, one by one.
struct EnteredListingTests {
    /// - From people: a title, description or category that no listing can have →
    ///   `malformed_value`
    @Test func `refuses a text that the whole listing could not have`() {
        #expect(EnteredListing.refusal(title: "Lamp") == nil)
        #expect(EnteredListing.refusal(title: "")?.field == "title")
        let long = String(repeating: "a", count: 161)
        #expect(EnteredListing.refusal(title: long)?.code == .malformedValue)
        #expect(EnteredListing.refusal(description: long) == nil)
        #expect(EnteredListing.refusal(description: "")?.field == "description")
        #expect(EnteredListing.refusal(categoryOfGoods: "home") == nil)
        for category in ["home-&-garden", "course", "digital", ""] {
            let refusal = EnteredListing.refusal(categoryOfGoods: category)
            #expect(refusal?.field == "category", "\(category)")
        }
    }
}
