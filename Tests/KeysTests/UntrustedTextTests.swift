import Keys
import Testing

struct UntrustedTextTests {
    @Test func `replaces each control or invisible character`() {
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0x3164...0x3164, 0xFEFF...0xFEFF, 0xE0020...0xE007F,
        ]
        for scalar in ranges.flatMap({ $0 }).compactMap(Unicode.Scalar.init) {
            #expect(UntrustedText.line("a\(scalar)b") == "a\u{FFFD}b", "\(scalar.value)")
        }
    }

    @Test(arguments: ["", "execution reverted: no", "Zoë ❤️ 日本", "a\u{301}"])
    func `leaves other characters unchanged`(text: String) {
        #expect(UntrustedText.line(text) == text)
    }

    @Test func `truncates a long text, even if it consists mostly of marks`() {
        #expect(UntrustedText.line("abcd", charactersMax: 4) == "abcd")
        #expect(UntrustedText.line("abcde", charactersMax: 4) == "abcd…")
        let stacked = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(UntrustedText.line(stacked).unicodeScalars.count == 301)
    }
}
