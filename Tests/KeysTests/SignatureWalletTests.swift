import Keys
import Support
import Testing

struct SignatureWalletTests {
    private let hash = Keccak256.hash("asked".utf8)

    @Test func `reads a wallet's signature with both forms of v`() throws {
        for number in 1...20 as ClosedRange<UInt8> {
            let signature = testKey(number).sign(hash)
            var bytes = signature.bytes
            #expect(Signature(wallet: bytes) == signature)
            bytes[64] -= 27
            #expect(Signature(wallet: bytes) == signature)
        }
    }

    @Test(arguments: [2, 26, 29, 35, 255] as [UInt8])
    func `refuses any other v`(v: UInt8) {
        let bytes = testKey(1).sign(hash).bytes
        #expect(Signature(wallet: bytes.dropLast() + [v]) == nil)
    }

    @Test func `refuses a signature of an invalid length`() {
        let bytes = testKey(1).sign(hash).bytes
        #expect(Signature(wallet: []) == nil)
        #expect(Signature(wallet: [UInt8](bytes.dropLast())) == nil)
        #expect(Signature(wallet: bytes + [0]) == nil)
    }
}
