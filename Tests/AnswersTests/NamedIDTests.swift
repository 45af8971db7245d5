import Answers
import Client
import Testing

/// The choice among the things that a person's text may mean.
struct NamedIDTests {
    private static func candidate(_ id: String) -> NamedID {
        NamedID(id: id, Sentence("match.name", ["id": id, "name": "bo"]))
    }

    @Test func `takes the only candidate`() throws {
        #expect(try NamedID.only([], "bo", field: "id") == nil)
        #expect(try NamedID.only([Self.candidate("0x1")], "bo", field: "id") == "0x1")
    }

    @Test func `refuses several with a sentence for each`() {
        let two = #expect(throws: Refusal.self) {
            _ = try NamedID.only(["0x1", "0x2"].map(Self.candidate), "bo", field: "id")
        }
        #expect(two?.code == .ambiguousID && two?.field == "id")
        #expect(
            two?.detail == "'bo' matches several: 0x1 (bo). 0x2 (bo). Give the id, or more of it."
        )
        let many = #expect(throws: Refusal.self) {
            _ = try NamedID.only((1...9).map { Self.candidate("0x\($0)") }, "bo", field: "id")
        }
        let codes = many?.reason?.map(\.code) ?? []
        #expect(codes.count { $0 == "match.name" } == NamedID.shownMax)
        #expect(codes.suffix(2) == ["refusal.matchesOthers", "refusal.giveID"])
    }
}
