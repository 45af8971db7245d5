import Answers
import Keys
import Testing

struct IDPrefixTests {
    private let id = Bytes32(words: 0x0123_4567_89AB_CDEF, 1, 2, 3)

    @Test(arguments: ["0123", "0x01234", "0X0123456789AB", "012345678…", "0123456789ABcdef"])
    func `a prefix matches its own id and not the neighbouring ones`(text: String) throws {
        let prefix = try #require(IDPrefix(text))
        #expect(prefix.matches(id))
        #expect(!prefix.matches(.zero))
        #expect(!prefix.matches(Bytes32(repeating: 0xFF)))
        #expect(!prefix.matches(Bytes32(words: 0x0124_0000_0000_0000, 0, 0, 0)))
        #expect(!prefix.matches(Bytes32(words: 0x0122_FFFF_FFFF_FFFF, 9, 9, 9)))
    }

    @Test func `a whole id matches only itself`() throws {
        let prefix = try #require(IDPrefix(id.hex))
        #expect(prefix.first == id && prefix.last == id)
    }

    @Test(arguments: ["", "0x", "012", "0x012", "bicycle", "01 23", "0x0123…4", "…"])
    func `rejects text that is not an id prefix`(text: String) {
        #expect(IDPrefix(text) == nil)
        #expect(IDPrefix(String(repeating: "0", count: 65)) == nil)
    }
}
