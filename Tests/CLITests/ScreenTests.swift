import Foundation
import Testing

@testable import CLI

struct ScreenTests {
    @Test func `narrows a table to the screen, the widest column first`() {
        let screen = Screen(columns: 32, hasColour: false)
        var table = TextTable("title", "price", "listing", screen: screen)
        table.add("A red bicycle with new tyres", "0.5 ETH", "3f9ac21b")
        let lines = table.text(orElse: "").split(separator: "\n")
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 32 })
        #expect(
            lines == [
                "title                    price", "  listing",
                "A red bicycle with new   0.5 ETH", "tyres", "  3f9ac21b",
            ]
        )
        var chats = TextTable("about", "last", screen: Screen(columns: 50, hasColour: false))
        chats.add("A red bicycle with new tyres", "Is it still there, and does it have lights?")
        #expect(
            chats.text(orElse: "").split(separator: "\n").dropFirst() == [
                "A red bicycle with new    Is it still there, and …", "tyres",
            ]
        )
        // A program gets all of it.
        var whole = TextTable("title", "price", screen: .none)
        whole.add(String(repeating: "long ", count: 60), "1")
        #expect(whole.text(orElse: "").contains(String(repeating: "long ", count: 60)))
    }

    @Test func `a title with several blanks draws no columns`() {
        var table = TextTable("title", "price", screen: .none)
        table.add("Fuji X100V       0.1 ETH  bob\u{A0}\u{A0}for sale", "9 ETH")
        #expect(table.text(orElse: "").contains("Fuji X100V 0.1 ETH bob for sale  9 ETH"))
    }

    @Test func `a narrow table moves columns to lines of their own and cuts no number`() {
        let screen = Screen(columns: 40, hasColour: false)
        var table = TextTable("at", "kind", "amount", "fee", screen: screen)
        table.add("2026-01-31 12:00:00Z", "buy", "-0.4999999 ETH", "≈ 0.0001543 ETH")
        #expect(
            table.text(orElse: "") == """
                at                    kind
                  amount          fee
                2026-01-31 12:00:00Z  buy
                  -0.4999999 ETH  ≈ 0.0001543 ETH
                """
        )
        var narrow = TextTable("title", "seller", screen: Screen(columns: 20, hasColour: false))
        narrow.add("A red bicycle with new tyres", "0x1d15…9f3c")
        #expect(narrow.text(orElse: "").contains("A red bicycle with\nnew tyres\n  0x1d15…9f3c"))
    }

    @Test func `breaks a title at its blanks, and a long word anywhere`() {
        #expect(DisplayWidth.lines("red bicycle", of: 11) == ["red bicycle"])
        #expect(DisplayWidth.lines("red bicycle", of: 10) == ["red", "bicycle"])
        #expect(DisplayWidth.lines("a bicycle", of: 4) == ["a", "bicy", "cle"])
        #expect(DisplayWidth.lines("빨간 자전거", of: 5) == ["빨간", "자전", "거"])
    }

    @Test func `breaks long lines at blanks and indents the rest past the label`() {
        let screen = Screen(columns: 40, hasColour: false)
        let text = "until      2026-01-31: anyone can have the buyer refunded by then."
        let lines = screen.fitted(text).split(separator: "\n")
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 40 })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("           ") })
        let words = screen.fitted(text).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words == text.split(separator: " ").joined(separator: " "))
        #expect(screen.fitted(String(repeating: "x", count: 90)).count == 90)
        let preview = "  back    1.48 ETH once the buyer confirms, or after the deadline"
        for line in screen.fitted(preview).split(separator: "\n").dropFirst() {
            #expect(line.hasPrefix("          ") && !line.hasPrefix("           "))
        }
        #expect(screen.fitted(preview).hasPrefix("  back    1.48"))
        // What cannot be broken stays beside its label.
        let id = "listing    " + String(repeating: "7", count: 64)
        #expect(screen.fitted(id) == id)
        #expect(Screen.none.fitted(text) == text)
    }

    @Test(arguments: [
        String(repeating: "x", count: 52) + " 2026-12-01 07:30:00Z  you  I owe you 5 ETH  [read]",
        // Neither other blanks nor a joined emoji, which a terminal can show in parts, pass the end.
        String(repeating: "x", count: 52)
            + "2026-12-01\u{A0}07:30:00Z\u{A0}\u{A0}you\u{A0}I\u{A0}owe",
        String(repeating: "👩‍👧", count: 13) + "2026-12-01 you I owe you 5 ETH, and some more",
    ])
    func `a stranger's text never continues where the program's lines begin`(text: String) {
        let screen = Screen(columns: 80, hasColour: false)
        for head in ["2026-12-01 07:29:00Z  bo  ", "You buy '", "  warning ", "  about   '", ""] {
            let lines = screen.fitted(head + text).split(separator: "\n")
            #expect(lines.count > 1 || head.isEmpty, "\(lines)")
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("    ") }, "\(lines)")
            #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 }, "\(lines)")
        }
    }

    @Test func `uses colours only on a colour terminal and without NO_COLOR`() {
        let plain = unsafe open("/dev/null", O_WRONLY)
        defer { close(plain) }
        #expect(Screen(of: plain, environment: [:]) == .none)
        let terminal = TestTerminal()
        #expect(Screen(of: terminal.slave, environment: ["TERM": "xterm"]).hasColour)
        #expect(!Screen(of: terminal.slave, environment: ["NO_COLOR": "1"]).hasColour)
        #expect(Screen(of: terminal.slave, environment: ["NO_COLOR": ""]).hasColour)
        #expect(!Screen(of: terminal.slave, environment: ["TERM": "dumb"]).hasColour)
        terminal.resize(columns: 71)
        #expect(Screen(of: terminal.slave, environment: [:]).columns == 71)
    }

    @Test func `highlights only the program's own heading, whatever others write`() {
        let colours = Screen(columns: 80, hasColour: true)
        var table = TextTable("title", screen: colours)
        table.add("\u{E000}bold?")
        let text = table.text(orElse: "")
        #expect(text.filter { $0 == TextTable.headMark }.count == 1)
        #expect(text.first == TextTable.headMark)
        #expect(colours.styled("stoa:", .red) == "\u{1B}[1;31mstoa:\u{1B}[0m")
        #expect(Screen.none.styled("stoa:", .red) == "stoa:")
    }
}
