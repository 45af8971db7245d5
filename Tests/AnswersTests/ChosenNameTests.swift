import Answers
import Testing

struct ChosenNameTests {
    @Test(arguments: [
        "you", "You", " you ", "회원님", "나", "0x1fD1", "ana (0x1fD1…cE82)", "bo (0x16D7…8615), you",
        "bo, you", "you  I agree", "Ana  [read]", "Ana [read]", "a\u{A0}\u{A0}b", "two\nlines",
        "bob (0\u{445}E14a…0689)", "anna （0xD58B…0F07）", "anna ❨0xD58B…0F07❩", "bob (Ox12)",
        "anna (\u{FF10}x12)", "anna ［0x］", "Y\u{43E}u", "ｙｏｕ", "𝐲𝐨𝐮", "you.", "«you»",
    ])
    func `a name is misleading if it looks like the program's words`(name: String) {
        #expect(ChosenName.isMisleading(name))
    }

    @Test(arguments: [
        "ana", "Young", "Bo of the market", "Ana (Berlin)", "나무", "Smith, Ana", "Ox", "O'Neil", "",
    ])
    func `an ordinary name is not misleading`(name: String) {
        #expect(!ChosenName.isMisleading(name))
    }
}
