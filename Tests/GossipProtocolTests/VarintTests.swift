import GossipProtocol
import Testing

struct VarintTests {
    @Test(arguments: [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 40, 1 << 63 - 1] as [UInt64])
    func `reads its own output and waits for the rest of truncated input`(number: UInt64) {
        let bytes = Varint.encode(number)
        #expect(Varint.read(bytes[...]) == .number(number, byteCount: bytes.count))
        for end in 0..<bytes.count { #expect(Varint.read(bytes[..<end]) == .unfinished) }
    }

    @Test func `refuses a non-canonical encoding and an overlong number`() {
        #expect(Varint.read([0x80, 0x00]) == .malformed)
        #expect(Varint.read([0xFF, 0x80, 0x00]) == .malformed)
        #expect(Varint.read(ArraySlice(repeating: 0xFF, count: 9)) == .malformed)
    }
}
