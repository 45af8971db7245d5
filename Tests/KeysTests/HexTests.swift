import Keys
import Testing

struct HexTests {
    @Test func `reads digits of either case, with and without the prefix`() {
        for text in ["00fFa9", "0x00fFa9", "0X00FFA9"] {
            #expect(Hex.decode(text) == [0x00, 0xFF, 0xA9])
            // A part of a text, and one that does not lie in one piece.
            #expect(Hex.decode(("-" + text).dropFirst()) == [0x00, 0xFF, 0xA9])
        }
        #expect(Hex.decode("") == [] && Hex.decode("0x") == [])
        // The prefix counts once, and only at the beginning.
        #expect(Hex.decode("0x0x") == nil && Hex.decode("000x") == nil)
    }

    @Test(arguments: ["0", "0x0", "abc", "0g", "g0", "0x 1", "é", "0x１２", "@0", "`0", "/0", ":0"])
    func `refuses an odd number of digits and other characters`(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test func `writes every byte and reads it back`() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    }
}
