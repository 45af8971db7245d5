import Foundation
import Keys
import Support
import Testing

struct RecoveryPhraseTests {
    private static func hex(_ secret: SecretBytes) -> String {
        unsafe secret.withBytes { unsafe Hex.encode($0) }
    }

    @Test func `produces the words and seeds of the published vectors`() throws {
        guard VectorFolder.isPresent else {
            print("bip39/vectors.json: absent, passed over")
            return
        }
        let data = try Data(contentsOf: VectorFolder.file("bip39/vectors.json"))
        let cases = try #require(
            try JSONDecoder().decode([String: [[String]]].self, from: data)["english"]
        )
        for vector in cases {
            let entropy = try #require(Hex.decode(vector[0]))
            let phrase = try #require(RecoveryPhrase(entropy: SecretBytes(copying: entropy)))
            #expect(phrase.words().joined(separator: " ") == vector[1])
            #expect(Self.hex(phrase.seed(passphrase: "TREZOR")) == vector[2])
            let read = try RecoveryPhrase(text: vector[1])
            #expect(unsafe read.withEntropy { unsafe Hex.encode($0) } == vector[0])
            let root = try HDKey(seed: read.seed(passphrase: "TREZOR"))
            #expect(try ExtendedKeyText(vector[3]).matches(root))
        }
        #expect(cases.count == 24)
        print("bip39/english: \(cases.count) cases")
    }

    @Test(arguments: [16, 20, 24, 28, 32])
    func `reads back the phrase that it shows`(byteCount: Int) throws {
        for _ in 0..<20 {
            let entropy = SecretBytes.random(count: byteCount)
            let phrase = try #require(RecoveryPhrase(entropy: entropy))
            let words = phrase.words()
            #expect(words.count == byteCount * 3 / 4)
            let read = try RecoveryPhrase(text: words.joined(separator: " \n").uppercased())
            #expect(unsafe read.withEntropy { unsafe Hex.encode($0) } == Self.hex(entropy))
        }
    }

    @Test(arguments: [0, 15, 17, 33, 64])
    func `refuses entropy of an invalid length`(byteCount: Int) {
        #expect(RecoveryPhrase(entropy: SecretBytes.random(count: byteCount)) == nil)
    }

    /// - From people: a phrase with one mistyped word, which the answer corrects → bad_phrase
    @Test func `says which word is wrong`() {
        let eleven = Array(repeating: "abandon", count: 11)
        #expect(throws: RecoveryPhraseError.wordCount(11)) {
            try RecoveryPhrase(text: eleven.joined(separator: " "))
        }
        #expect(throws: RecoveryPhraseError.wordCount(0)) { try RecoveryPhrase(text: "") }
        #expect(throws: RecoveryPhraseError.unknownWord(position: 12, nearest: "about")) {
            try RecoveryPhrase(text: (eleven + ["abuot"]).joined(separator: " "))
        }
        #expect(throws: RecoveryPhraseError.unknownWord(position: 3, nearest: "zebra")) {
            try RecoveryPhrase(text: "zoo zoo zebrra zoo zoo zoo zoo zoo zoo zoo zoo zoo")
        }
        #expect(throws: RecoveryPhraseError.checksum) {
            try RecoveryPhrase(text: (eleven + ["abandon"]).joined(separator: " "))
        }
    }

    @Test func `two Unicode forms of a passphrase give the same seed`() throws {
        let phrase = RecoveryPhrase.random()
        let composed = phrase.seed(passphrase: "caf\u{E9}")
        let decomposed = phrase.seed(passphrase: "cafe\u{301}")
        #expect(Self.hex(composed) == Self.hex(decomposed))
        #expect(Self.hex(composed) != Self.hex(phrase.seed()))
    }
}
