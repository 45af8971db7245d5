import Keys
import Testing

struct PrivateKeyTests {
    @Test func `the first development key controls its known address`() throws {
        let bytes = try #require(
            Hex.decode("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
        )
        let key = try #require(PrivateKey(SecretBytes(copying: bytes)))
        #expect(key.address.checksummed == "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
    }

    @Test func `a signature yields its signer and is valid for nothing else`() {
        let key = PrivateKey.random()
        let hash = Keccak256.hash("message".utf8)
        let signature = key.sign(hash)

        #expect(signature.signer(of: hash) == key.publicKey)
        #expect(key.publicKey.verifies(signature, of: hash))
        #expect(!key.publicKey.verifies(signature, of: Keccak256.hash("other".utf8)))
        #expect(signature == key.sign(hash))
        #expect(Signature(signature.bytes) == signature)
    }

    @Test func `never prints its bytes`() {
        let secret = SecretBytes(copying: [1, 2, 3])
        #expect("\(secret)" == "secret")
        #expect(String(reflecting: secret) == "secret")
    }

    @Test(arguments: [0x00 as UInt8, 0xFF])
    func `refuses numbers that cannot be a key`(byte: UInt8) {
        #expect(PrivateKey(SecretBytes(copying: [UInt8](repeating: byte, count: 32))) == nil)
    }
}
