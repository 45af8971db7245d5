import Keys
import Testing

struct SecretBytesTests {
    /// Everything a log or a debugger's printer would show of a value.
    private static func shown(_ value: Any) -> String {
        var text = "\(value) " + String(reflecting: value)
        dump(value, to: &text)
        for child in Mirror(reflecting: value).children { text += "\(child)" }
        return text.lowercased()
    }

    @Test func `nothing prints a secret`() throws {
        let bytes = [UInt8](repeating: 0xA7, count: 32)
        let secret = SecretBytes(copying: bytes)
        let key = try #require(PrivateKey(secret))
        let phrase = try #require(RecoveryPhrase(entropy: secret))
        let word = phrase.words()[0]
        let values: [Any] = [
            secret, key, phrase, try HDKey(seed: secret), try AccountKeys(seed: secret),
            try Prekey(seed: secret), [key], ["key": secret], (key, phrase),
        ]
        for value in values {
            let shown = Self.shown(value)
            #expect(!shown.contains("a7a7") && !shown.contains("167, 167"), "\(type(of: value))")
            #expect(!shown.contains(word), "\(type(of: value))")
        }
    }

    @Test func `shares a secret that only the two compute`() throws {
        let one = try #require(
            PrivateKey(SecretBytes(copying: [UInt8](repeating: 0, count: 31) + [1]))
        )
        let (ana, bo) = (PrivateKey.random(), PrivateKey.random())
        func hex(_ secret: SecretBytes) -> String {
            unsafe secret.withBytes { unsafe Hex.encode($0) }
        }
        #expect(
            hex(ana.sharedSecret(with: bo.publicKey)) == hex(bo.sharedSecret(with: ana.publicKey))
        )
        #expect(
            hex(ana.sharedSecret(with: bo.publicKey)) != hex(ana.sharedSecret(with: one.publicKey))
        )
        // The generator's hash: what the key 1 shares with itself, computed outside.
        #expect(
            hex(one.sharedSecret(with: one.publicKey))
                == "0f715baf5d4c2ed329785cef29e562f73488c8a2bb9dbc5700b361d54b9b0554"
        )
    }
}
