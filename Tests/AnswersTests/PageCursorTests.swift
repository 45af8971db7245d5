import Answers
import Client
import Keys
import Support
import Testing

struct PageCursorTests {
    private static let places = [
        PageCursor(2, 9, id: Bytes32(repeating: 1)), PageCursor(2, 0, id: Bytes32(repeating: 7)),
        PageCursor(1, 3, id: Bytes32(repeating: 1)), PageCursor(1, 3, id: Bytes32(repeating: 2)),
        PageCursor(0, .max, id: .zero),
    ]

    @Test func `sorts the latest first, and ties by id`() {
        for seed in 0..<8 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            #expect(Self.places.shuffled(using: &random).sorted() == Self.places)
        }
    }

    @Test func `reads only cursors that it issued`() throws {
        for place in Self.places { #expect(try PageCursor(entered: place.text) == place) }
        let good = Self.places[0].text
        for text in [
            "", "-", "--", "1-2", good + "-", "0" + good, "+" + good, " " + good,
            good.uppercased() + "A", String(good.dropLast()),
        ] {
            let refusal = #expect(throws: Refusal.self) { try PageCursor(entered: text) }
            #expect(refusal?.code == .malformedValue && refusal?.field == "after", "\(text)")
        }
    }
}
