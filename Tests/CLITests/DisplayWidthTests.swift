import Testing

@testable import CLI

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("日本", 4), ("ｱｲｳ", 3), ("한국", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("Ｗ", 2), ("💥", 2), ("👩‍👧", 2), ("❤️", 2), ("❤", 1), ("☎️", 2),
        ("🇩🇪", 2), ("می‌خواهم", 7), ("é́", 1), ("…", 1), ("½", 1), ("𠮷", 2),
    ])
    func `counts the columns in which a terminal shows a text`(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func `cuts a text at a column, never through a character`() {
        #expect(DisplayWidth.cut("bicycle", to: 7) == "bicycle")
        #expect(DisplayWidth.cut("bicycle", to: 4) == "bic…")
        #expect(DisplayWidth.cut("日本語", to: 4) == "日…")
        #expect(DisplayWidth.cut("日本語", to: 5) == "日本…")
        #expect(DisplayWidth.pad("日本", to: 6) == "日本  ")
        #expect(DisplayWidth.pad("bicycle", to: 3) == "bicycle")
    }

    @Test func `aligns columns of wide characters`() {
        var table = TextTable("title", "price", screen: .none)
        table.add("日本の自転車", "1 ETH")
        table.add("Rad", "2 ETH")
        let rows = """
            title         price
            日本の自転車  1 ETH
            Rad           2 ETH
            """
        #expect(table.text(orElse: "") == rows)
    }
}
