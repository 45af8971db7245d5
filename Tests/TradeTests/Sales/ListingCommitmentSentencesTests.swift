import Client
import Keys
import Market
import Testing

@testable import Trade

/// The sentences about what was promised instead of what a listing says now.
struct ListingCommitmentSentencesTests {
    private static func promise(
        _ sessions: [Market.CurriculumSession]
    ) throws -> ListingCommitment {
        let listing = try Market.Listing(
            form: .course,
            title: "Knots",
            description: "Ten knots.",
            category: "course",
            tags: ["knots"],
            curriculum: sessions,
            identifier: ItemIdentifier(normal: "course7"),
            delivery: .online,
            chain: ChainID(31_337),
            terms: .enrolment(CourseMarket.terms)
        )
        return ListingCommitment(of: listing, slot: Bytes32(repeating: 1))
    }

    @Test func `each session of a promised curriculum has its own sentence`() throws {
        let promise = try Self.promise([
            Market.CurriculumSession(title: "Bowline", content: "Tie it."),
            Market.CurriculumSession(title: "Sheet bend"),
        ])
        #expect(
            promise.sentences(about: [.curriculum, .description]).map(\.detail).sorted() == [
                "It promised the description 'Ten knots.'.",
                "It promised this curriculum:",
                "Session 1: 'Bowline'. Tie it.",
                "Session 2: 'Sheet bend'.",
                "The seller has changed the listing since the sale was made, but the original "
                    + "promise counts.",
            ]
        )
        let none = try Self.promise([]).sentences(about: [.curriculum])
        #expect(none.map(\.code) == ["preview.changed", "preview.promisedNoCurriculum"])
    }
}
