import Answers
import Testing

struct MarkRunsTests {
    @Test(arguments: ["\u{300}", #"\u0300"#, "\u{1D165}", #"\uD834\uDD65"#, "\u{F73}", "\u{F81}"])
    func `accepts at most thirty marks in a row, escaped or not`(mark: String) {
        func text(_ count: Int) -> String { "caf" + String(repeating: mark, count: count) + "e" }
        #expect(MarkRuns.areShort(in: text(MarkRuns.lengthMax).utf8))
        #expect(!MarkRuns.areShort(in: text(MarkRuns.lengthMax + 1).utf8))
        // A letter between them ends a run.
        #expect(MarkRuns.areShort(in: (text(MarkRuns.lengthMax) + text(MarkRuns.lengthMax)).utf8))
    }

    @Test(arguments: [
        #"\\u0300"#, #"\n"#, #"\uD834"#, #"\uD834\u0041"#, #"\uDD65"#, #"\u03"#, "\u{AC00}",
        "a\u{301}",
    ])
    func `accepts any number of marks that form no run`(text: String) {
        #expect(MarkRuns.areShort(in: String(repeating: text, count: 100).utf8))
    }

    @Test func `bytes that are not UTF-8 only end a run`() {
        #expect(MarkRuns.areShort(in: [UInt8](repeating: 0xCC, count: 100)))
        #expect(
            !MarkRuns.areShort(in: [0xFF] + [UInt8](String(repeating: "\u{300}", count: 31).utf8))
        )
    }
}
