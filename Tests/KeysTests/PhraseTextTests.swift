import Foundation
import Keys
import Testing

/// Recovery phrases as people keep them.
struct PhraseTextTests {
    private static let words = [
        "renew", "bounce", "entry", "double", "gasp", "bicycle", "ocean", "require", "aspect",
        "swing", "decade", "drama",
    ]

    private static func numbered(_ mark: String, _ end: String) -> String {
        words.enumerated().map { "\($0 + 1)\(mark)\($1)" }.joined(separator: end)
    }

    private static func joined(_ separator: String) -> String { words.joined(separator: separator) }

    private static let kept: [String] = {
        var kept = [joined("\n"), joined("\r\n") + "\r\n", joined(", "), joined(",") + "."]
        kept += ["\"\(joined(" "))\"", "\u{FEFF}\(joined(" "))", "“\(joined("\u{A0}"))”"]
        kept += [joined(" ") + ".", "- " + joined("\n- "), "['\(joined("', '"))']"]
        kept.append(
            words[..<6].joined(separator: " ") + "\n" + words[6...].joined(separator: " ") + "\n"
        )
        kept += [numbered(". ", "\n"), numbered(") ", "  "), numbered(": ", ";")]
        kept += [numbered(".", " "), numbered(" ", "\t"), numbered("", " ")]
        kept.append(words.map(\.capitalized).joined(separator: " | "))
        kept.append(words.map { String($0.prefix(4)).uppercased() }.joined(separator: " "))
        // Two columns, each numbered downwards.
        let lines = (0..<6).map { "\($0 + 1). \(words[$0])   \($0 + 7). \(words[$0 + 6])" }
        kept.append(lines.joined(separator: "\n"))
        return kept
    }()

    @Test(arguments: kept)
    func `reads a phrase in the forms in which people store it`(text: String) throws {
        #expect(try RecoveryPhrase(text: text).words() == Self.words)
    }

    @Test func `keeps a mistyped word unchanged`() {
        let joined = Self.words.joined(separator: " ")
        for (wrong, place) in [("entr7y", 3), ("entrz", 3), ("ent", 3)] {
            let problem = #expect(throws: RecoveryPhraseError.self) {
                try RecoveryPhrase(text: joined.replacing("entry", with: wrong))
            }
            guard case .unknownWord(place, _) = problem else {
                Issue.record("\(wrong): \(problem.map { "\($0)" } ?? "nothing")")
                continue
            }
        }
        #expect(throws: RecoveryPhraseError.wordCount(11)) {
            try RecoveryPhrase(text: joined.replacing("bounce", with: "7"))
        }
        #expect(throws: RecoveryPhraseError.wordCount(0)) { try RecoveryPhrase(text: "1. 2. 3.") }
    }

    /// - From people: a recovery phrase in Chinese, Czech, French, Italian, Japanese, Korean,
    ///   Portuguese or Spanish → bad_phrase
    @Test(arguments: [
        (
            "Czech",
            "konec dareba cela kormidlo amputace oteplit pinzeta makovice tkadlec radnice doplnit vyplatit"
        ),
        (
            "French",
            "boulon sélectif olfactif ampleur ivresse ligature choisir témoin domaine service horizon dimanche"
        ),
        (
            "Italian",
            "euclideo orzo congelare zitto spirale avvenire colore onnivoro chiaro araldica calcolo gasolio"
        ),
        (
            "Portuguese",
            "sudeste liquidez ovular apetite lapidar laje rubro moto coronha ditador murcho orla"
        ),
        ("Spanish", "novio símbolo salmón sol muslo leña enano norma carta guía urna conde"),
        (
            "Spanish",
            "1. novio 2. símbolo 3. salmón 4. sol 5. muslo 6. leña 7. enano 8. norma 9. carta"
        ),
        ("Japanese", "げざん　いもうと　みなと　ざいげん　めいれい　けんお　ほあん　いいだす　はろうぃん　ねぼう　ちょさくけん　のんき"),
        ("Korean", "통일 후춧가루 중간 계절 진행 시험 질병 밤하늘 밀가루 법칙 호흡 공짜"),
        ("Chinese", "浓 洪 谐 误 氢 弟 默 寿 根 决 惨 望"), ("Chinese", "浓洪谐误氢弟默寿根决惨望"),
    ])
    func `names the language of a phrase that is not English`(name: String, text: String) {
        for text in [text, text.decomposedStringWithCompatibilityMapping, text.uppercased()] {
            #expect(throws: RecoveryPhraseError.language(name)) { try RecoveryPhrase(text: text) }
        }
    }

    @Test func `never mistakes an English phrase for one in another language`() throws {
        for byteCount in [16, 32] {
            for _ in 0..<300 {
                let entropy = SecretBytes.random(count: byteCount)
                let words = try #require(RecoveryPhrase(entropy: entropy)).words()
                _ = try RecoveryPhrase(text: words.joined(separator: " "))
            }
        }
    }
}
