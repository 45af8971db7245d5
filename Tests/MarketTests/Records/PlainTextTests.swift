import Keys
import Market
import Testing

/// Docs/protocol.md, section 5.1.
struct PlainTextTests {
    @Test(
        arguments: [
            "\u{AD}", "\u{3164}", "\u{2800}", "\u{115F}", "\u{FFA0}", "\u{34F}", "\u{200C}\u{200D}",
            "\u{FE0F}", "\u{E0101}", "\u{180E}", "\u{2003}", "\u{1D159}", "\u{2800} \u{2800}",
        ]
    )
    func `refuses invisible text in a required field`(text: String) throws {
        #expect(throws: RuleFault.malformed(.name)) { try Profile(name: text) }
        #expect(throws: RuleFault.malformed(.region)) { try Profile(name: "Ana", region: text) }
        #expect(throws: RuleFault.malformed(.about)) { try Profile(name: "Ana", about: text) }
        #expect(!PlainText.isSeen(text))
    }

    /// - From peers: text without visible characters, a name with an invisible character → ignored
    @Test(
        arguments: [
            "An\u{AD}a", "Ana\u{3164}", "A\u{2800}a", "A\u{34F}na", "Ana\u{FFA0}", "A\u{206A}a",
            "Ana\u{E0080}",
        ]
    )
    func `refuses invisible characters in a name`(
        name: String
    ) throws {
        #expect(throws: RuleFault.malformed(.name)) { try Profile(name: name) }
        let key = try #require(PrivateKey(SecretBytes(copying: [UInt8](repeating: 7, count: 32))))
        #expect(throws: RuleFault.malformed(.name)) {
            try DeviceCertificate(key: key.publicKey, name: name)
        }
        // In other fields it is a character such as the soft hyphen, visible only at a line's end.
        #expect(try Profile(name: "Ana", about: name).about == name)
    }

    @Test(
        arguments: [
            "Ana", "Zoë", "日本 太郎", "葛\u{E0100}城", "❤\u{FE0F} bikes", "👩\u{200D}🔧 Ana",
            "علی\u{200C}رضا",
            "⠁⠝⠁", "김", "·",
        ]
    )
    func `accepts visible names unchanged`(name: String) throws {
        #expect(try Profile(name: name).name == name)
    }
}
