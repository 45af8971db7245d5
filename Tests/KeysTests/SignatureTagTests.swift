import Keys
import Testing

struct SignatureTagTests {
    @Test func `a signature is valid for one purpose only`() {
        let key = PrivateKey.random()
        let signature = key.sign([1, 2, 3], as: .mail)
        #expect(key.publicKey.verifies(signature, of: [1, 2, 3], as: .mail))
        #expect(!key.publicKey.verifies(signature, of: [1, 2, 3], as: .home))
        #expect(!key.publicKey.verifies(signature, of: [1, 2], as: .mail))
        #expect(!key.publicKey.verifies(signature, of: Keccak256.hash([1, 2, 3])))
    }

    @Test func `hashes the bytes that the protocol defines`() {
        let bytes: [UInt8] = [0x19] + Array("Stoa:mail/1".utf8) + [0, 5, 6]
        #expect(SignatureTag.mail.hash([5, 6]) == Keccak256.hash(bytes))
    }
}
