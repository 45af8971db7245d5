import Foundation
import Keys
import Support
import Testing

struct KeystoreTests {
    private let key = PrivateKey.random()

    private func sealed() throws -> [UInt8] {
        try Keystore.seal(key, password: SecretBytes(text: "right"), cost: .light)
    }

    private func changed(_ change: (inout [String: Any]) -> Void) throws -> [UInt8] {
        let object = try JSONSerialization.jsonObject(with: Data(try sealed()))
        var file = try #require(object as? [String: Any])
        change(&file)
        return Array(try JSONSerialization.data(withJSONObject: file))
    }

    @Test func `opens keystores that other wallets sealed`() throws {
        guard VectorFolder.isPresent else {
            print("ethereum-tests/keystore.json: absent, passed over")
            return
        }
        let data = try Data(contentsOf: VectorFolder.file("ethereum-tests/keystore.json"))
        let object = try JSONSerialization.jsonObject(with: data)
        let cases = try #require(object as? [String: [String: Any]])
        for (name, vector) in cases {
            let json = try JSONSerialization.data(withJSONObject: try #require(vector["json"]))
            let password = try #require(vector["password"] as? String)
            let secret = try #require((vector["priv"] as? String).flatMap { Hex.decode($0) })
            let expected = try #require(PrivateKey(SecretBytes(copying: secret)))
            let keystore = try Keystore(json: Array(json))
            #expect(
                try keystore.unlock(password: SecretBytes(text: password)).publicKey
                    == expected.publicKey,
                "\(name)"
            )
            // The file with 2¹⁸ rounds of the small block size takes seconds a password.
            guard name != "test2" else { continue }
            #expect(throws: KeystoreError.wrongPasswordOrDamaged, "\(name)") {
                try keystore.unlock(password: SecretBytes(text: password + "x"))
            }
        }
        #expect(cases.count == 5)
        print("ethereum-tests/keystore: \(cases.count) cases")
    }

    @Test func `returns the key that it sealed`() throws {
        let keystore = try Keystore(json: try sealed())
        #expect(keystore.address == key.address)
        #expect(
            try keystore.unlock(password: SecretBytes(text: "right")).publicKey == key.publicKey
        )
    }

    @Test func `opens a file whose encrypted section is spelled as in ethers`() throws {
        let file = try changed { file in
            file["Crypto"] = file.removeValue(forKey: "crypto")
            file["stoa"] = nil
        }
        let keystore = try Keystore(json: file)
        #expect(
            try keystore.unlock(password: SecretBytes(text: "right")).publicKey == key.publicKey
        )
        let broken = try changed { file in
            file["crypto"] = nil
            file["Crypto"] = "no object"
        }
        #expect(throws: KeystoreError.malformed(.crypto)) { try Keystore(json: broken) }
        let without = try changed { $0["crypto"] = nil }
        #expect(throws: KeystoreError.malformed(.crypto)) { try Keystore(json: without) }
    }

    @Test func `distinguishes a wrong password from a changed file`() throws {
        let keystore = try Keystore(json: try sealed())
        #expect(throws: KeystoreError.wrongPassword) {
            try keystore.unlock(password: SecretBytes(text: "wrong"))
        }
        for part in ["mac", "ciphertext"] {
            let other = try changed { file in
                var crypto = file["crypto"] as? [String: Any]
                crypto?[part] = String(repeating: "0", count: 64)
                file["crypto"] = crypto
            }
            #expect(throws: KeystoreError.damaged) { try Keystore(json: other) }
        }
    }

    @Test func `names both possible causes if there is no checksum`() throws {
        let file = try changed { $0["stoa"] = nil }
        let keystore = try Keystore(json: file)
        #expect(
            try keystore.unlock(password: SecretBytes(text: "right")).publicKey == key.publicKey
        )
        #expect(throws: KeystoreError.wrongPasswordOrDamaged) {
            try keystore.unlock(password: SecretBytes(text: "wrong"))
        }
    }

    @Test func `detects a file truncated anywhere`() throws {
        let file = try sealed()
        for count in 0..<file.count {
            #expect(throws: KeystoreError.truncated, "\(count)") {
                try Keystore(json: Array(file[..<count]))
            }
        }
    }

    @Test func `detects a key that belongs to another address`() throws {
        let other = PrivateKey.random().address
        let file = try changed { file in
            file["stoa"] = nil
            file["address"] = other.checksummed
        }
        #expect(throws: KeystoreError.wrongKey(expected: other, found: key.address)) {
            try Keystore(json: file).unlock(password: SecretBytes(text: "right"))
        }
    }

    @Test(arguments: [
        ("n", 1 << 30, KeystoreError.tooCostly(.rounds)),
        ("n", Int.max, .malformed(.rounds)),
        ("n", 1 << 62, .tooCostly(.rounds)),
        ("n", 3, .malformed(.rounds)), ("n", 0, .malformed(.rounds)),
        ("n", -2, .malformed(.rounds)),
        ("r", 1 << 40, .tooCostly(.blockSize)), ("r", 0, .malformed(.blockSize)),
        ("r", 1 << 11, .tooCostly(.blockSize)),
        ("p", 1 << 40, .tooCostly(.parallelism)), ("p", -1, .malformed(.parallelism)),
        ("dklen", 64, .unsupported(.keyLength)),
    ])
    func `refuses parameters that would stall it`(
        name: String,
        value: Int,
        error: KeystoreError
    ) throws {
        let file = try changed { file in
            file["stoa"] = nil
            var crypto = file["crypto"] as? [String: Any]
            var parameters = crypto?["kdfparams"] as? [String: Any]
            parameters?[name] = value
            crypto?["kdfparams"] = parameters
            file["crypto"] = crypto
        }
        #expect(throws: error) { try Keystore(json: file) }
    }

    @Test func `refuses a file that is not a keystore`() throws {
        #expect(throws: KeystoreError.malformed(.text)) { try Keystore(json: Array("hello".utf8)) }
        #expect(throws: KeystoreError.malformed(.crypto)) { try Keystore(json: Array("{}".utf8)) }
        let old = try changed { file in
            file["stoa"] = nil
            file["version"] = 1
        }
        #expect(throws: KeystoreError.unsupported(.version)) { try Keystore(json: old) }
    }
}
