import GossipProtocol
import Testing

struct SignedKeyTests {
    @Test(arguments: [(0, 1), (37, 71), (127, 128), (255, 256), (300, 72)])
    func `reads its own output and refuses other lengths`(keyCount: Int, signatureCount: Int) {
        let signedKey = SignedKey(
            key: Array(repeating: 1, count: keyCount),
            signature: Array(repeating: 2, count: signatureCount)
        )
        let der = signedKey.der
        #expect(SignedKey(der: der) == signedKey)
        #expect(SignedKey(der: der + [0]) == nil)
        for end in 0..<der.count { #expect(SignedKey(der: Array(der[..<end])) == nil) }
    }

    @Test(
        arguments: [
            [0x30, 0x81, 0x04, 0x04, 0, 0x04, 0], [0x30, 0x80, 0x04, 0, 0x04, 0, 0, 0],
            [0x31, 0x04, 0x04, 0, 0x04, 0], [0x30, 0x04, 0x03, 0, 0x04, 0],
            [0x30, 0x06, 0x04, 0, 0x04, 0, 0x05, 0], [0x30, 0x82, 0x00, 0x04, 0x04, 0, 0x04, 0],
        ] as [[UInt8]]
    )
    func `refuses every encoding except the shortest`(der: [UInt8]) {
        #expect(SignedKey(der: der) == nil)
    }
}
