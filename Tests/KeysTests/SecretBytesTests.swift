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

    @Test func `never prints a secret`() throws {
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

    @Test func `reads and writes a key's digits without creating a string`() throws {
        let secret = SecretBytes(copying: [0x00, 0x0F, 0xA7, 0xFF])
        let line = secret.hexadecimalLine()
        #expect(unsafe line.withBytes { unsafe Array($0) } == Array("000fa7ff\n".utf8))
        for text in ["000fa7ff\n", " 0x000FA7ff \r\n", "000fA7FF", "0X000fa7ff"] {
            let read = try #require(SecretBytes(hexadecimal: SecretBytes(text: text)))
            #expect(unsafe read.withBytes { unsafe Array($0) } == [0x00, 0x0F, 0xA7, 0xFF])
        }
        for text in ["0", "0g", "0x0", "00 11", "zz", "é"] {
            #expect(SecretBytes(hexadecimal: SecretBytes(text: text)) == nil, "\(text)")
        }
        #expect(SecretBytes(hexadecimal: SecretBytes(text: " \n"))?.count == 0)
    }

    @Test func `overwrites the source after it copies a secret`() {
        var original = [UInt8](repeating: 7, count: 40)
        let secret = SecretBytes(taking: &original)
        #expect(original == [UInt8](repeating: 0, count: 40))
        #expect(unsafe secret.withBytes { unsafe $0.allSatisfy { $0 == 7 } })
    }

    @Test func `two keys compute the same secret, and a third one cannot`() throws {
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

    @Test func `refuses a key table too large for memory, and builds one that fits`() {
        let none = unsafe SecretBytes(ifRoomFor: 1 << 60) { _ in Issue.record("there was room") }
        #expect(none == nil)
        for count in [0, 1, 4_096, 1 << 20] {
            let table = unsafe SecretBytes(ifRoomFor: count) { memory in
                unsafe memory.copyBytes(from: repeatElement(7, count: count))
            }
            let isFilled = unsafe table?.withBytes { unsafe $0.allSatisfy { $0 == 7 } }
            #expect(table?.count == count && isFilled == true)
        }
    }

    @Test func `an empty secret has a valid address`() {
        let isThere = unsafe SecretBytes(copying: []).withBytes { bytes in
            unsafe bytes.baseAddress != nil && bytes.isEmpty
        }
        #expect(isThere)
    }
}
