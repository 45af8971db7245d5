import AccountAccess
import Answers
import Foundation
import Keys
import NIOHTTP1
import Support
import Testing

/// Docs/protocol.md, section 2.5.
struct PasswordTests {
    private static let composed = "Stra\u{DF}e \u{E9}t\u{E9}"
    private static let mixed = "e\u{301}t\u{E9}"
    private static let decomposed = "Stra\u{DF}e e\u{301}te\u{301}"

    private static func keystore(_ bytes: some Sequence<UInt8>) throws -> Keystore {
        let cost = try KeystoreCost(rounds: 2, blockSize: 1, parallelism: 1)
        let password = SecretBytes(copying: Array(bytes))
        return try Keystore(json: try Keystore.seal(.random(), password: password, cost: cost))
    }

    @Test func `a password opens a keystore whatever its Unicode form`() throws {
        let keystore = try Self.keystore(Self.composed.utf8)
        for typed in [Self.composed, Self.decomposed] {
            _ = try Password(typed).unlock(keystore)
        }
        #expect(throws: KeystoreError.wrongPassword) {
            try Password("Strasse ete").unlock(keystore)
        }
    }

    @Test func `opens other programs' keystores in each Unicode normal form`() throws {
        // The ligature has a form of its own under compatibility only.
        let password = "pass\u{E9} \u{FB01}n 12"
        let forms = [
            password.precomposedStringWithCanonicalMapping,
            password.decomposedStringWithCanonicalMapping,
            password.precomposedStringWithCompatibilityMapping,
            password.decomposedStringWithCompatibilityMapping, "passe\u{301} \u{FB01}n 12",
        ]
        for form in forms {
            let keystore = try Self.keystore(form.utf8)
            for typed in forms[..<2] {
                _ = try Password(typed).unlock(keystore, isForeign: true)
            }
            #expect(throws: KeystoreError.wrongPassword) {
                try Password(password + "x").unlock(keystore, isForeign: true)
            }
        }
        // A foreign keystore that was sealed with the text as typed, in no normal form.
        let mixed = try Self.keystore(Self.mixed.utf8)
        _ = try Password(Self.mixed).unlock(mixed, isForeign: true)
        #expect(throws: KeystoreError.wrongPassword) {
            try Password(Self.mixed.precomposedStringWithCanonicalMapping)
                .unlock(mixed, isForeign: true)
        }
        // An account of the node has none of the forms of other programs.
        for form in forms[1...] {
            let own = try Self.keystore(form.utf8)
            #expect(throws: KeystoreError.wrongPassword) { try Password(forms[1]).unlock(own) }
        }
        _ = try Password("").unlock(try Self.keystore([]), isForeign: true)
    }

    /// - From people: a body that is not UTF-8 → malformed_json
    @Test func `accepts a password in each Unicode form, and no invalid bytes`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            func body(_ name: String, _ password: String) -> String {
                #"{"\#(name)":"ana","password":"\#(password)"}"#
            }
            let made = try await node.call(.POST, "accounts", body: body("name", Self.decomposed))
            #expect(made.status == 201)
            for typed in [Self.composed, Self.decomposed] {
                let signIn = body("account", typed)
                #expect(try await node.call(.POST, "sessions", body: signIn).status == 201)
            }
            // Bytes that are no text, and half a character of UTF-16.
            let broken = Array(#"{"account":"ana","password":""#.utf8) + [0x61, 0xFF, 0x22, 0x7D]
            let refused = try await node.send(.POST, "sessions", broken)
            #expect(refused.status == 400 && refused.code == "malformed_json")
            let words = String(decoding: refused.body, as: UTF8.self)
            #expect(words.contains("The body is not UTF-8 text: byte 31 cannot"), "\(words)")
            let half = body("account", #"\ud800aaaaaaa"#)
            #expect(try await node.call(.POST, "sessions", body: half).status == 400)
        }
    }

    /// - From people: a new password with a control or invisible character → malformed_value
    /// - From people: a new password of more than 1,024 characters → malformed_value
    @Test func `refuses an invisible character in a new password, by its position`() throws {
        for (password, place) in [
            ("correct\u{0} horse", 8), ("\u{200B}correct horse", 1), ("correct\thorse", 8),
            ("correct hors\u{AD}e", 13), ("correct horse\u{3164}", 14),
        ] {
            let refusal = #expect(throws: Refusal.self) { try Password.check(password) }
            #expect(refusal?.detail.hasPrefix("Character \(place) of the password") == true)
        }
        let endless = #expect(throws: Refusal.self) {
            try Password.check(String(repeating: "ключ", count: 257))
        }
        #expect(endless?.detail == "A password can have at most 1024 characters.")
        for password in [
            String(repeating: "ключ", count: 256),
            "correct horse", " ключ от дома ", "密码密码密码密码", "👩\u{200D}🔧 ❤\u{FE0F} bike",
        ] {
            try Password.check(password)
        }
    }
}
