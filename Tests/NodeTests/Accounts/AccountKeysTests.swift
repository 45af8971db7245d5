import Client
import Concurrency
import Foundation
import Keys
import NIOHTTP1
import Setup
import Support
import Testing

/// Keys that come from other wallets and go to them, and new passwords, over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AccountKeysTests {
    private let digits = "4646464646464646464646464646464646464646464646464646464646464646"
    private let address = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"

    private func body(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    @Test func `imports a private key, then reveals and exports it by password`()
        async throws
    {
        try await TestNode.run { node in
            for text in ["0x" + digits, digits] {
                let wanted = AccountImport(name: "ana", password: "correct horse", privateKey: text)
                let made = try await node.call(.POST, "accounts/import", body: try body(wanted))
                #expect(made.status == (text == digits ? 409 : 201))
                if made.status == 201 {
                    #expect(try made.read(Account.self).address == address)
                }
            }
            let (good, bad) = (#"{"password":"correct horse"}"#, #"{"password":"wrong horse"}"#)
            for call in ["key", "keystore"] {
                let wrong = try await node.call(.POST, "accounts/ana/\(call)", body: bad)
                #expect(wrong.status == 401 && wrong.code == "wrong_password")
            }
            let key: RevealedKey = try await node.call(.POST, "accounts/ana/key", body: good).read()
            #expect(key == RevealedKey(address: address, privateKey: "0x" + digits))
            let export: ExportedKeystore = try await node.call(
                .POST,
                "accounts/ana/keystore",
                body: good
            ).read()
            #expect(export.address == address)
            #expect(export.fileName.hasPrefix("UTC--20") && !export.fileName.contains(":"))
            #expect(export.fileName.hasSuffix(address.dropFirst(2).lowercased()))
            let opened = try Keystore(json: Array(export.keystore.utf8))
                .unlock(password: SecretBytes(text: "correct horse"))
            #expect(opened.address.checksummed == address)
        }
    }

    /// - From people: a wrong password of a keystore file → wrong_password
    @Test func `imports a keystore file of another wallet with its own password`() async throws {
        // The test vector of the "Web3 Secret Storage Definition" with PBKDF2.
        let file = """
            {"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"6087dab2f9fdbbfaddc31a909735c1e6"},
            "ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
            "kdf":"pbkdf2","kdfparams":{"c":262144,"dklen":32,"prf":"hmac-sha256",
            "salt":"ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd"},
            "mac":"517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2"},
            "id":"3198bc9c-6672-5ab3-d995-4942343ae5b6","version":3}
            """
        try await TestNode.run { node in
            var wanted = AccountImport(
                name: "ana",
                password: "correct horse",
                keystore: file,
                keystorePassword: "testpasswordX"
            )
            let wrong = try await node.call(.POST, "accounts/import", body: try body(wanted))
            #expect(wrong.status == 401 && wrong.code == "wrong_password")
            #expect(try wrong.read(Problem.self).field == "keystorePassword")
            wanted.keystorePassword = "testpassword"
            let made: Account = try await node.call(
                .POST,
                "accounts/import",
                body: try body(wanted)
            ).read()
            #expect(made.address == "0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b")
            let signIn = #"{"account":"ana","password":"correct horse"}"#
            #expect(try await node.call(.POST, "sessions", body: signIn).status == 201)
        }
    }

    @Test(arguments: [
        "%  ", " %", "\\t0x%\\n", "\\\"0x%\\\"", "'%'", "\\ufeff%\\r\\n", "0X%",
    ])
    func `accepts a private key with blanks, quotes and a BOM`(form: String) async throws {
        let key = PrivateKey.random()
        let digits = unsafe key.withBytes { unsafe Hex.encode($0) }
        try await TestNode.run { node in
            let text = form.replacing("%", with: digits)
            let wanted = #"{"name":"ana","password":"correct horse","privateKey":"\#(text)"}"#
            let answer = try await node.call(.POST, "accounts/import", body: wanted)
            #expect(try answer.read(Account.self).address == key.address.checksummed)
        }
    }

    /// - From people: a private key or a recovery phrase given as a keystore file → bad_key
    @Test(arguments: [
        (String(repeating: "4", count: 64), "is a plain private key"),
        ("zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong", "is a recovery phrase"),
        ("hello", "it is not JSON"), ("[]", "The file is a list of 0"),
    ])
    func `names the kind of a file that is not a keystore`(file: String, words: String) async throws
    {
        try await TestNode.run { node in
            let wanted = #"{"name":"ana","password":"correct horse","keystore":"\#(file)"}"#
            let answer = try await node.call(.POST, "accounts/import", body: wanted)
            let problem = try answer.read(Problem.self)
            #expect(problem.code == "bad_key" && problem.detail.contains(words), "\(problem)")
            #expect(problem.reason?.detail == problem.detail)
        }
    }

    /// - From people: a text that is not a private key, or a file that is not a keystore → bad_key
    /// - From people: a key and a keystore file at once, or neither; an old password and a phrase
    ///   at once, or neither → malformed_value
    @Test(
        arguments: [
            (#""privateKey":"0x46""#, "bad_key", "privateKey"),
            (#""privateKey":"\#(String(repeating: "0", count: 64))""#, "bad_key", "privateKey"),
            (#""privateKey":"\#(String(repeating: "f", count: 64))""#, "bad_key", "privateKey"),
            (#""privateKey":"\#(String(repeating: "z", count: 64))""#, "bad_key", "privateKey"),
            (#""keystore":"{}""#, "bad_key", "keystore"),
            (#""keystore":"{""#, "bad_key", "keystore"),
            (#""keystore":"{}","privateKey":"0x46""#, "malformed_value", "privateKey"),
            (#""keystorePassword":"testpassword""#, "malformed_value", "privateKey"),
        ]
    )
    func `refuses another wallet's bad key and names the field`(
        part: String,
        code: String,
        field: String
    ) async throws {
        try await TestNode.run { node in
            let wanted = #"{"name":"ana","password":"correct horse",\#(part)}"#
            let answer = try await node.call(.POST, "accounts/import", body: wanted)
            let problem = try answer.read(Problem.self)
            #expect(problem.code == code && problem.field == field, "\(problem)")
            #expect(answer.status == 400)
        }
    }

    @Test func `a new password ends all sessions and replaces the old one`() async throws {
        try await TestNode.run { node in
            let token = try await node.signIn("ana").token
            func change(_ body: String) async throws -> TestNode.Answer {
                try await node.call(.POST, "accounts/ana/password", body: body)
            }
            func signIn(_ password: String) async throws -> Int {
                let body = #"{"account":"ana","password":"\#(password)"}"#
                return Int(try await node.call(.POST, "sessions", body: body).status)
            }
            let wrong = try await change(#"{"password":"wrong horse","newPassword":"new horse 1"}"#)
            #expect(wrong.code == "wrong_password")
            let weak = try await change(#"{"password":"correct horse","newPassword":"short"}"#)
            #expect(try weak.read(Problem.self).field == "newPassword")
            let neither = try await change(#"{"newPassword":"new horse 1"}"#)
            #expect(neither.code == "malformed_value")
            #expect(try await node.call(.GET, "sessions/current", token: token).status == 200)

            let good = #"{"password":"correct horse","newPassword":"new horse 1"}"#
            let done = try await change(good)
            #expect(done.status == 204)
            #expect(try await node.call(.GET, "sessions/current", token: token).status == 401)
            #expect(try await signIn("correct horse") == 401)
            #expect(try await signIn("new horse 1") == 201)
        }
    }

    @Test func `a sign-in during a password change leaves no session open`() async throws {
        try await TestNode.run { node in
            _ = try await node.signIn("ana")
            let signIn = #"{"account":"ana","password":"correct horse"}"#
            // The operator's programs may sign in at the same time.
            let token = try DataFolder(path: node.folder).operatorToken()
            let begun = BoundedQueue<Int>(elementsMax: 4)
            try await withThrowingTaskGroup(of: [String].self) { group in
                for number in 0..<4 {
                    group.addTask {
                        var tokens: [String] = []
                        while true {
                            let answer = try await node.call(
                                .POST,
                                "sessions",
                                body: signIn,
                                token: token
                            )
                            guard answer.status == 201 else { return tokens }
                            tokens.append(try answer.read(Session.self).token)
                            if tokens.count == 1 { await begun.send(number) }
                        }
                    }
                }
                for _ in 0..<4 { _ = await begun.receive() }
                let body = #"{"password":"correct horse","newPassword":"new horse 1"}"#
                let path = "accounts/ana/password"
                #expect(try await node.call(.POST, path, body: body, token: token).status == 204)
                for try await tokens in group {
                    #expect(!tokens.isEmpty)
                    for token in tokens.suffix(3) {
                        let answer = try await node.call(.GET, "sessions/current", token: token)
                        #expect(answer.status == 401)
                    }
                }
            }
        }
    }

    /// - From people: setting a new password with another account's phrase or key → bad_phrase,
    ///   bad_key
    @Test func `the recovery phrase resets the password of an account on the node`() async throws {
        try await TestNode.run { node in
            @Sendable func make(_ name: String) async throws -> String {
                let body = #"{"name":"\#(name)","password":"correct horse"}"#
                let made: CreatedAccount = try await node.call(.POST, "accounts", body: body).read()
                return try #require(made.phrase)
            }
            let (phrase, other) = (try await make("ana"), try await make("bo"))
            func reset(_ account: String, _ phrase: String) async throws -> TestNode.Answer {
                let body = #"{"phrase":"\#(phrase)","newPassword":"new horse 1"}"#
                return try await node.call(.POST, "accounts/\(account)/password", body: body)
            }
            let refused = try await reset("ana", other)
            #expect(refused.status == 400 && refused.code == "bad_phrase")
            #expect(try await reset("ana", "no").code == "bad_phrase")
            #expect(try await reset("nobody", phrase).code == "bad_phrase")
            #expect(try await reset("ana", phrase).status == 204)
            let body = #"{"account":"ana","password":"new horse 1"}"#
            #expect(try await node.call(.POST, "sessions", body: body).status == 201)
        }
    }

    @Test func `the private key resets the password of an account without a phrase`() async throws {
        try await TestNode.run { node in
            let (key, other) = (
                String(repeating: "1a", count: 32), String(repeating: "2b", count: 32)
            )
            let made = #"{"name":"ana","password":"correct horse","privateKey":"\#(key)"}"#
            #expect(try await node.call(.POST, "accounts/import", body: made).status == 201)
            func reset(_ account: String, _ key: String) async throws -> TestNode.Answer {
                let body = #"{"privateKey":"\#(key)","newPassword":"new horse 1"}"#
                return try await node.call(.POST, "accounts/\(account)/password", body: body)
            }
            let refused = try await reset("ana", other)
            #expect(refused.status == 400 && refused.code == "bad_key")
            #expect(try await reset("ana", "no").code == "bad_key")
            #expect(try await reset("nobody", key).code == "bad_key")
            let both = #"{"privateKey":"\#(key)","password":"x","newPassword":"new horse 1"}"#
            let two = try await node.call(.POST, "accounts/ana/password", body: both)
            #expect(two.code == "malformed_value")
            #expect(try await reset("ana", key).status == 204)
            let body = #"{"account":"ana","password":"new horse 1"}"#
            #expect(try await node.call(.POST, "sessions", body: body).status == 201)
        }
    }
}
